"""Rows of a table along all ways of a tree: what each column contributes to an answer, and the nearest other answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import roots_legendre

from petree import core
from petree.inputs import Table
from petree.routing.options import Mixer
from petree.routing.rows import run_in_pieces, tests_of
from petree.threads import Threads
from petree.tree import Tree, wiring_of

Numbers = NDArray[np.float64]
Codes = NDArray[np.int64]
ROWS_PER_PIECE = 256
# Where nodes are shared there can be very many more ways than nodes, and each takes its time for every row.
MOST_WAYS = 10_000_000


@dataclass(frozen=True)
class Ways:
    """A tree, with options or without, packed for walking all of its ways."""

    packed: Any

    @classmethod
    def of(cls, tree: Tree) -> Ways:
        """The ways of a tree without options: its leaves alone answer."""
        stay = tree.is_leaf.astype(np.float64)
        go = np.ones(len(tree.conditions))
        weights = tree.counts.sum(axis=1, dtype=np.float64)
        return cls(core.prediction.OptionRouter(tests_of(tree.conditions), wiring_of(tree), stay, go, weights))

    @classmethod
    def of_options(cls, mixer: Mixer) -> Ways:
        """The ways of a tree with options, each by its share of the posterior."""
        return cls(mixer.packed)

    def answer_to_unknown(self, node_probabilities: Numbers) -> Numbers:
        """Class probabilities of a row of which no column is known."""
        stays: Numbers = core.prediction.stays_of_unknown(self.packed)
        return stays @ node_probabilities

    def contributions(self, table: Table, node_probabilities: Numbers, threads: Threads) -> Numbers:
        """Shapley values of the columns for the class probabilities of each row; an array (rows, columns, classes).

        A column that is left out of a coalition is unknown: each of its tests goes every way, by training weight.
        """
        says = np.ascontiguousarray(node_probabilities, np.float64)
        points, weights = self._rule(threads)
        n_columns = len(table.columns)
        found = np.empty((table.n_rows, n_columns * says.shape[1]))

        def find(matrix: Numbers, rows: slice) -> None:
            core.prediction.find_contributions(self.packed, matrix, says, points, weights, found[rows], threads.stop)

        run_in_pieces(find, table, ROWS_PER_PIECE, threads)
        return found.reshape(table.n_rows, n_columns, says.shape[1])

    def nearest(self, table: Table, classes: Codes, verdicts: Codes, threads: Threads) -> tuple[Codes, Codes]:
        """For each row the nearest leaf of another class than its verdict, or -1, and how many columns would change.

        `classes` has the class of every leaf, and -1 at nodes that are not to be found. Of leaves for which equally
        many columns change, the one with the most training weight is taken.
        """
        found = np.empty((table.n_rows, 2), np.int64)
        wanted = np.ascontiguousarray(classes, np.int64)
        codes = np.ascontiguousarray(verdicts, np.int64)

        def find(matrix: Numbers, rows: slice) -> None:
            core.prediction.find_nearest(self.packed, matrix, wanted, codes[rows], found[rows], threads.stop)

        run_in_pieces(find, table, ROWS_PER_PIECE, threads)
        return found[:, 0], found[:, 1]

    def _rule(self, threads: Threads) -> tuple[Numbers, Numbers]:
        """Points and weights that integrate what the ways let through, between 0 and 1.

        Half as many points as columns on a way are exact. Beyond 64 columns the square root does, to the last digits:
        the points stand dense enough where such products are not nearly 0.
        """
        n_ways = core.prediction.count_ways(self.packed)
        if n_ways > MOST_WAYS:
            raise ValueError(
                f"There are {n_ways:.3g} ways through this tree with options, too many to tell what each column "
                f"contributes (at most {MOST_WAYS:,}); grow one with a smaller option_depth, max_options or max_depth."
            )
        n_columns = core.prediction.most_columns(self.packed, threads.stop)
        n_points = int(min(np.ceil(n_columns / 2), np.ceil(4 * np.sqrt(n_columns))))
        points, weights = roots_legendre(max(n_points, 1))
        return (points + 1) / 2, weights / 2
