"""The first pass: of each column its categories, or where it may be cut; and the classes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from petree.partitions.coding.findings import Findings, NumberFindings, TargetFindings, findings_of
from petree.partitions.coding.plan import Plan
from petree.partitions.coding.settings import Coding
from petree.partitions.coding.values import ArrowArray, numbers_of
from petree.partitions.reading.pieces import Piece, RecordBatch, Supply
from petree.partitions.watching import steps
from petree.sources.coding import BinnedColumn
from petree.threads import Threads

# Memory of the cells of a column while some are joined, and of a value while it is looked at.
SKETCH_BYTES = 2**22
VALUE_BYTES = 64
FEWEST_ROWS = 2**12
MOST_ROWS = 2**20

Look = Callable[[ArrowArray, NDArray[np.float64] | None], None]


def find_plan(supply: Supply, target: str, coding: Coding, source: str) -> Plan:
    """Look at all rows once, and at the values of columns whose cells hold too much once more.

    So many columns are looked at together that their cells take half of the memory at most; of those that are done,
    only the cuts are kept.
    """
    names = coding.chosen(supply, target)
    labels = TargetFindings(target)
    waiting: list[Findings] = [
        findings_of(name, supply.schema.field(name).type, coding.types.get(name)) for name in names
    ]
    most = max(coding.n_bytes // 2 // SKETCH_BYTES - 1, 1)
    columns: list[BinnedColumn] = []
    while waiting:
        some = waiting[:most]
        waiting = waiting[most:]
        first = [] if columns else [(target, labels.add)]
        _look_at(supply, coding, [*first, *((one.name, one.add) for one in some)])
        labels.check()
        _refine(supply, coding, [one for one in some if isinstance(one, NumberFindings)])
        columns += [one.binned(coding.rule) for one in some]
    return Plan(target, coding.weights, tuple(columns), labels.classes(), source)


def _refine(supply: Supply, coding: Coding, found: Sequence[NumberFindings]) -> None:
    """Divide cells that hold too much, until there is none; nearly always there is none to begin with."""
    while coarse := [one for one in found if one.sketch.is_coarse().any()]:
        _look_at(supply, coding, [(one.name, one.refine) for one in coarse])
        for one in coarse:
            one.settle()


def _look_at(supply: Supply, coding: Coding, looks: Sequence[tuple[str, Look]]) -> None:
    """Show the values of each column to what looks at them, columns side by side where there are threads."""
    names = [name for name, _ in looks]
    needed = names if coding.weights is None else [*names, coding.weights]
    n_rows = rows_at_once(len(needed), coding.n_bytes)
    for piece in steps("Looking at the data", supply.pieces):
        for batch in piece.batches(needed, n_rows):
            with of_piece(piece):
                batch, weights = weighed(batch, coding.weights)
                _show(batch, weights, looks, coding.threads)


def _show(
    batch: RecordBatch, weights: NDArray[np.float64] | None, looks: Sequence[tuple[str, Look]], threads: Threads
) -> None:
    def show(name: str, look: Look) -> None:
        look(batch.column(name), weights)

    if batch.num_rows:
        threads.run(show, looks)


def rows_at_once(n_columns: int, n_bytes: int) -> int:
    """Rows whose values a quarter of the memory holds."""
    return int(np.clip(n_bytes // 4 // (VALUE_BYTES * n_columns), FEWEST_ROWS, MOST_ROWS))


@contextmanager
def of_piece(piece: Piece) -> Iterator[None]:
    """Name the piece in what is wrong with its values."""
    try:
        yield
    except (ValueError, TypeError) as error:
        raise type(error)(f"{piece.name}: {error}") from error


def weighed(batch: RecordBatch, name: str | None) -> tuple[RecordBatch, NDArray[np.float64] | None]:
    """The rows that have a weight, and the weights."""
    if name is None:
        return batch, None
    weights = numbers_of(name, batch.column(name))
    is_bad = ~(np.isfinite(weights) & (weights >= 0))
    if is_bad.any():
        row = int(np.argmax(is_bad))
        raise ValueError(f"The weight {name!r} must be finite and not negative, but there is {weights[row]}.")
    if weights.all():
        return batch, weights
    import pyarrow

    return batch.filter(pyarrow.array(weights > 0)), weights[weights > 0]
