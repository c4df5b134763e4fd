"""Which rows of a data set are a sample: one of each run of so many neighbours.

The run decides by a hash of its number, counted through all parts, so that the sample depends neither on where the data
are cut nor on who counts them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree.keys import combine_keys, root_key
from petree.partitions.counting import Gathered, Layout
from petree.partitions.engines.base import Part, Working

# Most rows of a sample. Whatever memory there is, it is the same one, and so is the tree.
SAMPLE_ROWS = 2**20
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
class DrawRows:
    """A task: the rows that are drawn from each part, as far as they count at all."""

    layout: Layout
    drawing: Drawing

    def __call__(self, part: Part, working: Working) -> tuple[Gathered, ...]:
        rows = part.reader.read()
        which = self.drawing.places(part.first_row, len(rows))
        return (self.layout.gathered(part, rows, which, np.zeros(len(which), np.int32)),)

    def join(self, one: tuple[Gathered, ...], other: tuple[Gathered, ...]) -> tuple[Gathered, ...]:
        return one + other
