"""How good the probabilities are on rows whose classes are known."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from petree import metrics
from petree.estimators.base import TreeClassifier
from petree.inputs.types import LabelsLike, TableLike
from petree.metrics.measures import bins_of
from petree.metrics.reliability import reliability_bins
from petree.metrics.roc import WEIGHTED_AUC_TITLE
from petree.report.rows import class_codes
from petree.report.texts import DIGITS, LEVEL, rounded
from petree.storage.values import Record
from petree.tree.prediction import most_probable_codes

RANKED = {
    True: "how often a row of the second class is ranked above one of the first",
    False: "how often a row of a class is ranked above one of the others, weighted by the shares of the classes",
}
# Points of a curve; the eye sees no more.
MOST_POINTS = 150
BINS = 10
BARS = 20


def tell_quality(model: TreeClassifier, X: TableLike, y: LabelsLike, shown: TreeClassifier) -> Record:
    """Measures with what each means, curves of every class that occurs, and the confusion matrix.

    If the tree that is shown is another model, such as the summary of a tree with options, `shown` lists its measures.
    """
    codes = class_codes(model, y)
    probabilities = model.predict_proba(X)
    if len(codes) != len(probabilities):
        raise ValueError(f"y has the classes of {len(codes)} rows, but X has {len(probabilities)}.")
    predicted = most_probable_codes(probabilities, model.tree_.class_weight)
    n_classes = len(model.classes_)
    confusion = np.bincount(codes * n_classes + predicted, minlength=n_classes**2).reshape(n_classes, n_classes)
    return {
        "n": len(codes),
        "measures": _measures(model, codes, predicted, probabilities),
        "shown": None if shown is model else _values_of(shown, X, codes),
        "confusion": confusion.tolist(),
        "curves": [_curves_of(codes, probabilities, code) for code in range(n_classes)],
    }


def _values_of(model: TreeClassifier, X: TableLike, codes: NDArray[np.intp]) -> list[str | float | None]:
    """The values of all measures of a model."""
    probabilities = model.predict_proba(X)
    predicted = most_probable_codes(probabilities, model.tree_.class_weight)
    return [value for _, value, *_ in _measures(model, codes, predicted, probabilities)]


def _measures(
    model: TreeClassifier, codes: NDArray[np.intp], predicted: NDArray[np.intp], probabilities: NDArray[np.float64]
) -> list[list[str | float | None]]:
    """Name, value, the same of base rates alone where that says something, and what it is."""
    labels = np.arange(len(model.classes_))
    counts = model.tree_.counts[0]
    base = np.broadcast_to(counts / counts.sum(), probabilities.shape)
    is_two = len(labels) == 2
    area = metrics.weighted_auc(codes, probabilities, labels)
    error = metrics.calibration_error(codes, probabilities, labels, n_bins=BINS)
    right, usual = (float((said == codes).mean()) for said in (predicted, counts.argmax()))
    bits, base_bits = (-metrics.log2_likelihood(codes, of, labels) for of in (probabilities, base))
    square, base_square = (metrics.brier(codes, of, labels) for of in (probabilities, base))
    return [
        ["Accuracy", _finite(right), _finite(usual), "share of right predictions"],
        ["Log loss", _finite(bits), _finite(base_bits), "bits of surprise a row; lower is better"],
        ["Brier score", _finite(square), _finite(base_square), "squared error of the probabilities; lower is better"],
        ["AUC" if is_two else WEIGHTED_AUC_TITLE, _finite(area), 0.5, RANKED[is_two]],
        [
            "Calibration error",
            _finite(error),
            None,
            "distance of probability and frequency, of the most probable class",
        ],
    ]


def _finite(value: float) -> float | None:
    """A number that JSON can hold; None where a measure is infinite or not defined."""
    return round(value, DIGITS) if math.isfinite(value) else None


def _curves_of(codes: NDArray[np.intp], probabilities: NDArray[np.float64], code: int) -> Record | None:
    """The curves of a class; None where it does not occur, or nothing else does."""
    is_true = codes == code
    if not 0 < is_true.sum() < len(is_true):
        return None
    labels = np.arange(probabilities.shape[1])
    error = metrics.calibration_error(codes, probabilities, labels, of_class=code, n_bins=BINS)
    both = np.column_stack([1 - probabilities[:, code], probabilities[:, code]])
    return {
        **tell_curves(probabilities[:, code], is_true),
        "auc": round(metrics.auc(is_true, both, [False, True]), DIGITS),
        "calibration_error": round(error, DIGITS),
    }


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
