"""Rows of a table sent down all ways of a tree with options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.bayes import Shares
from petree.inputs import Table
from petree.routing.rows import run_in_pieces, tests_of
from petree.threads import Threads
from petree.tree import Tree, wiring_of

Numbers = NDArray[np.float64]
ROWS_PER_PIECE = 512
# Nodes of rows that are looked at together: so many that they lie in the cache.
ENDS_AT_ONCE = 2**15


class Ends(NamedTuple):
    """Where the trees end that some rows go down: of each row its nodes, from a start to the next, and their masses."""

    starts: NDArray[np.int64]
    nodes: NDArray[np.int64]
    masses: Numbers


@dataclass(frozen=True)
class Mixer:
    """A tree with options packed for the compiled loops, and how its posterior is shared out."""

    tree: Tree
    shares: Shares
    packed: Any

    @classmethod
    def of(cls, tree: Tree, shares: Shares) -> Mixer:
        tests = tests_of(tree.conditions)
        weights = tree.counts.sum(axis=1, dtype=np.float64)
        packed = core.prediction.OptionRouter(tests, wiring_of(tree), shares.stay, shares.go, weights)
        return cls(tree, shares, packed)

    def mix(self, table: Table, values: Numbers, threads: Threads) -> Numbers:
        """For each row the mean of the nodes' values, by the posterior probability that a tree ends there."""
        found = np.empty((table.n_rows, values.shape[1]))

        def answer(matrix: Numbers, rows: slice) -> None:
            found[rows] = self._mixed(matrix, values, threads)

        run_in_pieces(answer, table, ROWS_PER_PIECE, threads)
        return found

    def visit_ends(self, visit: Callable[[Ends, slice], None], table: Table, threads: Threads) -> None:
        """Call a function with where the trees end for some rows, and where these stand in the table, for all rows."""

        def send_down(matrix: Numbers, rows: slice) -> None:
            start = 0
            while start < len(matrix):
                found = core.prediction.find_ends(self.packed, matrix[start:], ENDS_AT_ONCE, threads.stop)
                ends = Ends(*found)
                visit(ends, slice(rows.start + start, rows.start + start + len(ends.starts) - 1))
                start += len(ends.starts) - 1

        run_in_pieces(send_down, table, ROWS_PER_PIECE, threads)

    def _mixed(self, matrix: Numbers, values: Numbers, threads: Threads) -> Numbers:
        mixed = np.empty((len(matrix), values.shape[1]))
        of_nodes = np.ascontiguousarray(values, np.float64)
        core.prediction.mix_rows(self.packed, matrix, of_nodes, mixed, threads.stop)
        return mixed

    def probabilities(self, table: Table, own: Numbers, threads: Threads) -> Numbers:
        """Class probabilities of each row, from those of the nodes."""
        mixed = self.mix(table, own, threads)
        return mixed / mixed.sum(axis=1, keepdims=True)  # 1, but for rounding
