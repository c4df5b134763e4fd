"""How good the probabilities are on rows whose classes are known."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from petree import evaluation
from petree.estimators.base import TreeClassifier
from petree.inputs.types import LabelsLike, TableLike
from petree.report.curves import BINS, tell_curves
from petree.report.rows import class_codes
from petree.report.texts import DIGITS
from petree.storage.values import Record
from petree.tree.prediction import most_probable_codes


def tell_quality(model: TreeClassifier, X: TableLike, y: LabelsLike) -> Record:
    """Measures with what each means, curves of every class that occurs, and the confusion matrix."""
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
        "confusion": confusion.tolist(),
        "curves": [_curves_of(codes, probabilities, code) for code in range(n_classes)],
    }


def _measures(
    model: TreeClassifier, codes: NDArray[np.intp], predicted: NDArray[np.intp], probabilities: NDArray[np.float64]
) -> list[list[str | float | None]]:
    """Name, value, the same of base rates alone where that says something, and one sentence."""
    labels = np.arange(len(model.classes_))
    counts = model.tree_.counts[0]
    base = np.broadcast_to(counts / counts.sum(), probabilities.shape)
    is_two = len(labels) == 2
    area = evaluation.auc if is_two else evaluation.hand_till_auc
    ranked = "how often a row of the class is ranked above one of the other" + ("" if is_two else ", over all pairs")
    common = int(most_probable_codes(base[:1], None)[0])
    rows: list[tuple[str, float, float | None, str]] = [
        ("Accuracy", float((predicted == codes).mean()), float((codes == common).mean()), "share of right verdicts"),
        (
            "Log loss",
            -evaluation.log2_likelihood(codes, probabilities, labels),
            -evaluation.log2_likelihood(codes, base, labels),
            "bits of surprise a row; lower is better",
        ),
        (
            "Brier score",
            evaluation.brier(codes, probabilities, labels),
            evaluation.brier(codes, base, labels),
            "mean squared error of the probabilities; lower is better",
        ),
        ("AUC" if is_two else "AUC (Hand-Till)", area(codes, probabilities, labels), 0.5, ranked),
        (
            "Calibration error",
            evaluation.calibration_error(codes, probabilities, labels, n_bins=BINS),
            None,
            "mean distance of probability and frequency, of the most probable class",
        ),
    ]
    return [[name, _finite(value), None if of_base is None else _finite(of_base), text]
            for name, value, of_base, text in rows]  # fmt: skip


def _finite(value: float) -> float | None:
    """A number that JSON can hold; None where a measure is infinite or not defined."""
    return round(value, DIGITS) if math.isfinite(value) else None


def _curves_of(codes: NDArray[np.intp], probabilities: NDArray[np.float64], code: int) -> Record | None:
    """The curves of a class; None where it does not occur, or nothing else does."""
    is_true = codes == code
    if not 0 < is_true.sum() < len(is_true):
        return None
    labels = np.arange(probabilities.shape[1])
    error = evaluation.calibration_error(codes, probabilities, labels, of_class=code, n_bins=BINS)
    both = np.column_stack([1 - probabilities[:, code], probabilities[:, code]])
    return {
        **tell_curves(probabilities[:, code], is_true),
        "auc": round(evaluation.auc(is_true, both, [False, True]), DIGITS),
        "calibration_error": round(error, DIGITS),
    }
