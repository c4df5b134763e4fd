"""Metrics of predicted probabilities: AUC in its forms, log likelihood, Brier score, calibration, accuracy."""

from petree.metrics.measures import accuracy, brier, calibration_error, expected_accuracy, log2_likelihood
from petree.metrics.pairs import pairwise_auc
from petree.metrics.roc import auc, auc_from_leaves, hand_till_auc, hand_till_from_counts, weighted_auc

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
    "pairwise_auc",
    "weighted_auc",
]
