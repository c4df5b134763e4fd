"""Folds of the inner cross-validation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from petree.estimators.learning.cases import Cases
from petree.estimators.learning.content import Content, canonical_order, group_keys, line_of_copies, row_copies
from petree.estimators.learning.held_out import HeldOut
from petree.estimators.learning.routed import route_cases
from petree.keys import combine_keys, root_key
from petree.partitions.sampling import held_copies
from petree.threads import Threads
from petree.tree import Tree

# Copies of rows that are dealt one by one.
LONGEST_LINE = 2**24


class LeftOut(Protocol):
    """Cases that a tree has not seen, wherever they lie."""

    def counts(self, tree: Tree) -> NDArray[np.float64]:
        """Class counts of these cases at every node of a tree."""

    @property
    def is_grouped(self) -> bool:
        """Whether cases belong to groups."""

    def sums_by_group(self, tree: Tree, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The scores of leaves and classes, summed over the cases of each group."""

    def held_out(self, tree: Tree, by_row: bool) -> HeldOut:
        """These cases, sent down a tree; `by_row` where each is to be answered by itself."""


@dataclass(frozen=True)
class Fold:
    """Some of the cases, and all others: made when they are asked for, so that large tables are not copied at once.

    Of a row that stands for several copies some may be held out; a row of fractional weight is a single one.
    """

    cases: Cases
    n_copies: NDArray[np.int64]
    n_held: NDArray[np.int64]

    def others(self) -> Cases:
        """The cases to learn from."""
        return self._some(self.n_copies - self.n_held)

    def rest(self) -> Cases:
        """The cases that are held out."""
        return self._some(self.n_held)

    def counts(self, tree: Tree) -> NDArray[np.float64]:
        """Class counts of the cases that are held out at every node of a tree."""
        return route_cases(tree, self.rest(), Threads(1)).counts(tree)

    @property
    def is_grouped(self) -> bool:
        """Whether cases belong to groups."""
        return self.cases.groups is not None

    def sums_by_group(self, tree: Tree, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The scores of leaves and classes, summed over the cases of each group."""
        rest = self.rest()
        router = rest.route(tree)
        of_cases = np.concatenate([router.probabilities(piece.table, scores, Threads(1)) for piece in rest.pieces()])
        weighted = of_cases[np.arange(len(rest.codes)), rest.codes] * rest.amounts
        return np.bincount(cast(NDArray[np.intp], rest.groups), weighted).astype(np.float64)

    def held_out(self, tree: Tree, by_row: bool) -> HeldOut:
        """The cases that are held out, sent down a tree."""
        return HeldOut.of(tree, self.rest(), by_row)

    def _some(self, n_copies: NDArray[np.int64]) -> Cases:
        """So many copies of each row."""
        rows = np.flatnonzero(n_copies)
        some = self.cases.take(rows)
        if some.weights is None:
            return some
        return replace(some, weights=some.weights / self.n_copies[rows] * n_copies[rows])


def deal_folds(cases: Cases, n_folds: int, seed: int) -> list[Fold]:
    """Cases to learn from and cases held out, fold by fold.

    The cases of each class are dealt round in a random order, so that every fold gets its share of them, as far as
    there are enough. The order comes from the seed and from what stands in the rows: folds do not depend on how the
    rows are sorted, and a row of weight 2 is dealt like two copies. Groups are dealt whole, each with the class that is
    most frequent in it. Rows that have numbers are dealt by these alone, each as if there were no others.
    """
    n_copies = row_copies(cases)
    if cases.numbers is not None:
        dealt = _deal_numbered(cases.numbers, n_copies.astype(np.int64), n_folds, seed)
    elif cases.groups is None:
        dealt = _deal_copies(cases, n_copies, n_folds, seed)
    else:
        dealt = _deal_groups(cases, cases.groups, n_copies, n_folds, seed)
    return [Fold(cases, n_copies, n_held) for n_held in dealt]


def _deal_numbered(
    numbers: NDArray[np.uint64], n_copies: NDArray[np.int64], n_folds: int, seed: int
) -> list[NDArray[np.int64]]:
    """The same as the folds of data in parts are dealt."""
    draws = combine_keys(root_key(seed), numbers)
    dealt = (held_copies(draws, n_copies, n_folds, fold) for fold in range(n_folds))
    return [n_held for n_held in dealt if n_held.any() and (n_held < n_copies).any()]


def _deal_copies(cases: Cases, n_copies: NDArray[np.int64], n_folds: int, seed: int) -> list[NDArray[np.int64]]:
    """How many copies of each row each fold holds out: copies stand in a line and go round the folds.

    Where there are too many for that, those of a row stay side by side, and only their numbers are kept.
    """
    total = int(n_copies.sum(dtype=np.int64))
    n_folds = min(n_folds, total)
    if total > LONGEST_LINE:
        return _deal_numbers(cases, n_copies, n_folds, seed)
    line = line_of_copies(cases, n_copies, seed)
    held = (np.bincount(line[fold::n_folds], minlength=len(n_copies)) for fold in range(n_folds))
    return [of_fold.astype(n_copies.dtype) for of_fold in held]


def _deal_numbers(cases: Cases, n_copies: NDArray[np.int64], n_folds: int, seed: int) -> list[NDArray[np.int64]]:
    order = canonical_order(cases, seed)
    ends = np.cumsum(n_copies[order], dtype=np.int64)
    dealt = []
    for fold in range(n_folds):
        # places fold, fold + n_folds, ... of the line before the end of each row
        before_end = (ends + (n_folds - 1 - fold)) // n_folds
        n_held = np.empty_like(n_copies)
        n_held[order] = np.diff(before_end, prepend=(n_folds - 1 - fold) // n_folds)
        dealt.append(n_held)
    return dealt


def _deal_groups(
    cases: Cases, groups: NDArray[np.intp], n_copies: NDArray[np.int64], n_folds: int, seed: int
) -> list[NDArray[np.int64]]:
    """The same where the rows of a group stay together; what a group is called does not matter."""
    members = np.unique(groups, return_inverse=True)[1]
    kinds = _frequent_classes(Content.of(cases).ranks(cases.codes), members, n_copies)
    if len(kinds) < 2:
        raise ValueError(
            "groups puts all rows into one group, or all that are to be divided again, and groups are never divided; "
            "give rows of more groups, or leave out groups."
        )
    order = np.lexsort((combine_keys(root_key(seed), group_keys(cases, members)), kinds))
    n_folds = min(n_folds, len(kinds))
    fold = np.empty(len(kinds), np.intp)
    fold[order] = np.arange(len(kinds)) % n_folds
    return [np.where(fold[members] == held, n_copies, 0) for held in range(n_folds)]


def _frequent_classes(
    codes: NDArray[np.intp], groups: NDArray[np.intp], n_copies: NDArray[np.int64]
) -> NDArray[np.intp]:
    """The most frequent class of each group, the first of equals."""
    n_groups = groups.max() + 1
    n_classes = codes.max() + 1
    counts = np.bincount(groups * n_classes + codes, n_copies, n_groups * n_classes)
    return counts.reshape(n_groups, n_classes).argmax(axis=1)
