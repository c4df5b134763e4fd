"""Rows of a table sent down all ways of a tree with options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import kernels
from petree.bayes import Shares
from petree.inputs import Table
from petree.routing import pack_details, run_in_pieces
from petree.threads import Threads
from petree.tree import Tree

Numbers = NDArray[np.float64]
ROWS_PER_PIECE = 512


@dataclass(frozen=True)
class Mixer:
    """A tree with options packed for the kernels, and how its posterior is shared out."""

    tree: Tree
    shares: Shares
    details: NDArray[Any]
    members: Numbers

    @classmethod
    def of(cls, tree: Tree, shares: Shares) -> Mixer:
        return cls(tree, shares, *pack_details(tree))

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
        found, tree = np.empty((table.n_rows, values.shape[1] if width is None else width)), self.tree
        weights = tree.counts.sum(axis=1)

        def answer(matrix: Numbers, rows: slice) -> None:
            mixed = np.zeros((len(matrix), values.shape[1]))
            kernels.mixing.mix_rows(
                matrix, tree.split_start, self.details, self.members, tree.child_start, tree.children,
                self.shares.stay, self.shares.go, values, weights, mixed,
            )  # fmt: skip
            found[rows] = read(mixed)

        run_in_pieces(answer, table, ROWS_PER_PIECE, threads)
        return found

    def probabilities(self, table: Table, own: Numbers, threads: Threads) -> Numbers:
        """Class probabilities of each row, from those of the nodes."""
        mixed = self.mix(table, own, threads)
        return mixed / mixed.sum(axis=1, keepdims=True)  # 1, but for rounding
