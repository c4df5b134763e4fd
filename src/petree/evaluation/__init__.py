"""How good predicted probabilities are."""

from petree.evaluation.measures import accuracy, brier, log2_likelihood

__all__ = ["accuracy", "brier", "log2_likelihood"]
