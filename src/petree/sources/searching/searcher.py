"""What all ways to search have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.sources.base import Candidates, Finished, Limits, Nodes, Splits
from petree.sources.found import Best
from petree.sources.rows import ColumnCodes, Rows
from petree.sources.searching.blocks import list_candidates
from petree.sources.searching.scoring import Scoring
from petree.threads import Threads
from petree.tree import Tree

# Places of some nodes, and the best tests of these among some columns.
Piece = tuple[NDArray[np.intp], Best]


class Searcher(ABC):
    """A way to search: it knows how tests are scored, and is told the rows."""

    def __init__(self, scoring: Scoring) -> None:
        self.scoring = scoring

    @abstractmethod
    def find(self, rows: Rows, nodes: Nodes, threads: Threads) -> Iterator[Piece]:
        """Best tests of the nodes, piece by piece: of some nodes, among some columns or all."""

    @abstractmethod
    def best_in_column(self, rows: Rows, nodes: Nodes, column: int, threads: Threads) -> Best:
        """The best test of one of the user's columns at each node."""

    @abstractmethod
    def scored_by(self, scoring: Scoring) -> Searcher:
        """The same search by the same score, under other rules."""

    def leaving(self, min_samples_leaf: int) -> Searcher:
        """The same search with another least number of rows in a child."""
        return self.scored_by(replace(self.scoring, min_samples_leaf=min_samples_leaf))

    def best_by_column(self, rows: Rows, nodes: Nodes, threads: Threads) -> list[Best]:
        """The best test of each column at each node, columns in the user's order.

        A ratio goes by the mean over all columns of a node, so where tests are chosen by one, these are the best by the
        score that it divides.
        """
        columns = [(column,) for column in range(len(rows.columns))]
        return threads.run(lambda column: self.best_in_column(rows, nodes, column, threads), columns)

    def best_splits(self, rows: Rows, nodes: Nodes, threads: Threads) -> Splits:
        """The best test of each node that has any."""
        pieces = list(self.find(rows, nodes, threads))
        best = pieces[0][1] if len(pieces) == 1 else Best.none(len(nodes))
        for which, found in pieces if len(pieces) > 1 else []:
            best.merge(which, found)
        node = np.flatnonzero(best.test["column"] >= 0)
        return Splits(node, self.scoring.score_of(best.value[node], nodes.counts[node]), best.test[node])

    def candidates(self, rows: Rows, nodes: Nodes, threads: Threads) -> Iterator[Candidates]:
        """All tests that divide the nodes, some nodes at a time."""
        return list_candidates(rows, self.scoring, nodes, threads.stop)

    # -- what only some ways have -------------------------------------------------------------------------

    def on_known(self) -> Searcher:
        """The same search where a test is worth what it gains among the rows whose value it asks for is known."""
        raise ValueError(
            f"The split score {self.scoring.split!r} weighs the values of all rows, also missing ones; set "
            "missing='branch', or choose another score, such as 'gain'."
        )

    def finish(self, rows: Rows, nodes: Nodes, limits: Limits, threads: Threads) -> Finished | None:
        """All that grows below the nodes where there is a loop for it, else None."""
        return None

    def gain_search(self, columns: ColumnCodes) -> core.search.Search | None:
        """The compiled search where it is by gain, of whole counts and of binary tests that do not look at classes."""
        return None

    def annotate(self, rows: Rows, tree: Tree, nodes: Nodes, threads: Threads) -> Tree:
        """A tree, and its nodes, with what is known of its splits beyond their scores."""
        return tree
