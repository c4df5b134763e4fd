"""Folds of the inner cross-validation."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import column_or_1d


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


def deal_folds(
    codes: NDArray[np.intp], groups: NDArray[np.intp] | None, n_folds: int, seed: int
) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Rows to learn from and rows held out, fold by fold.

    The rows of each class are shuffled and dealt round, so that every fold gets its share of them, as far as there are
    enough. Groups are dealt in the same way, whole, each with the class that is most frequent in it.
    """
    members, kinds = np.arange(len(codes)), codes
    if groups is not None:
        members = np.unique(groups, return_inverse=True)[1]
        kinds = _frequent_classes(codes, members)
    if len(kinds) < 2:
        raise ValueError("groups puts all rows into one group; choosing a parameter needs at least two of them.")
    order = np.random.default_rng(seed).permutation(len(kinds))
    order = order[np.argsort(kinds[order], kind="stable")]
    n_folds = min(n_folds, len(kinds))
    fold = np.empty(len(kinds), np.intp)
    fold[order] = np.arange(len(kinds)) % n_folds
    fold_of_row = fold[members]
    return [(np.flatnonzero(fold_of_row != held), np.flatnonzero(fold_of_row == held)) for held in range(n_folds)]


def _frequent_classes(codes: NDArray[np.intp], groups: NDArray[np.intp]) -> NDArray[np.intp]:
    """The most frequent class of each group, the first of equals."""
    n_groups, n_classes = groups.max() + 1, codes.max() + 1
    counts = np.bincount(groups * n_classes + codes, minlength=n_groups * n_classes)
    return counts.reshape(n_groups, n_classes).argmax(axis=1)
