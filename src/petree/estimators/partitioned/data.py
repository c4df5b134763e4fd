"""A data set in parts as an estimator learns from it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.estimators.learning.cases import Cases
from petree.inputs import class_weights
from petree.inputs.types import ClassWeight
from petree.partitions.budget import write_memory
from petree.partitions.counting import taken
from petree.partitions.decoding import coded_table, decoded
from petree.partitions.engines import chosen
from petree.partitions.partition import CodedData, Partition


def check_data(data: CodedData) -> None:
    """Refuse what nothing can be learned from, before anything is read."""
    if not data.n_rows:
        raise ValueError("The data set has no rows; give one that has any.")
    if not len(data.columns):
        raise ValueError("The data set has no columns but the target; give one that has any.")
    if np.count_nonzero(data.class_totals) < 2:
        labels = data.classes[data.class_totals > 0].tolist()
        raise ValueError(f"The target has only one class, {labels}; at least two classes are needed to learn.")


def bytes_in_memory(data: CodedData) -> int:
    """What learning from all rows in memory takes: their codes twice, a value for each, and what goes with them."""
    n_wide = sum(column.is_wide for column in data.columns)
    a_row = 2 * (len(data.columns) + 3 * n_wide) + 8 * len(data.columns) + 50
    return data.n_rows * a_row


def refuse_more_than_memory(data: CodedData, who: str) -> None:
    """Raise where a learner needs all rows in memory, and these take more than is allowed."""
    needed = bytes_in_memory(data)
    if needed > chosen().memory:
        raise ValueError(
            f"{who} learns from rows in memory, where these {data.n_rows:,} take {write_memory(needed)}, and "
            f"{write_memory(chosen().memory)} are allowed; allow more by petree.partitions.use(memory=...), on the "
            "command line by --memory, or learn a single tree from them (ProbabilityTreeClassifier)."
        )


def cases_in_memory(data: CodedData, class_weight: ClassWeight) -> Cases:
    """All rows as cases, with one value of each bin in place of the user's own."""
    part = data.whole()
    numbers = np.arange(len(part), dtype=np.uint64)
    if part.weights is not None and not part.weights.all():
        which = np.flatnonzero(part.weights)
        part = taken(part, which)
        numbers = numbers[which]
    factors = class_weights(class_weight, data.classes, data.class_totals)
    return cases_of(part, data, factors, part.weights, numbers)


def cases_of(
    part: Partition,
    data: CodedData,
    factors: NDArray[np.float64] | None,
    weights: NDArray[np.float64] | None,
    numbers: NDArray[np.uint64] | None = None,
) -> Cases:
    """Some rows as cases of these weights."""
    table = decoded(part, data.columns)
    codes = part.classes.astype(np.intp)
    coded = coded_table(part, data.columns)
    return Cases(table, data.classes, codes, weights, factors, codes_of_whole=coded, numbers=numbers)
