"""Search in a growing sample of the rows of a node (Buntine 1992, section 3; Breiman et al. 1984; Catlett 1991).

On the sample the best tests of all columns are compared. Where the best of them is so many times more probable than the
best one of any other column, its column is chosen, or else the sample is doubled. Which test of the column it is, all
rows of the node decide. A node for which an eighth of its rows is not enough is searched as if there were no samples.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.sources.base import Finished, Limits, Nodes
from petree.sources.found import Best
from petree.sources.rows import ColumnCodes, Rows, n_rows_of
from petree.sources.searching.leading import Lead, Tried
from petree.sources.searching.scoring import Scoring
from petree.sources.searching.searcher import Piece, Searcher
from petree.threads import Threads
from petree.tree import Tree

# A sample of a node begins with at least so many of its rows, in the mean.
LEAST_SAMPLE = 4096
# The largest sample of a node is all of its rows, so many times halved: a larger one costs more than it may spare.
LAST_BAND = 3


class BySample(Searcher):
    """Another searcher, which looks at columns that a sample has chosen.

    Parameters
    ----------
    searcher : Searcher
        What searches samples, and all rows of the nodes.
    bands : array (rows,)
        Of each row of the table how often its sample is half of a larger one: rows of at least band k are one of 2^k.
    lead : Lead
    """

    def __init__(self, searcher: Searcher, bands: NDArray[np.uint8], lead: Lead) -> None:
        super().__init__(searcher.scoring)
        self._searcher = searcher
        self._bands = bands
        self._lead = lead

    def find(self, rows: Rows, nodes: Nodes, threads: Threads) -> Iterator[Piece]:
        columns = self._chosen_columns(rows, nodes, threads)
        for column in np.unique(columns[columns >= 0]).tolist():
            which = np.flatnonzero(columns == column)
            best = self.best_in_column(rows, nodes.take(which), column, threads)
            columns[which[best.test["column"] < 0]] = -1  # too few rows on either side
            yield which, best
        rest = np.flatnonzero(columns < 0)
        if len(rest):
            for which, best in self._searcher.find(rows, nodes.take(rest), threads):
                yield rest[which], best

    def _chosen_columns(self, rows: Rows, nodes: Nodes, threads: Threads) -> NDArray[np.intp]:
        """The column of each node's test, or -1 where no sample decides."""
        columns = np.full(len(nodes), -1)
        if len(rows) != len(self._bands):  # other rows than those of the table, such as permuted ones
            return columns
        first_bands = np.log2(np.maximum(n_rows_of(nodes.handles), 1) / LEAST_SAMPLE).astype(np.intp)
        for band in range(int(first_bands.max(initial=0)), LAST_BAND - 1, -1):
            which = np.flatnonzero((columns < 0) & (first_bands >= band))
            if len(which):
                columns[which] = self._decide(rows, nodes.take(which), band, threads)
        return columns

    def _decide(self, rows: Rows, nodes: Nodes, band: int, threads: Threads) -> NDArray[np.intp]:
        """The columns that the sample of rows of at least this band chooses; -1 where it does not."""
        n_sampled = np.empty(len(nodes), np.int64)
        slices = np.ascontiguousarray(nodes.handles)
        places = core.tables.list_sampled(rows.order, self._bands, slices, band, n_sampled, threads.stop)
        sample = rows.take(places)
        asked = _nodes_of(sample, n_sampled, nodes.allowed)
        least = max(1, self.scoring.min_samples_leaf >> band)
        tried = Tried.of(self._searcher.leaving(least).best_by_column(sample, asked, threads))
        return self._lead.decided(tried, sample, asked, threads)["column"]

    # -- what the other searcher does ---------------------------------------------------------------------

    def best_in_column(self, rows: Rows, nodes: Nodes, column: int, threads: Threads) -> Best:
        return self._searcher.best_in_column(rows, nodes, column, threads)

    def scored_by(self, scoring: Scoring) -> Searcher:
        return BySample(self._searcher.scored_by(scoring), self._bands, self._lead)

    def finish(self, rows: Rows, nodes: Nodes, limits: Limits, threads: Threads) -> Finished | None:
        return self._searcher.finish(rows, nodes, limits, threads)

    def gain_search(self, columns: ColumnCodes) -> core.search.Search | None:
        return self._searcher.gain_search(columns)

    def annotate(self, rows: Rows, tree: Tree, nodes: Nodes, threads: Threads) -> Tree:
        return self._searcher.annotate(rows, tree, nodes, threads)


def _nodes_of(sample: Rows, n_rows: NDArray[np.int64], allowed: NDArray[np.bool_] | None) -> Nodes:
    """The nodes of a sample whose rows stand one node's after the other's."""
    stops = np.cumsum(n_rows)
    handles = np.column_stack((stops - n_rows, stops))
    copies = sample.weights.copies
    sizes = np.add.reduceat(np.append(copies, 0), handles[:, 0], dtype=np.int64) if len(copies) else n_rows
    return Nodes(handles, sample.counts_of(handles), sizes, allowed)
