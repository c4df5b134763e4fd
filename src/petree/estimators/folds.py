"""Folds of the inner cross-validation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import column_or_1d

from petree.estimators.content import canonical_order, line_of_copies
from petree.inputs.target import is_whole

if TYPE_CHECKING:
    from petree.estimators.learning import Cases

# Copies of rows that are dealt one by one.
LONGEST_LINE = 2**24


def read_groups(groups: Any, n_rows: int) -> NDArray[np.intp] | None:
    """The number of each row's group, checked."""
    if groups is None:
        return None
    try:
        numbers = np.unique(column_or_1d(np.asarray(groups)), return_inverse=True)[1]
    except (TypeError, ValueError):
        raise ValueError("groups must be one label a row, all of one type.") from None
    if len(numbers) != n_rows:
        raise ValueError(f"X has {n_rows} rows, but groups has {len(numbers)} labels.")
    return numbers.astype(np.intp)


@dataclass(frozen=True)
class Fold:
    """Some of the cases, and all others: made when they are asked for, so that large tables are not copied at once."""

    cases: Cases
    total: NDArray[np.float64]
    own: NDArray[np.float64]

    def others(self) -> Cases:
        """The cases to learn from."""
        return self.cases.weighing(self.total - self.own)

    def rest(self) -> Cases:
        """The cases that are held out."""
        return self.cases.weighing(self.own)


def deal_folds(cases: Cases, n_folds: int, seed: int) -> list[Fold]:
    """Cases to learn from and cases held out, fold by fold.

    The cases of each class are dealt round in a random order, so that every fold gets its share of them, as far as
    there are enough. The order comes from the seed and from what stands in the rows: folds do not depend on how the
    rows are sorted, and a row of weight 2 is dealt like two copies. Groups are dealt whole, each with the class that is
    most frequent in it.
    """
    total = np.ones(len(cases.codes)) if cases.weights is None else cases.weights
    return [Fold(cases, total, own) for own in held_out_weights(cases, total, n_folds, seed)]


def held_out_weights(cases: Cases, total: NDArray[np.float64], n_folds: int, seed: int) -> list[NDArray[np.float64]]:
    """The weight of each row that each fold holds out."""
    if cases.groups is None:
        return _deal_rows(cases, total, n_folds, seed)
    return _deal_groups(cases.codes, cases.groups, total, n_folds, seed)


def _deal_rows(cases: Cases, total: NDArray[np.float64], n_folds: int, seed: int) -> list[NDArray[np.float64]]:
    """The same where each row is dealt by itself.

    Copies stand in a line and go round the folds; a row of fractional weight is a single one. Where there are too many
    for that, those of a row stay side by side in the line, of which then only their numbers are kept.
    """
    copies = total.astype(np.int64) if is_whole(total) else np.ones(len(total), np.int64)
    n_copies = int(copies.sum())
    n_folds = min(n_folds, n_copies)
    deal = _deal_line if n_copies <= LONGEST_LINE else _deal_numbers
    return [held * (total / copies) for held in deal(cases, copies, n_folds, seed)]


def _deal_line(cases: Cases, copies: NDArray[np.int64], n_folds: int, seed: int) -> list[NDArray[np.int64]]:
    line = line_of_copies(cases, copies, seed)
    return [np.bincount(line[fold::n_folds], minlength=len(copies)) for fold in range(n_folds)]


def _deal_numbers(cases: Cases, copies: NDArray[np.int64], n_folds: int, seed: int) -> list[NDArray[np.int64]]:
    order = canonical_order(cases, seed)
    ends, starts = np.cumsum(copies[order]), np.cumsum(copies[order]) - copies[order]
    shares = []
    for fold in range(n_folds):
        # copies at the places fold, fold + n_folds, ... of the line before the end and before the beginning of a row
        held = np.empty(len(order), np.int64)
        held[order] = (ends - fold + n_folds - 1) // n_folds - (starts - fold + n_folds - 1) // n_folds
        shares.append(held)
    return shares


def _deal_groups(
    codes: NDArray[np.intp], groups: NDArray[np.intp], total: NDArray[np.float64], n_folds: int, seed: int
) -> list[NDArray[np.float64]]:
    """The same where the rows of a group stay together."""
    members = np.unique(groups, return_inverse=True)[1]
    kinds = _frequent_classes(codes, members)
    if len(kinds) < 2:
        raise ValueError("groups puts all rows into one group; choosing a parameter needs at least two of them.")
    order = np.random.default_rng(seed).permutation(len(kinds))
    order = order[np.argsort(kinds[order], kind="stable")]
    n_folds = min(n_folds, len(kinds))
    fold = np.empty(len(kinds), np.intp)
    fold[order] = np.arange(len(kinds)) % n_folds
    return [np.where(fold[members] == held, total, 0.0) for held in range(n_folds)]


def _frequent_classes(codes: NDArray[np.intp], groups: NDArray[np.intp]) -> NDArray[np.intp]:
    """The most frequent class of each group, the first of equals."""
    n_groups, n_classes = groups.max() + 1, codes.max() + 1
    counts = np.bincount(groups * n_classes + codes, minlength=n_groups * n_classes)
    return counts.reshape(n_groups, n_classes).argmax(axis=1)
