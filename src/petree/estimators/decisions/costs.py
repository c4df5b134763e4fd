"""What answers cost."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from reprlib import repr as short
from sys import float_info
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from petree.inputs import is_frame
from petree.inputs.target import refuse_unknown_classes
from petree.inputs.values import refuse_masked

# By true class and answered class: an array in the order of the classes, or names.
Costs: TypeAlias = "ArrayLike | Mapping[Any, Mapping[Any, float]]"


def read_costs(costs: Costs, classes: NDArray[Any]) -> NDArray[np.float64]:
    """What each answer (column) costs where each class is true (row), checked."""
    labels = classes.tolist()
    matrix = _of_names(costs, labels) if isinstance(costs, Mapping) else _of_array(costs, len(labels))
    for true, answer in np.argwhere(~(np.isfinite(matrix) & (matrix >= 0)))[:1].tolist():
        raise ValueError(
            f"costs must be finite and not negative; to answer {labels[answer]!r} where {labels[true]!r} is true costs "
            f"{matrix[true, answer]}. Add the same number to all costs of a true class where one of them is a gain."
        )
    return matrix


def _of_array(costs: ArrayLike, n_classes: int) -> NDArray[np.float64]:
    if is_frame(costs):
        raise TypeError(
            "costs must be an array in the order of classes_, or a dict {true class: {answered class: cost}}. A data "
            "frame may stand in another order; one of pandas with names on both sides is a dict by "
            "frame.to_dict('index')."
        )
    refuse_masked("costs", costs)
    try:
        matrix = np.asarray(costs, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"costs must be numbers by class, or a dict of dicts of them. Got {short(costs)}.") from None
    if matrix.shape != (n_classes, n_classes):
        raise ValueError(
            f"costs must have a row for each true class and a column for each answer, in the order of classes_: shape "
            f"{(n_classes, n_classes)}, got {matrix.shape}."
        )
    return matrix


def _of_names(costs: Mapping[Any, Any], labels: list[Any]) -> NDArray[np.float64]:
    """A left-out right answer costs 0; any other pair has to be there."""
    refuse_unknown_classes("costs", costs, labels)
    matrix = np.zeros((len(labels), len(labels)))
    for row, true in enumerate(labels):
        own = costs.get(true, {})
        if not isinstance(own, Mapping):
            raise ValueError(f"costs of the true class {true!r} must be a dict of answers. Got {short(own)} instead.")
        refuse_unknown_classes(f"costs of the true class {true!r}", own, labels)
        matrix[row] = [_cost(own, true, answer) for answer in labels]
    return matrix


def _cost(own: Mapping[Any, Any], true: Any, answer: Any) -> float:
    if answer not in own and answer == true:
        return 0.0
    if answer not in own:
        raise ValueError(f"costs does not say what it costs to answer {answer!r} where {true!r} is true; add it.")
    if not isinstance(own[answer], Real) or abs(own[answer]) > float_info.max:
        raise ValueError(
            f"To answer {answer!r} where {true!r} is true must cost a finite number. Got {short(own[answer])}."
        )
    return float(own[answer])
