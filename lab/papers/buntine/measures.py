"""What Buntine measures over the trials of a problem. A gain is above 0 where the first method is better."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lab.experiments.summary import Summary

# The measures among the results, what tables call them, how many make one of the unit shown, and decimals.
ERROR = "accuracy"
BRIER = "brier"
TITLES = {ERROR: "error, percent", BRIER: "Brier score"}
SHORT_TITLES = {ERROR: "error", BRIER: "Brier"}
SCALES = {ERROR: 100.0, BRIER: 1.0}
DECIMALS = {ERROR: 1, BRIER: 3}


def values(summary: Summary, measure: str, problem: str, method: str) -> NDArray[np.float64]:
    """Error in percent, or Brier score, of each trial."""
    found = summary.folds(measure, problem, method).ravel()
    return SCALES[ERROR] * (1 - found) if measure == ERROR else found


def mean(summary: Summary, measure: str, problem: str, method: str) -> float:
    return float(values(summary, measure, problem, method).mean())


def deviation(summary: Summary, measure: str, problem: str, method: str) -> float:
    """Standard deviation over the trials."""
    return float(values(summary, measure, problem, method).std(ddof=1))


def gains(summary: Summary, measure: str, problem: str, one: str, other: str) -> NDArray[np.float64]:
    """By how much one method is better than another in each trial, in percent points of error or in Brier score."""
    return SCALES[measure] * summary.gains(measure, problem, one, other).ravel()


def is_better(summary: Summary, measure: str, problem: str, one: str, other: str) -> bool:
    """Whether a method is significantly better than another, by the paired t test at 0.05."""
    found = summary.test(measure, problem, one, other)
    return found.is_significant() and found.t > 0
