"""Rows of a table sent down all ways of a tree with options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.bayes import Shares
from petree.inputs import Table
from petree.routing import run_in_pieces, tests_of
from petree.threads import Threads
from petree.tree import Tree, wiring_of

Numbers = NDArray[np.float64]
ROWS_PER_PIECE = 512


@dataclass(frozen=True)
class Mixer:
    """A tree with options packed for the compiled loops, and how its posterior is shared out."""

    tree: Tree
    shares: Shares
    packed: Any

    @classmethod
    def of(cls, tree: Tree, shares: Shares) -> Mixer:
        tests, weights = tests_of(tree.conditions), tree.counts.sum(axis=1, dtype=np.float64)
        packed = core.prediction.OptionRouter(tests, wiring_of(tree), shares.stay, shares.go, weights)
        return cls(tree, shares, packed)

    def mix(
        self,
        table: Table,
        values: Numbers,
        threads: Threads,
        width: int | None = None,
        read: Callable[[Numbers], Numbers] = np.asarray,
    ) -> Numbers:
        """For each row the mean of the nodes' values, by the posterior probability that a tree ends there.

        With `read` not these means are kept but what it reads off some rows of them, so many numbers a row.
        """
        says = np.ascontiguousarray(values, np.float64)
        found = np.empty((table.n_rows, says.shape[1] if width is None else width))

        def answer(matrix: Numbers, rows: slice) -> None:
            mixed = np.empty((len(matrix), says.shape[1]))
            core.prediction.mix_rows(self.packed, matrix, says, mixed, threads.stop)
            found[rows] = read(mixed)

        run_in_pieces(answer, table, ROWS_PER_PIECE, threads)
        return found

    def probabilities(self, table: Table, own: Numbers, threads: Threads) -> Numbers:
        """Class probabilities of each row, from those of the nodes."""
        mixed = self.mix(table, own, threads)
        return mixed / mixed.sum(axis=1, keepdims=True)  # 1, but for rounding
