"""How good predicted probabilities are, and whether one method is better than another."""

from petree.evaluation import figures, pruning_model, pruning_plots, ranks, significance, tables
from petree.evaluation.measures import accuracy, brier, calibration_error, expected_accuracy, log2_likelihood
from petree.evaluation.pairs import pairwise_auc
from petree.evaluation.roc import auc, auc_from_leaves, hand_till_auc, hand_till_from_counts, weighted_auc

__all__ = [
    "accuracy",
    "auc",
    "auc_from_leaves",
    "brier",
    "calibration_error",
    "expected_accuracy",
    "figures",
    "hand_till_auc",
    "hand_till_from_counts",
    "log2_likelihood",
    "pairwise_auc",
    "pruning_model",
    "pruning_plots",
    "ranks",
    "significance",
    "tables",
    "weighted_auc",
]
