"""Permutation tests of independence."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from petree import kernels
from petree.keys import path_keys
from petree.parts import check_integer, check_number
from petree.pruning.acceptance import Acceptance
from petree.pruning.context import Context, require
from petree.pruning.stumps import Stumps, Verdicts
from petree.tree import Tree

# Cells of random tables in one piece of work, well below a second, so that an interrupt does not wait.
CELLS_PER_PIECE = 5_000_000
# Log factorials of numbers below this are looked up.
MOST_LISTED = 1_000_000


class Permutation(Acceptance):
    """A test stays if few permutations of the classes give a table as improbable as its own (Frank & Witten 1998).

    The table is that of a node's children and classes; its chance, given its margins, falls with ``prod_ic n_ic!``. The
    share of permutations of the node's class labels whose table is no more probable estimates the p of Freeman and
    Halton's exact test; the test is accepted if that is at most alpha. Only the node's best test is looked at, and the
    level is not corrected for the choice among many. Counts that are not whole are rounded.

    Parameters
    ----------
    alpha : float, default=0.05
        Level of the test.
    permutations : int, default=1000
        How many are drawn.
    when : {"post", "pre"}, default="post"
        Whether the stumps of a grown tree are tested bottom-up, or every node before it is split.
    """

    names: ClassVar[tuple[str, str]] = ("permutations as improbable", "allowed")

    def __init__(self, alpha: float = 0.05, permutations: int = 1000, when: str = "post") -> None:
        self.alpha = alpha
        self.permutations = permutations
        self.when = when

    def prune(self, tree: Tree, context: Context | None = None) -> Tree:
        context = Context() if context is None else context
        return super().prune(tree, replace(context, keys=path_keys(tree, context.seed), nodes=None))

    def judge(self, stumps: Stumps, context: Context | None) -> Verdicts:
        check_number(self, "alpha", 0, most=1)
        check_integer(self, "permutations", 1)
        keys = require(self, context, "keys")
        places = context.places(stumps.nodes) if context else stumps.nodes
        allowed = int(self.alpha * self.permutations + 1e-9)
        found = self._count(stumps, keys[places], allowed)
        return Verdicts(found.astype(np.float64), np.full(len(stumps), float(allowed)), found <= allowed)

    def _count(self, stumps: Stumps, keys: NDArray[np.uint64], allowed: int) -> NDArray[np.int64]:
        """Permutations as improbable as the test of each node; beyond `allowed` it may be more."""
        tables, starts = np.rint(stumps.children).astype(np.int64), stumps.child_start
        most = int(stumps.sum(tables.sum(axis=1)).max(initial=0))
        logs = gammaln(np.arange(min(most, MOST_LISTED) + 1) + 1.0)
        found = np.zeros(len(stumps), np.int64)
        cells = starts[1:] * tables.shape[1] * self.permutations // CELLS_PER_PIECE
        for nodes in np.split(np.arange(len(stumps)), np.flatnonzero(np.diff(cells)) + 1):
            first, last = nodes[0], nodes[-1] + 1
            kernels.draw.improbable_tables(
                tables, starts[first : last + 1], keys[first:last], logs, self.permutations, allowed, found[first:last]
            )
        return found
