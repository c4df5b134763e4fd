"""Permutation tests of independence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from petree import core
from petree.keys import path_keys
from petree.parts import check_integer, check_number
from petree.pruning.by_stump import StumpCriterion
from petree.pruning.engine.context import Context, require
from petree.pruning.engine.stumps import Stumps, Verdicts
from petree.tree import Tree

# Log factorials of numbers below this are looked up.
MOST_LISTED = 1_000_000
MOST_CASES = 2**31


class Permutation(StumpCriterion):
    """A test is used if few permutations of the classes give a table as improbable as its own (Frank & Witten 1998).

    The table is that of a test's children and classes; its chance, given its margins, falls with ``prod_ic n_ic!``. The
    share of permutations of the node's class labels whose table is no more probable estimates the p of Freeman and
    Halton's exact test. While a tree grows every candidate test of a node is looked at: of those with p at most alpha
    the one with the best split score is used, and a node without any is a leaf, whose log speaks of its best test. (A
    score that compares all tests, such as the gain ratio, names the first; the others follow by their own score.)
    The level is not corrected for the choice among many. Counts that are not whole are rounded.

    Parameters
    ----------
    alpha : float, default=0.05
        Level of the test.
    permutations : int, default=1000
        How many are drawn.
    when : {"pre", "post"}, default="pre"
        Whether tests are chosen while growing, which is the criterion as it is defined. With "post" a tree is grown by
        the split score alone, and the one test that stands in each of its stumps is judged, bottom-up. Of a tree that
        has been grown already, "pre" too judges only the tests that stand there, from the root down.
    """

    names = ("shuffles of the classes that the test divides as well, counted to one too many", "allowed")
    chooses_tests = True
    exchanges_rows = True

    def __init__(self, alpha: float = 0.05, permutations: int = 1000, when: str = "pre") -> None:
        self.alpha = alpha
        self.permutations = permutations
        self.when = when

    def check(self) -> None:
        super().check()
        check_number(self, "alpha", 0, most=1)
        check_integer(self, "permutations", 1)

    def _prune(self, tree: Tree, context: Context) -> Tree:
        return super()._prune(tree, replace(context, keys=path_keys(tree, context.seed), nodes=None))

    def judge(self, stumps: Stumps, context: Context) -> Verdicts:
        keys = require(self, "keys", context.keys)[context.places(stumps.nodes)]
        found = self._count(stumps.children, stumps.child_start, keys)
        return Verdicts.of_counts(found, self._allowed())

    def passes(
        self, children: NDArray[np.float64], child_start: NDArray[np.intp], keys: NDArray[np.uint64]
    ) -> NDArray[np.bool_]:
        return self._count(children, child_start, keys) <= self._allowed()

    def _allowed(self) -> int:
        """Permutations that may be as improbable."""
        return int(self.alpha * self.permutations + 1e-9)

    def _count(
        self, children: NDArray[np.float64], starts: NDArray[np.intp], keys: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """Permutations as improbable as each table; beyond those that are allowed it may be more."""
        tables = np.rint(children).astype(np.int64, order="C")
        starts = np.ascontiguousarray(starts, np.int64)
        found = np.zeros(len(keys), np.int64)
        if not len(keys):
            return found
        most = int(np.add.reduceat(tables.sum(axis=1), starts[:-1]).max())
        if most > MOST_CASES:
            raise ValueError(
                f"Permutation takes nodes of at most 2**31 cases, and one weighs {most:.3g}; divide the weights by a "
                "constant."
            )
        logs = gammaln(np.arange(min(most, MOST_LISTED) + 1) + 1.0)
        n_tables = int(self.permutations)
        core.draws.improbable_tables(tables, starts, keys, logs, n_tables, self._allowed(), found, core.NO_STOP)
        return found
