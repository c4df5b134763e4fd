"""Which rows of a data set are a sample: one of each run of so many neighbours.

The run decides by a hash of its number, counted through all parts, so that the sample depends neither on where the data
are cut nor on who counts them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from petree.keys import combine_keys, root_key
from petree.partitions.counting import Gathered, Layout, taken
from petree.partitions.engines.base import Part, Working
from petree.partitions.sampled.counting import amounts_at
from petree.sources.coding import BinnedColumn

# Most rows of a sample. Whatever memory there is, it is the same one, and so is the tree.
SAMPLE_ROWS = 2**20
# Rows that are compared at a time.
TOGETHER = 64
# Tells draws of samples from those of folds, which are of numbers, too.
OF_SAMPLES = np.array([0x73616D706C65], np.uint64)


@dataclass(frozen=True)
class Drawing:
    """How rows are drawn: one of each run of so many."""

    run: int
    seed: int

    @classmethod
    def of(cls, n_rows: int, seed: int) -> Drawing:
        """From so many rows no more than fit in a sample."""
        return cls(max(-(-n_rows // SAMPLE_ROWS), 1), seed)

    def places(self, first_row: int, n_rows: int) -> NDArray[np.intp]:
        """Which of some neighbouring rows are drawn, where the first one has this number; of no rows none."""
        runs = np.arange(first_row // self.run, -(-(first_row + n_rows) // self.run), dtype=np.uint64)
        draws = combine_keys(combine_keys(root_key(self.seed), OF_SAMPLES), runs) % np.uint64(self.run)
        places = (runs * np.uint64(self.run) + draws).astype(np.intp) - first_row
        return places[(places >= 0) & (places < n_rows)]


@dataclass(frozen=True, eq=False)
class Drawn:
    """Rows of a sample, what all rows amount to, and by place whether any value is missing, and any known."""

    pieces: tuple[Gathered, ...]
    amounts: NDArray[np.int64]
    has_missing: NDArray[np.bool_]
    has_known: NDArray[np.bool_]

    def among(self, columns: tuple[BinnedColumn, ...], places: NDArray[np.intp]) -> tuple[BinnedColumn, ...]:
        """Columns as the rows that count have them."""
        has_missing = self.has_missing[places].tolist()
        is_empty = (~self.has_known[places]).tolist()
        changed = zip(columns, has_missing, is_empty, strict=True)
        return tuple(column._replace(has_missing=missing, is_empty=empty) for column, missing, empty in changed)


@dataclass(frozen=True, eq=False)
class DrawRows:
    """A task: the rows that are drawn from each part, as far as they count, and what a look at all rows tells."""

    is_joined_here: ClassVar[bool] = True

    layout: Layout
    drawing: Drawing

    def __call__(self, part: Part, working: Working) -> Drawn:
        rows = part.read()
        which = self.drawing.places(part.first_row, len(rows))
        piece = self.layout.gathered(part, rows, which, np.zeros(len(which), np.int32))
        copies = self.layout.copies(part, rows.weights, np.arange(len(rows)))
        amounts = amounts_at(self.layout, rows, np.zeros(len(rows), np.int32), 1, copies)
        some = rows if not len(copies) or copies.all() else taken(rows, np.flatnonzero(copies))
        lowest = np.append(_ends(some.narrow, np.min), _ends(some.wide, np.min))
        highest = np.append(_ends(some.narrow, np.max), _ends(some.wide, np.max))
        missing = self.layout.columns.n_bins
        return Drawn((piece,), amounts, highest == missing, (lowest < missing) & (highest >= 0))

    def join(self, one: Drawn, other: Drawn) -> Drawn:
        return Drawn(
            one.pieces + other.pieces,
            one.amounts + other.amounts,
            one.has_missing | other.has_missing,
            one.has_known | other.has_known,
        )


def _ends(codes: NDArray[Any], end: Callable[..., NDArray[Any]]) -> NDArray[np.int64]:
    """The least or greatest code of each column; -1 where there are no rows."""
    n_rows, n_columns = codes.shape
    if not codes.size:
        return np.full(n_columns, -1)
    # many rows side by side, since numpy is slow at short lines
    n_lines = n_rows // TOGETHER
    lines = codes[: n_lines * TOGETHER].reshape(n_lines, TOGETHER * n_columns)
    of_lines = end(lines, axis=0).reshape(TOGETHER, n_columns) if n_lines else codes[:0]
    return end(np.concatenate((of_lines, codes[n_lines * TOGETHER :])), axis=0).astype(np.int64)
