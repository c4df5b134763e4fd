"""Class labels and weights."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from numbers import Integral, Real
from reprlib import repr as short
from sys import float_info
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from petree.inputs.types import ClassWeight, LabelsLike
from petree.inputs.values import LARGEST_WHOLE, plain_objects, refuse_masked, series_of

MOST_CLASSES = int(np.iinfo(np.uint16).max)
# Whole weights are copies of rows as long as there are fewer of them.
MOST_COPIES = 2**31
# Labels that a sentence lists at most.
MOST_LISTED = 10
# What to do about weights of classes that are not there.
ENCODED = (
    " Some estimators that fit others, such as VotingClassifier, hand over codes in place of labels: name what y has. "
    "A class without rows in y can be declared by fit(..., classes=...)."
)


def read_target(y: LabelsLike | None, n_rows: int) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Class labels, sorted, and the code of each row."""
    if y is None:
        raise ValueError("fit requires y to be passed, but the target y is None.")
    labels = _labels(y)
    if len(labels) != n_rows:
        raise ValueError(f"X has {n_rows} rows, but y has {len(labels)}: found inconsistent numbers of samples.")
    classes, codes = _classes_and_codes(labels)
    if labels.dtype.kind not in "biu" or 2 * len(classes) >= n_rows:  # few whole numbers are classes without a doubt
        from sklearn.utils.multiclass import check_classification_targets  # here, since workers need no labels

        check_classification_targets(labels)
    if len(classes) > MOST_CLASSES:
        raise ValueError(f"y has {len(classes)} classes; petree takes at most {MOST_CLASSES}.")
    return classes, codes.astype(np.intp)


def check_no_amounts(target: str, labels: NDArray[Any], place_of: Callable[[int], str]) -> None:
    """Refuse labels that a table holds if they are numbers with fractions; `place_of` a row is what people call it."""
    if labels.dtype.kind != "f":
        return
    is_whole = (labels == np.rint(labels)) & (np.abs(labels) < LARGEST_WHOLE)
    for row in np.flatnonzero(~is_whole)[:1].tolist():
        raise ValueError(
            f"The target {target!r} must hold classes, but {place_of(row)} has {labels[row]}; petree learns classes, "
            "not amounts: make ranges of them, such as low and high."
        )


class UndeclaredClassError(ValueError):
    """A row has a class that is none of the declared ones."""

    def __init__(self, label: object) -> None:
        super().__init__(f"y has the class {label!r}, which classes does not name; add it there.")
        self.label = label


def declare_classes(
    declared: ArrayLike, classes: NDArray[Any], codes: NDArray[np.intp]
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """All classes of the problem, sorted, and the code of each row among them."""
    every, repeats = np.unique(_labels(declared), return_counts=True)
    if (repeats > 1).any():
        raise ValueError(f"classes names {every[repeats > 1].tolist()[0]!r} more than once; name every class once.")
    places = {label: place for place, label in enumerate(every.tolist())}
    for label in classes.tolist():
        if label not in places:
            raise UndeclaredClassError(label)
    return every, np.array([places[label] for label in classes.tolist()], np.intp)[codes]


def _classes_and_codes(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Distinct labels, sorted, and the place of each label among them; small whole numbers need no sorting."""
    if labels.dtype.kind in "UO" and set(map(type, values := labels.tolist())) == {str}:
        return _texts_and_codes(values, labels.dtype)
    if labels.dtype.kind not in "iu" or not len(labels):
        return np.unique(labels, return_inverse=True)
    lowest = labels.min()
    if int(labels.max()) - int(lowest) > MOST_CLASSES:
        return np.unique(labels, return_inverse=True)
    offsets = np.subtract(labels, lowest, dtype=np.int64 if labels.dtype.kind == "i" else np.uint64).astype(np.intp)
    present = np.flatnonzero(np.bincount(offsets))
    place = np.zeros(present[-1] + 1, np.intp)
    place[present] = np.arange(len(present))
    return lowest + present.astype(labels.dtype), place[offsets]


def _texts_and_codes(texts: list[str], dtype: np.dtype[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """The same of texts, which are sorted when each stands there once."""
    distinct = sorted(set(texts))
    places = {text: place for place, text in enumerate(distinct)}
    return np.array(distinct, dtype), np.fromiter(map(places.__getitem__, texts), np.intp, len(texts))


def _labels(y: LabelsLike) -> NDArray[Any]:
    """Labels as an array of one type without missing ones."""
    if type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biu":
        return y
    refuse_masked("y", y)
    if (series := series_of(y)) is not None:
        labels = np.array(series.to_list(), object)
    else:
        array = y if hasattr(y, "dtype") else _as_array(y)
        if np.asarray(array).dtype.kind == "c":
            raise ValueError(
                "Complex data not supported: y is complex; pass class labels, such as text or whole numbers."
            )
        from sklearn.utils.validation import column_or_1d

        labels = np.asarray(column_or_1d(array, warn=True))
    if labels.dtype.kind in "OT":
        return _plain_labels(labels.tolist())
    if labels.dtype.kind in "mM" and len(labels):
        raise _no_label(labels[0], 0)
    if labels.dtype.kind == "f":
        with np.errstate(over="ignore"):
            short = labels.astype(np.float64) if labels.dtype.itemsize > 8 else labels
        _refuse_missing(~np.isfinite(short), labels)
        return short
    return labels


def _as_array(y: LabelsLike) -> NDArray[Any]:
    """A sequence as an array; where numpy would turn numbers or None into text, the objects as they are."""
    array = np.asarray(y)
    return np.asarray(y, object) if array.dtype.kind in "US" else array


def _plain_labels(values: list[Any]) -> NDArray[Any]:
    values, kinds = plain_objects(values)
    _refuse_missing(np.array([value is None or value != value for value in values], bool), values)
    if all(issubclass(kind, str) for kind in kinds):
        return np.array(values, object)
    if any(issubclass(kind, str) for kind in kinds):
        names = ", ".join(sorted(kind.__name__ for kind in kinds))
        raise TypeError(f"y mixes labels of types {names}; make them all of one type.")
    if all(issubclass(kind, (bool, np.bool_)) for kind in kinds):
        return np.array(values, bool)
    if all(issubclass(kind, Integral) for kind in kinds):
        return _whole_labels(values)
    if all(issubclass(kind, (Real, Decimal)) for kind in kinds):
        return np.array(values, np.float64)
    row = next(row for row, value in enumerate(values) if not isinstance(value, (Real, Decimal)))
    raise _no_label(values[row], row)


def _no_label(value: object, row: int) -> ValueError:
    """What to say of dates and other values that are no class labels: few people mean to predict each by itself."""
    return ValueError(
        f"y has {short(str(value))} in row {row}, of type {type(value).__name__}, but class labels are text, numbers "
        "or booleans; make classes of such values, such as the months of dates, or pass them as text if each of them "
        "is a class, such as by y.astype(str)."
    )


def _whole_labels(values: list[Any]) -> NDArray[Any]:
    try:
        return np.array(values, np.int64)
    except OverflowError:
        large = max(values, key=abs)
        row = values.index(large)
        raise ValueError(f"y has a label of {large.bit_length()} bits in row {row}; pass the labels as text.") from None


def _refuse_missing(is_bad: NDArray[np.bool_], labels: Sequence[Any] | NDArray[Any]) -> None:
    if is_bad.any():
        row = int(np.argmax(is_bad))
        raise ValueError(
            f"y has a missing or infinite label ({labels[row]}) in row {row}: Input y contains NaN or infinity."
        )


def read_weights(sample_weight: ArrayLike | None, n_rows: int) -> NDArray[np.float64] | None:
    """Row weights, checked."""
    if sample_weight is None:
        return None
    refuse_masked("sample_weight", sample_weight)
    try:
        with np.errstate(over="ignore"):  # what is too large for float64 is infinite, and refused below
            weights = np.asarray(sample_weight, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError("sample_weight must be one number a row.") from None
    if weights.ndim == 0:
        weights = np.full(n_rows, float(weights))
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight must be one number a row: shape ({n_rows},), got {weights.shape}.")
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(f"sample_weight must be finite and not negative; row {row} has {weights[row]}.")
    with np.errstate(over="ignore"):
        if weights.sum() > LARGEST_WHOLE:
            raise ValueError(
                f"sample_weight sums to {weights.sum():.3g}, beyond 2**53, where counts are no longer exact; "
                "divide the weights by a constant."
            )
    if weights.sum() >= MOST_COPIES and is_whole(weights):
        warnings.warn(
            f"sample_weight sums to {weights.sum():.3g}: from 2**31 on whole weights are not copies of rows, and a row "
            "is one row where rows are counted and permuted; divide the weights by a constant to have copies.",
            stacklevel=5,
        )
    if not weights.any():
        raise ValueError("sample_weight is zero for every row, so there is nothing to learn from.")
    return weights


def is_whole(weights: NDArray[np.float64]) -> bool:
    return bool((weights == np.rint(weights)).all())


def class_weights(
    class_weight: ClassWeight, classes: NDArray[Any], counts: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    """Factor of each class, in the order of `classes`; "balanced" makes all classes weigh the same.

    A class that a dict does not name weighs 1, as in scikit-learn; a name that is no class is refused.

    Only their ratios count: all cases together weigh what they did, so that no test takes them for more than they are.
    """
    if class_weight is None:
        return None
    if isinstance(class_weight, str) and class_weight == "balanced":
        n_present = np.count_nonzero(counts)  # a class without rows has nothing to weigh
        return np.divide(counts.sum(), n_present * counts, out=np.ones(len(counts)), where=counts > 0)
    if not isinstance(class_weight, Mapping):
        raise ValueError(
            f"The 'class_weight' parameter must be None, 'balanced' or a dict of weights. Got {class_weight!r} instead."
        )
    labels = classes.tolist()
    refuse_unknown_classes("class_weight", class_weight, labels, ENCODED)
    for label, weight in class_weight.items():
        if not (isinstance(weight, Real) and _is_positive(weight)):
            raise ValueError(f"class_weight of class {label!r} must be a positive number, got {short(weight)}.")
    factors = np.array([float(class_weight.get(label, 1.0)) for label in labels])
    factors /= factors.max()  # so that no sum overflows
    total = factors @ counts
    if not total > 0 or not np.isfinite(counts.sum() / total):
        raise ValueError("class_weight and sample_weight together leave no weight that can be counted; scale them up.")
    return factors * (counts.sum() / total)


def refuse_unknown_classes(what: str, names: Iterable[Any], labels: Sequence[Any], advice: str = "") -> None:
    """Raise for a name that is none of the classes; `what` has the names."""
    named = list(names)
    known = set(labels)
    unknown = [name for name in named if name not in known]
    if unknown:
        raise ValueError(
            f"{what} names the classes {_listed(named)}, of which there is no {_listed(unknown)}; the classes are "
            f"{_listed(labels)}.{advice}"
        )


def _listed(labels: Sequence[Any]) -> str:
    """Labels for a sentence, of many the first few."""
    shown = ", ".join(repr(label) for label in labels[:MOST_LISTED])
    return shown if len(labels) <= MOST_LISTED else f"{shown} and {len(labels) - MOST_LISTED} more"


def _is_positive(number: float) -> bool:
    """Whether a number is above 0 and no larger than a float can be."""
    return bool(0 < number <= float_info.max)
