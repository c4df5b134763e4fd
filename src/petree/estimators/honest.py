"""Honest trees: half of the cases grow a tree, the others are counted in its leaves."""

from __future__ import annotations

from dataclasses import replace

from petree.estimators.certainty import Certainty
from petree.estimators.folds import deal_folds
from petree.estimators.learning import Cases
from petree.estimators.reaching import reach
from petree.estimators.tuning import Finished
from petree.threads import Threads


def halve(cases: Cases, seed: int) -> tuple[Cases, Cases]:
    """Cases to grow a tree from, and cases to count; dealt as inner folds are."""
    fold = deal_folds(cases, 2, seed)[0]
    return fold.others(), fold.rest()


def recount(done: Finished, cases: Cases, threads: Threads) -> Finished:
    """The same tree with the counts of cases that it has not seen: nothing was chosen for them, each is worth one."""
    reached = reach(done.tree, cases, threads)
    tree = done.tree.with_counts(reached.counts(done.tree), reached.sizes(done.tree))
    return replace(done, tree=tree, certainty=Certainty())
