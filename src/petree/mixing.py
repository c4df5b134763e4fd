"""Rows of a table sent down all ways of a tree with options."""

from __future__ import annotations

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

ROWS_PER_PIECE = 512


@dataclass(frozen=True)
class Mixer:
    """A tree with options packed for the kernels, and how its posterior is shared out."""

    tree: Tree
    shares: Shares
    details: NDArray[Any]
    members: NDArray[np.float64]

    @classmethod
    def of(cls, tree: Tree, shares: Shares) -> Mixer:
        return cls(tree, shares, *pack_details(tree))

    def mix(self, table: Table, values: NDArray[np.float64], threads: Threads) -> NDArray[np.float64]:
        """For each row the mean of the nodes' values, by the posterior probability that a tree ends there."""
        mixed, tree = np.zeros((table.n_rows, values.shape[1])), self.tree
        weights = tree.counts.sum(axis=1)

        def answer(matrix: NDArray[np.float64], rows: slice) -> None:
            kernels.options.mix_rows(
                matrix, tree.split_start, self.details, self.members, tree.child_start, tree.children,
                self.shares.stay, self.shares.go, values, weights, mixed[rows],
            )  # fmt: skip

        run_in_pieces(answer, table, ROWS_PER_PIECE, threads)
        return mixed
