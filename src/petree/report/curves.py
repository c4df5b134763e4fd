"""Curves of one class against all others, point by point."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.evaluation.measures import bins_of
from petree.evaluation.reliability import reliability_bins
from petree.report.texts import LEVEL, rounded
from petree.storage.values import Record

# Points of a curve; the eye sees no more.
MOST_POINTS = 150
BINS = 10
BARS = 20


def tell_curves(probability: NDArray[np.float64], is_true: NDArray[np.bool_]) -> Record:
    """ROC and precision-recall curves, the reliability diagram and the histogram of one class."""
    return {
        **_thresholds(probability, is_true),
        "reliability": _reliability(probability, is_true),
        "histogram": _histogram(probability, is_true),
    }


def _thresholds(probability: NDArray[np.float64], is_true: NDArray[np.bool_]) -> Record:
    """Rows found true and found false as the threshold falls; equal probabilities are one step."""
    order = np.argsort(-probability, kind="stable")
    ranked = probability[order]
    ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))
    found = np.cumsum(is_true[order])[ends]
    n_true = int(found[-1])
    n_false = len(ranked) - n_true
    kept = np.unique(np.linspace(0, len(ends) - 1, min(MOST_POINTS, len(ends))).astype(np.intp))
    called = ends[kept] + 1
    return {
        "threshold": rounded(ranked[ends[kept]]),
        "true_rate": rounded(found[kept] / max(n_true, 1)),
        "false_rate": rounded((called - found[kept]) / max(n_false, 1)),
        "precision": rounded(found[kept] / called),
        "share": n_true / len(ranked),
    }


def _reliability(probability: NDArray[np.float64], is_true: NDArray[np.bool_]) -> Record:
    """Mean probability and frequency in bins of equally wide ranges, with the interval of the frequency."""
    bins = reliability_bins(probability, is_true, BINS)
    lower, upper = bins.interval(LEVEL)
    return {
        "n": bins.n_rows.tolist(),
        "predicted": rounded(bins.predicted),
        "observed": rounded(bins.observed),
        "lower": rounded(lower),
        "upper": rounded(upper),
    }


def _histogram(probability: NDArray[np.float64], is_true: NDArray[np.bool_]) -> Record:
    """Rows of the class and of others in each range of its probability."""
    bins = bins_of(probability, BARS)
    is_of = np.bincount(bins, is_true, BARS).astype(int)
    return {"of_class": is_of.tolist(), "others": (np.bincount(bins, minlength=BARS) - is_of).tolist()}
