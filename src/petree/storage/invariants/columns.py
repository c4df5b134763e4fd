"""What holds of columns, classes and numbers."""

from __future__ import annotations

import numpy as np

from petree.columns import NUMBER
from petree.estimators.stored import Stored
from petree.storage.values import require

# Beyond it not every whole number is a float; fit takes no more weight either.
LARGEST_WHOLE = 2**53


def columns_are_told_apart(stored: Stored) -> None:
    """There is a column, and no two columns have the same name."""
    names = {column.name for column in stored.columns}
    require(len(names) > 0, "it has no columns")
    require(len(names) == len(stored.columns), "two of its columns have the same name")


def categories_are_told_apart(stored: Stored) -> None:
    """A column of numbers has no categories; of others no two categories are equal, where 1, 1.0 and true are."""
    for column in stored.columns:
        require(column.kind != NUMBER or not column.categories, f"column {column.name!r} of numbers has categories")
        is_distinct = len(set(column.categories)) == len(column.categories)
        require(is_distinct, f"two categories of column {column.name!r} are the same")


def counts_are_finite(stored: Stored) -> None:
    """Counts are finite and not negative, and those of a node sum to 2**53 at most."""
    counts = stored.tree.counts
    with np.errstate(over="ignore"):
        is_right = (counts >= 0).all() and (counts.sum(axis=1) <= LARGEST_WHOLE).all()
    require(bool(is_right), "the counts of the tree are negative, or sum to more than 2**53")


def whole_numbers_are_in_range(stored: Stored) -> None:
    """The sizes and the numbers of tests of the nodes are whole numbers from 0 to 2**53."""
    for name, numbers in (("sizes", stored.tree.sizes), ("n_tests", stored.tree.n_tests)):
        is_right = bool(((numbers >= 0) & (numbers <= LARGEST_WHOLE)).all())
        require(is_right, f"the {name} of the tree are negative, or larger than 2**53")


def class_weights_are_finite(stored: Stored) -> None:
    """Class weights are finite and not negative, not all of them 0, and so are the counts times them finite."""
    tree = stored.tree
    if tree.class_weight is None:
        return
    with np.errstate(over="ignore"):
        is_finite = np.isfinite(tree.weighted_counts.sum(axis=1)).all() and np.isfinite(tree.class_weight).all()
    is_right = is_finite and (tree.class_weight >= 0).all() and tree.class_weight.any()
    require(bool(is_right), "the class weights of the tree are negative, all 0 or too large")
