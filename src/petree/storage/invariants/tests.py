"""What holds of tests, and of the tables that they ask about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.columns import NOMINAL, NUMBER, Column
from petree.conditions import EQUALS, IN, MULTIWAY, QUERY, THRESHOLD, UNSEEN, Conditions
from petree.estimators.relational.sources import ROW
from petree.estimators.stored import Stored
from petree.storage.values import DamagedFileError, require
from petree.tree import Tree

RELATIONAL = ("RelationalTreeClassifier", "RelationalOptionTreeClassifier")


def tests_fit_their_columns(stored: Stored) -> None:
    """A test asks a column what its kind allows: `<` numbers and ordered columns, `=`, `in` and `each` categories.

    The threshold of an ordered column lies below one of its categories, and every code is that of a category.
    """
    conditions = stored.tree.conditions
    is_about = conditions.columns == stored.columns or bool((conditions.kind == QUERY).all())
    require(is_about, "the tests of the tree are about other columns than those of the model")
    require(bool(np.isfinite(conditions.value).all()), "the tree holds a threshold that is not finite")
    asked = np.where(conditions.kind == QUERY, 0, conditions.column)
    is_column = (asked >= 0) & (asked < len(stored.columns))
    _require_all(stored.tree, is_column, "asks a column that there is not")
    _require_all(stored.tree, _fit(conditions, stored.columns, asked), "is not a test of these columns")


def _fit(conditions: Conditions, columns: Sequence[Column], asked: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether each test may ask its column, by the kind and the number of categories of this."""
    kinds = np.array([column.kind for column in columns])[asked]
    n_categories = np.array([len(column.categories) for column in columns])[asked]
    code = np.ceil(conditions.value)
    is_number = kinds == NUMBER
    is_code = (code >= 0) & (code < n_categories)
    allowed = {
        THRESHOLD: is_number | (kinds != NOMINAL) & is_code,
        EQUALS: ~is_number & is_code & (code == conditions.value),
        IN: ~is_number,
        MULTIWAY: ~is_number,
    }
    fits = np.ones(len(conditions), bool)
    for kind, is_allowed in allowed.items():
        fits &= (conditions.kind != kind) | is_allowed
    for split in np.flatnonzero(conditions.kind == IN):
        codes = conditions.extras[int(conditions.value[split])]
        fits[split] &= len(codes) > 0 and all(0 <= one < n_categories[split] for one in codes)
    return fits


def splits_have_their_branches(stored: Stored) -> None:
    """A split has two or more children, as many as its test has branches; missing values go to one, or are unseen.

    Of `each`, which has a branch for every category, they go to a last one.
    """
    tree = stored.tree
    arities = branches(tree.conditions)
    missing = tree.conditions.missing
    is_right = (arities == np.diff(tree.child_start)) & (arities >= 2)
    _require_all(tree, is_right, "has not as many children as branches, or fewer than two")
    is_branch = (missing >= UNSEEN) & (missing < arities)
    is_branch &= (tree.conditions.kind != MULTIWAY) | (missing == UNSEEN) | (missing == arities - 1)
    _require_all(tree, is_branch, "sends missing values to a branch that is not for them")


def surrogates_stand_in(stored: Stored) -> None:
    """Surrogates are `<`, `=` or `in` of other columns than their test, which has two branches and one for the missing.

    They fit their columns, and their agreement is from 0 to 1. Only trees of one table without options have any.
    """
    tree = stored.tree
    found = tree.surrogates
    if found is None:
        return
    is_flat = stored.estimator == "ProbabilityTreeClassifier" and len(found.start) == len(tree.conditions) + 1
    require(is_flat, "it has surrogates, but it is not a tree of one table without options")
    asked = np.arange(len(tree.conditions)).repeat(np.diff(found.start))
    is_right = np.isin(found.tests.kind, (THRESHOLD, EQUALS, IN)) & np.isfinite(found.tests.value)
    is_right &= (found.tests.missing == UNSEEN) & (found.tests.column != tree.conditions.column[asked])
    is_right &= np.isin(tree.conditions.kind[asked], (THRESHOLD, EQUALS, IN))
    is_right &= (tree.conditions.missing[asked] != UNSEEN) & (found.agreement >= 0) & (found.agreement <= 1)
    is_right &= _fit(found.tests, stored.columns, found.tests.column)
    require(bool(is_right.all()), "a surrogate of the tree cannot stand in for its test")


def branches(conditions: Conditions) -> NDArray[np.int64]:
    """Number of branches of each test."""
    arities = np.full(len(conditions), 2, np.int64)
    is_each = conditions.kind == MULTIWAY
    is_query = conditions.kind == QUERY
    if is_each.any():
        n_categories = np.array([len(column.categories) for column in conditions.columns], np.int64)
        arities[is_each] = (n_categories[conditions.column] + (conditions.missing != UNSEEN))[is_each]
    arities[is_query] = [conditions.extras[int(row)][1] for row in conditions.value[is_query]]
    return arities


def queries_are_relational(stored: Stored) -> None:
    """All tests of a relational tree are queries of two branches, its one column is "row", and no other is a query."""
    is_query = stored.tree.conditions.kind == QUERY
    if stored.estimator not in RELATIONAL:
        require(not is_query.any(), "its tests are queries, but it is not a tree of related tables")
        return
    require(stored.columns == (ROW,), "the one column of a tree of related tables must be 'row'")
    is_right = is_query & (branches(stored.tree.conditions) == 2)
    _require_all(stored.tree, is_right, "is not a query of two branches")


def _require_all(tree: Tree, is_right: NDArray[np.bool_], complaint: str) -> None:
    """Complain about the first split of which something does not hold."""
    if not is_right.all():
        split = int(np.argmin(is_right))
        require(False, f"the test of node {tree.split_nodes[split]} (the tree's test {split}) {complaint}")


def tables_are_whole(stored: Stored) -> None:
    """A relational tree, and no other, has a schema; its keys have columns, and its links as many on either side."""
    if stored.estimator not in RELATIONAL:
        require(stored.schema is None, "it has a schema, but it is not a tree of related tables")
        return
    if stored.schema is None:
        raise DamagedFileError("it lacks its schema")
    for relation in stored.schema.relations.values():
        require(all(relation.keys), f"a key of table {relation.name!r} has no column")
    for link in stored.schema.foreign_keys:
        require(0 < len(link.columns) == len(link.to_columns), f"the link {link} does not lead from column to column")
