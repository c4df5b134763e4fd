"""The values of a column in cells: enough to find quantiles, whatever the order and the parts in which values come.

The compiled core says which cells there are (`core/tables/cells.hpp`). Up to `MOST_CELLS` different values each has a
cell of its own, and quantiles are exact. Where there are more, a cell that holds more than `RANK_ERROR` of the weight
is divided by looking at its values once more, so that no cut is further than that from its quantile.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.binning import Exact, cuts_between
from petree.columns.moments import round_between
from petree.sources.coding import Binning, centres_between

Floats = NDArray[np.float64]

# Cells of a column: 1.5 MB.
MOST_CELLS = 65_536
# The largest share of the weight in a cell of several values: an eighth of a bin, where there are 255 bins.
RANK_ERROR = 1 / 2048
NO_WEIGHTS = np.empty(0)


@dataclass(frozen=True, eq=False)
class Sketch:
    """Values in cells.

    Parameters
    ----------
    left_out : int
        How many of the last bits of the values their cells do not tell apart.
    cells : array (cells, 3)
        Weight, least and greatest value of each cell, ascending.
    """

    left_out: int
    cells: Floats

    @classmethod
    def empty(cls) -> Sketch:
        return cls(0, np.empty((0, 3)))

    def with_values(self, values: Floats, weights: Floats | None) -> Sketch:
        """The same with more values, none of them missing."""
        given = NO_WEIGHTS if weights is None else weights
        return self.merged(Sketch(*core.tables.cells_of(values, given, self.left_out, MOST_CELLS)))

    def merged(self, other: Sketch) -> Sketch:
        """The sketch of the values of both; which of them comes first does not matter."""
        # Dask lays arrays into memory as they come, where compiled loops cannot read them
        mine = np.require(self.cells, requirements=("C", "A"))
        others = np.require(other.cells, requirements=("C", "A"))
        joined = core.tables.join_cells(mine, self.left_out, others, other.left_out, MOST_CELLS)
        return Sketch(*joined)

    @property
    def weights(self) -> Floats:
        return np.ascontiguousarray(self.cells[:, 0])

    @property
    def lows(self) -> Floats:
        return np.ascontiguousarray(self.cells[:, 1])

    @property
    def highs(self) -> Floats:
        return np.ascontiguousarray(self.cells[:, 2])

    # -- cells that hold too much ---------------------------------------------------------------------------------

    def is_coarse(self) -> NDArray[np.bool_]:
        """Which cells have several values and more weight than the rank error allows."""
        return (self.highs > self.lows) & (self.weights > RANK_ERROR * self.weights.sum())

    def in_coarse(self, values: Floats) -> NDArray[np.bool_]:
        """Which values lie in such cells."""
        coarse = self.cells[self.is_coarse()]
        places = np.searchsorted(coarse[:, 1], values, side="right") - 1
        return (places >= 0) & (values <= coarse[places, 2])

    def refined(self, finer: Sketch) -> Sketch:
        """The same with the cells of `finer`, which has the values of the coarse cells alone, in their place."""
        cells = np.concatenate((self.cells[~self.is_coarse()], finer.cells))
        return Sketch(self.left_out, np.ascontiguousarray(cells[np.argsort(cells[:, 1])]))

    # -- cuts -----------------------------------------------------------------------------------------------------

    def cuts(self, name: str, binning: Binning, is_moment: bool) -> Floats:
        """Where the column may be cut: between the values on either side, as short as can be."""
        if not len(self.cells):
            return np.empty(0)
        if isinstance(binning, Exact) and (self.highs > self.lows).any():
            raise ValueError(
                f"Column {name!r} has more than {MOST_CELLS} different values, too many to cut between all of them; "
                "set binning='quantile'."
            )
        no_classes = np.zeros(len(self.cells), np.intp)
        cuts = np.ascontiguousarray(binning.thresholds(self.lows, no_classes, self.weights, 1), np.float64)
        cuts = self._between_cells(cuts)
        if is_moment:
            return np.unique(round_between(cuts, self.cells[:, 1:].ravel()))
        return cuts

    def centres(self, cuts: Floats) -> Floats:
        """The middle of the least and the greatest value of each bin between these cuts."""
        bins = np.searchsorted(cuts, self.lows, "right")
        lowest, highest = np.full(len(cuts) + 1, np.inf), np.full(len(cuts) + 1, -np.inf)
        np.minimum.at(lowest, bins, self.lows)
        np.maximum.at(highest, bins, self.highs)
        return centres_between(cuts, lowest, highest)

    def _between_cells(self, cuts: Floats) -> Floats:
        """Cuts that were chosen between the least values of cells, behind all values of the cell below."""
        places = np.searchsorted(self.lows, cuts)
        below = self.highs[np.maximum(places - 1, 0)]
        is_inside = (places > 0) & (places < len(self.cells)) & (below >= cuts)
        moved = cuts.copy()
        moved[is_inside] = cuts_between(below[is_inside], self.lows[places[is_inside]])
        return moved
