"""How good predicted probabilities are, and why reduced-error pruning fails on noise."""

from petree.evaluation import pruning_model, pruning_plots
from petree.evaluation.measures import (
    accuracy,
    auc,
    auc_from_leaves,
    brier,
    calibration_error,
    expected_accuracy,
    hand_till_auc,
    hand_till_from_counts,
    log2_likelihood,
    weighted_auc,
)

__all__ = [
    "accuracy",
    "auc",
    "auc_from_leaves",
    "brier",
    "calibration_error",
    "expected_accuracy",
    "hand_till_auc",
    "hand_till_from_counts",
    "log2_likelihood",
    "pruning_model",
    "pruning_plots",
    "weighted_auc",
]
