"""Honest trees: half of the cases grow a tree, the others are counted in its leaves."""

from __future__ import annotations

from petree.estimators.learning.cases import Cases
from petree.estimators.learning.routed import route_cases
from petree.estimators.tuning.finish import FOLDS, Finished, Folds, smooth
from petree.estimators.tuning.folds import deal_folds
from petree.estimators.tuning.grid import Grid
from petree.threads import Threads
from petree.tree import Tree


def halve(cases: Cases, seed: int) -> tuple[Cases, Cases]:
    """Cases to grow a tree from, and cases to count; dealt as inner folds are."""
    fold = deal_folds(cases, 2, seed)[0]
    growing = fold.others()
    counted = fold.rest()
    if len(counted.codes) < 2:
        raise ValueError(
            "An honest tree grows from one half of the rows and counts the other, so that it needs at least 3 rows. "
            f"Got {len(cases.codes)}; give more, or set honest=False."
        )
    return growing, counted


def recount(grown: Tree, grid: Grid, cases: Cases, seed: int, threads: Threads) -> Finished:
    """The same tree with the counts of cases that it has not seen.

    Its smoothing is chosen anew, and what its leaves are worth is measured, on folds of these cases in which the tree
    stays what it is and only the counts are others. What sizes it could have had was told by the cases it grew from.
    """
    folds = [(_count(grown, fold.others(), threads), fold) for fold in deal_folds(cases, FOLDS, seed)]
    return smooth(_count(grown, cases, threads), grid, Folds(folds, grid, threads))


def _count(tree: Tree, cases: Cases, threads: Threads) -> Tree:
    reached = route_cases(tree, cases, threads)
    return tree.with_counts(reached.counts(tree), reached.sizes(tree))
