"""Search by Buntine's quality of a test, the evidence of the classes below it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.sources.base import Nodes
from petree.sources.found import TEST, Best, as_lines
from petree.sources.pieces import in_runs
from petree.sources.quality import Quality
from petree.sources.rows import Rows, n_rows_of
from petree.sources.searching.by_value import open_nodes
from petree.sources.searching.scoring import Scoring
from petree.sources.searching.searcher import Piece, Searcher
from petree.threads import Threads
from petree.tree import Tree

# Qualities that differ by no more than this are equal.
TOLERANCE = 1e-9


class ByEvidence(Searcher):
    """The test of greatest quality (Buntine 1992, section 3): what a cut costs is part of it, and noted in trees."""

    def __init__(self, scoring: Scoring, quality: Quality) -> None:
        super().__init__(scoring)
        self._quality = quality
        self._evidence = quality.evidence(slice(None), scoring.class_weight, scoring.min_samples_leaf)

    def find(self, rows: Rows, nodes: Nodes, threads: Threads) -> Iterator[Piece]:
        n_rows = n_rows_of(nodes.handles)
        pieces = [
            (which, first, last)
            for first, last in ((0, rows.n_narrow), (rows.n_narrow, len(rows.columns)))
            if last > first
            for which in in_runs(np.arange(len(nodes)), n_rows, last - first, threads)
        ]
        found = threads.run(lambda *piece: self._best(rows, nodes, threads, *piece)[0], pieces)
        yield from zip([which for which, _, _ in pieces], found, strict=True)

    def best_in_column(self, rows: Rows, nodes: Nodes, column: int, threads: Threads) -> Best:
        place = int(rows.columns.places[column])
        return self._best(rows, nodes, threads, np.arange(len(nodes)), place, place + 1)[0]

    def scored_by(self, scoring: Scoring) -> Searcher:
        return ByEvidence(scoring, self._quality)

    def _best(
        self, rows: Rows, nodes: Nodes, threads: Threads, which: NDArray[np.intp], first: int, last: int
    ) -> tuple[Best, NDArray[np.float64]]:
        """Best tests of some nodes among the columns at some places, all narrow or all wide; what their cuts cost."""
        values = np.empty((len(which), 2))
        tests = np.empty(len(which), TEST)
        core.search.best_by_evidence(
            self._evidence, rows.packed, open_nodes(nodes, which), first, last, values, as_lines(tests), threads.stop
        )
        return Best(values[:, 0], np.full(len(which), TOLERANCE), tests), values[:, 1]

    def annotate(self, rows: Rows, tree: Tree, nodes: Nodes, threads: Threads) -> Tree:
        """The tree with what the cuts of its nodes cost, and the number of tests where a number counts as one."""
        inner = np.flatnonzero(~tree.is_leaf)
        return self.noted(tree, self.cut_costs(rows, nodes.take(inner), tree.conditions.column, threads))

    def cut_costs(
        self, rows: Rows, nodes: Nodes, columns: NDArray[np.integer], threads: Threads
    ) -> NDArray[np.float64]:
        """What the cuts of nodes cost that test these columns."""
        cost = np.zeros(len(nodes))
        asked = [
            (np.flatnonzero(columns == column), int(rows.columns.places[column]))
            for column in np.unique(columns).tolist()
        ]
        found = threads.run(lambda which, place: self._best(rows, nodes, threads, which, place, place + 1)[1], asked)
        for (which, _), costs in zip(asked, found, strict=True):
            cost[which] = costs
        return cost

    def noted(self, tree: Tree, costs: NDArray[np.float64]) -> Tree:
        """A tree with what the cuts of its inner nodes cost, node after node."""
        penalties = np.zeros(tree.n_nodes)
        penalties[~tree.is_leaf] = costs
        n_tests = np.full(tree.n_nodes, self._quality.n_prior_tests)
        return tree.with_annotations(cut_penalty=penalties, n_prior_tests=n_tests)
