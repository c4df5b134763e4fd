"""Search by a score in Python alone, which is asked for every test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from petree.conditions import IS_MISSING
from petree.sources.base import Nodes
from petree.sources.found import Best
from petree.sources.rows import Rows
from petree.sources.searching.blocks import CELLS_AT_ONCE, TOLERANCE, CountedColumn, n_candidates
from petree.sources.searching.scoring import Scoring
from petree.sources.searching.searcher import Piece, Searcher
from petree.threads import Threads


class ByScore(Searcher):
    """The test of greatest score, column by column."""

    def find(self, rows: Rows, nodes: Nodes, threads: Threads) -> Iterator[Piece]:
        for column, place in enumerate(rows.columns.places):
            cells = n_candidates(rows)[place] * 2 * rows.n_classes
            for which in np.array_split(np.arange(len(nodes)), 1 + len(nodes) * cells // CELLS_AT_ONCE):
                if len(which):
                    yield which, self._best(rows, nodes.take(which), column, threads.stop)

    def best_in_column(self, rows: Rows, nodes: Nodes, column: int, threads: Threads) -> Best:
        return self._best(rows, nodes, column, threads.stop)

    def best_by_column(self, rows: Rows, nodes: Nodes, threads: Threads) -> list[Best]:
        # The score is Python, which threads do not share.
        return [self._best(rows, nodes, column, threads.stop) for column in range(len(rows.columns))]

    def scored_by(self, scoring: Scoring) -> Searcher:
        return ByScore(scoring)

    def on_known(self) -> Searcher:
        return ByScore(replace(self.scoring, known_only=True))

    def _best(self, rows: Rows, nodes: Nodes, column: int, stop: NDArray[np.uint8]) -> Best:
        """The first best test of one column at each node."""
        place = rows.columns.places[column]
        counted = CountedColumn.of(rows, nodes, place, self.scoring.class_weight, stop)
        counted = counted.known() if self.scoring.known_only else counted
        factor = counted.counts.sum(axis=(1, 2)) if self.scoring.per_case else np.ones(len(nodes))
        tests: list[tuple[int, int, int]] = []
        scores = []
        for block in counted.blocks():
            score = self.scoring.ask(block.children) * factor[:, None]
            is_possible = counted.are_possible(block, self.scoring.min_samples_leaf)
            scores.append(np.where(is_possible, score, -np.inf))
            tests += [(block.kind, cut, block.side) for cut in range(score.shape[1])]
        if not tests:
            return Best.none(len(nodes))
        order = sorted(range(len(tests)), key=lambda k: (tests[k][0] != IS_MISSING, tests[k][1], -tests[k][2]))
        score = np.concatenate(scores, axis=1)[:, order]
        highest = score.max(axis=1, initial=-np.inf)
        first = np.argmax(score >= (highest - TOLERANCE * factor)[:, None], axis=1)
        kind, cut, side = np.array(tests)[order][first].T
        columns = np.where(highest > -np.inf, column, -1)
        chosen = counted.as_tests(columns, np.arange(len(nodes)), kind, cut, side)
        return Best(highest, TOLERANCE * factor, chosen)
