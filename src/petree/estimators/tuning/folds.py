"""Folds of the inner cross-validation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from petree.estimators.learning.cases import Cases
from petree.estimators.learning.content import Content, group_keys, line_of_rows, row_copies
from petree.estimators.learning.held_out import HeldOut
from petree.estimators.learning.routed import route_cases
from petree.keys import combine_keys, root_key
from petree.partitions.sampling import FoldRows
from petree.threads import Threads
from petree.tree import Tree


class LeftOut(Protocol):
    """Cases that a tree has not seen, wherever they lie."""

    def counts(self, tree: Tree) -> NDArray[np.float64]:
        """Class counts of these cases at every node of a tree."""

    def held_out(self, tree: Tree, by_row: bool) -> HeldOut:
        """These cases, sent down a tree; `by_row` where each is to be answered by itself."""


@dataclass(frozen=True)
class Fold:
    """Some of the cases, and all others: made when they are asked for, so that large tables are not copied at once.

    A row is on one side with all its weight: of copies that its weight makes, those that are held out would be the very
    ones that were learned from.
    """

    cases: Cases
    is_held: NDArray[np.bool_]

    def others(self) -> Cases:
        """The cases to learn from."""
        return self.cases.take(np.flatnonzero(~self.is_held))

    def rest(self) -> Cases:
        """The cases that are held out."""
        return self.cases.take(np.flatnonzero(self.is_held))

    def counts(self, tree: Tree) -> NDArray[np.float64]:
        """Class counts of the cases that are held out at every node of a tree."""
        return route_cases(tree, self.rest(), Threads(1)).counts(tree)

    def held_out(self, tree: Tree, by_row: bool) -> HeldOut:
        """The cases that are held out, sent down a tree."""
        return HeldOut.of(tree, self.rest(), by_row)


def deal_folds(cases: Cases, n_folds: int, seed: int) -> list[Fold]:
    """Cases to learn from and cases held out, fold by fold.

    The rows of each class are dealt round in a random order, so that every fold gets its share of them, as far as there
    are enough. The order comes from the seed and from what stands in the rows: folds do not depend on how the rows are
    sorted. A row is dealt once, whatever it weighs. Groups are dealt whole, each with the class that is most frequent
    in it. Rows that have numbers are dealt by these alone, each as if there were no others.
    """
    if cases.numbers is not None:
        dealt = _deal_numbered(cases.numbers, n_folds, seed)
    elif cases.groups is None:
        dealt = _deal_rows(cases, n_folds, seed)
    else:
        dealt = _deal_groups(cases, cases.groups, n_folds, seed)
    return [Fold(cases, is_held) for is_held in dealt]


def _deal_numbered(numbers: NDArray[np.uint64], n_folds: int, seed: int) -> list[NDArray[np.bool_]]:
    """The same as the folds of data in parts are dealt."""
    dealt = (FoldRows(seed, n_folds, fold, True).are_counted(numbers) for fold in range(n_folds))
    return [is_held for is_held in dealt if is_held.any() and not is_held.all()]


def _deal_rows(cases: Cases, n_folds: int, seed: int) -> list[NDArray[np.bool_]]:
    """Which rows each fold holds out: they stand in a line and go round the folds."""
    n_rows = len(cases.codes)
    n_folds = min(n_folds, n_rows)
    fold = np.empty(n_rows, np.intp)
    fold[line_of_rows(cases, seed)] = np.arange(n_rows) % n_folds
    return [fold == held for held in range(n_folds)]


def _deal_groups(cases: Cases, groups: NDArray[np.intp], n_folds: int, seed: int) -> list[NDArray[np.bool_]]:
    """The same where the rows of a group stay together; what a group is called does not matter."""
    members = np.unique(groups, return_inverse=True)[1]
    kinds = _frequent_classes(Content.of(cases).ranks(cases.codes), members, row_copies(cases))
    if len(kinds) < 2:
        raise ValueError(
            "groups puts all rows into one group, or all that are to be divided again, and groups are never divided; "
            "give rows of more groups, or leave out groups."
        )
    order = np.lexsort((combine_keys(root_key(seed), group_keys(cases, members)), kinds))
    n_folds = min(n_folds, len(kinds))
    fold = np.empty(len(kinds), np.intp)
    fold[order] = np.arange(len(kinds)) % n_folds
    return [fold[members] == held for held in range(n_folds)]


def _frequent_classes(
    codes: NDArray[np.intp], groups: NDArray[np.intp], n_copies: NDArray[np.int64]
) -> NDArray[np.intp]:
    """The most frequent class of each group, the first of equals."""
    n_groups = groups.max() + 1
    n_classes = codes.max() + 1
    counts = np.bincount(groups * n_classes + codes, n_copies, n_groups * n_classes)
    return counts.reshape(n_groups, n_classes).argmax(axis=1)
