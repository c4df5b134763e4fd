"""What holds of every model that a file keeps: the one list of it.

A model is checked before it is written, and as a whole after it was read, before any estimator or compiled loop sees
it. The first line of each check's docstring is what holds; docs/model-files.md has the same list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.columns import NOMINAL, NUMBER
from petree.conditions import EQUALS, IN, MULTIWAY, QUERY, THRESHOLD, UNSEEN, Conditions
from petree.estimators.relational_recipe import ROW
from petree.estimators.stored import Stored
from petree.smoothing import Average, Shrinkage
from petree.storage.values import DamagedFileError, require
from petree.tree import Tree, ranges

# Beyond it not every whole number is a float; fit takes no more weight either.
LARGEST_WHOLE = 2**53
# Estimates in a smoothing, and steps of EM at each node: a file must not be able to keep a reader busy for hours.
MOST_ESTIMATES = 20
MOST_ITERATIONS = 1000
# Sums of counts differ by no more than this part of them.
ROUNDING = 1e-9
OPTION, RELATIONAL = "OptionTreeClassifier", "RelationalTreeClassifier"


def check(stored: Stored) -> None:
    """Raise for the first invariant that does not hold."""
    for holds in INVARIANTS:
        holds(stored)


# -- columns, classes and numbers -------------------------------------------------------------------------------


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


# -- tests ------------------------------------------------------------------------------------------------------


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
    kinds = np.array([column.kind for column in stored.columns])[asked]
    n_categories = np.array([len(column.categories) for column in stored.columns])[asked]
    _require_all(stored.tree, _fit(conditions, kinds, n_categories), "is not a test of these columns")


def _fit(conditions: Conditions, kinds: NDArray[np.str_], n_categories: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether each test may ask a column of such a kind, with so many categories."""
    code, is_number = np.ceil(conditions.value), kinds == NUMBER
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
    arities, missing = branches(tree.conditions), tree.conditions.missing
    is_right = (arities == np.diff(tree.child_start)) & (arities >= 2)
    _require_all(tree, is_right, "has not as many children as branches, or fewer than two")
    is_branch = (missing >= UNSEEN) & (missing < arities)
    is_branch &= (tree.conditions.kind != MULTIWAY) | (missing == UNSEEN) | (missing == arities - 1)
    _require_all(tree, is_branch, "sends missing values to a branch that is not for them")


def branches(conditions: Conditions) -> NDArray[np.int64]:
    """Number of branches of each test."""
    arities = np.full(len(conditions), 2, np.int64)
    is_each, is_query = conditions.kind == MULTIWAY, conditions.kind == QUERY
    if is_each.any():
        n_categories = np.array([len(column.categories) for column in conditions.columns], np.int64)
        arities[is_each] = (n_categories[conditions.column] + (conditions.missing != UNSEEN))[is_each]
    arities[is_query] = [conditions.extras[int(row)][1] for row in conditions.value[is_query]]
    return arities


def queries_are_relational(stored: Stored) -> None:
    """All tests of a relational tree are queries of two branches, its one column is "row", and no other is a query."""
    is_query = stored.tree.conditions.kind == QUERY
    if stored.estimator != RELATIONAL:
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
    if stored.estimator != RELATIONAL:
        require(stored.schema is None, "it has a schema, but it is not a tree of related tables")
        return
    if stored.schema is None:
        raise DamagedFileError("it lacks its schema")
    for relation in stored.schema.relations.values():
        require(all(relation.keys), f"a key of table {relation.name!r} has no column")
    for link in stored.schema.foreign_keys:
        require(0 < len(link.columns) == len(link.to_columns), f"the link {link} does not lead from column to column")


# -- how nodes hang together --------------------------------------------------------------------------------------


def every_node_is_a_child(stored: Stored) -> None:
    """Every node but the root is a child, and children stand behind their parents."""
    tree = stored.tree
    n_siblings = np.diff(tree.child_start)
    is_behind = bool((tree.children > np.repeat(tree.split_nodes, n_siblings)).all())
    require(
        is_behind and np.array_equal(np.unique(tree.children), np.arange(1, tree.n_nodes)),
        "the tests of the tree do not lead to each of its nodes, parents before children",
    )


def only_options_share(stored: Stored) -> None:
    """Only in an option tree has a node several tests, or several parents; in others siblings stand side by side."""
    tree = stored.tree
    if stored.estimator == OPTION:
        return
    require(not tree.is_dag, "a node of the tree has several tests or parents, but it is no option tree")
    firsts = tree.children[tree.child_start[:-1]]
    are_together = np.array_equal(tree.children, ranges(firsts, firsts + np.diff(tree.child_start)))
    require(are_together, "siblings of the tree do not stand side by side")


def ways_are_of_one_length(stored: Stored) -> None:
    """All ways from the root to a node are of one length."""
    tree = stored.tree
    if not tree.is_dag:
        return
    seen, level = np.zeros(tree.n_nodes, bool), np.zeros(1, np.intp)
    while len(level):
        require(not seen[level].any(), "a node stands at two levels of the tree")
        seen[level] = True
        level = np.unique(tree.children_of(level)).astype(np.intp)


# -- cases ----------------------------------------------------------------------------------------------------------


def cases_add_up(stored: Stored) -> None:
    """Counts and sizes of the children of a split add up to those of its node, and a child has cases.

    To rounding. It need not hold where the file says that counts were replaced, which those of option trees never are.
    """
    is_free = stored.counts_replaced and stored.estimator != OPTION
    require(is_free or do_add_up(stored.tree), "the counts of the children of a test do not add up to its node's")


def do_add_up(tree: Tree) -> bool:
    """Whether the cases of each node are those of its children, by each of its tests."""
    with np.errstate(over="ignore", invalid="ignore"):
        return not len(tree.conditions) or _do_add_up(tree)


def _do_add_up(tree: Tree) -> bool:
    totals, starts = tree.counts.sum(axis=1, dtype=np.float64), tree.child_start[:-1]
    sums = np.add.reduceat(tree.counts[tree.children], starts)
    sizes = np.add.reduceat(tree.sizes[tree.children].astype(np.float64), starts)
    error = np.abs(sums - tree.counts[tree.split_nodes]).max(axis=1)
    is_right = (error <= ROUNDING * totals[tree.split_nodes]) & (sums.sum(axis=1) > 0)
    return bool((is_right & (sizes == tree.sizes[tree.split_nodes])).all())


def no_case_is_twice_in_a_tree(stored: Stored) -> None:
    """Whichever tests of an option tree are chosen, they lead to each node that has cases by one way at most.

    It is enough that no choice leads to more such nodes than there are, which also bounds the single trees read off it.
    """
    tree = stored.tree
    if not tree.is_dag:
        return
    has_cases = (tree.counts.sum(axis=1) > 0).astype(np.float64)
    most = has_cases.copy()
    for level in tree.by_level()[::-1]:
        nodes = level[~tree.is_leaf[level]]
        own = ranges(tree.split_start[nodes], tree.split_start[nodes + 1])
        if len(own):
            below = np.add.reduceat(most[tree.children_of(nodes)], _starts(np.diff(tree.child_start)[own]))
            most[nodes] += np.maximum.reduceat(below, _starts(np.diff(tree.split_start)[nodes]))
    require(bool(most[0] <= has_cases.sum()), "the same cases stand twice in one of the trees of the option tree")


def _starts(lengths: NDArray[np.int32]) -> NDArray[np.intp]:
    return np.cumsum(lengths, dtype=np.intp) - lengths


# -- notes and settings ---------------------------------------------------------------------------------------------


def notes_are_finite(stored: Stored) -> None:
    """Annotations are finite numbers, one a node or a split, or null; every split of an option tree has a penalty."""
    tree = stored.tree
    for notes, length in ((tree.annotations, tree.n_nodes), (tree.split_annotations, len(tree.conditions))):
        for name, values in notes.items():
            is_right = values.dtype.kind in "biuf" and len(values) == length and not np.isinf(values).any()
            require(bool(is_right), f"the annotation {name!r} of the tree holds something other than finite numbers")
    if stored.estimator == OPTION:
        penalties = tree.split_annotations.get("cut_penalty")
        require(penalties is not None and not np.isnan(penalties).any(), "the tree lacks the penalties of its cuts")


def work_is_bounded(stored: Stored) -> None:
    """No smoothing is made of more than 20 estimates, or takes more than 1000 steps of EM."""
    for smoothing in (stored.smoothing, stored.parameters.get("smoothing")):
        estimates = list(islice(_estimates(smoothing), MOST_ESTIMATES + 1))
        require(len(estimates) <= MOST_ESTIMATES, f"a smoothing is made of more than {MOST_ESTIMATES} estimates")
        shrinkages = [one for one in estimates if isinstance(one, Shrinkage)]
        steps = [int(one.iterations) for one in shrinkages if isinstance(one.iterations, Integral)]
        require(sum(steps) <= MOST_ITERATIONS, f"a smoothing takes more than {MOST_ITERATIONS} iterations")


def leaves_are_worth_something(stored: Stored) -> None:
    """What the cases of a leaf are worth is finite and more than 0, and so is the most, or it is infinite.

    Leaves of an option tree tell their own certainty.
    """
    certainty = stored.certainty
    if certainty is None:
        return
    require(stored.estimator != OPTION, "an option tree has no certainty")
    is_right = 0 < certainty.each < np.inf and certainty.most > 0
    require(is_right, "the numbers of its certainty are not more than 0")


def _estimates(smoothing: Any) -> Iterator[Any]:
    """A smoothing, and those in it."""
    yield smoothing
    parts = smoothing.parts if isinstance(smoothing, Average) else getattr(smoothing, "leaf", None)
    for part in parts if isinstance(parts, (list, tuple)) else [parts] if parts is not None else []:
        yield from _estimates(part)


INVARIANTS: tuple[Callable[[Stored], None], ...] = (
    columns_are_told_apart,
    categories_are_told_apart,
    counts_are_finite,
    whole_numbers_are_in_range,
    class_weights_are_finite,
    tests_fit_their_columns,
    splits_have_their_branches,
    queries_are_relational,
    tables_are_whole,
    every_node_is_a_child,
    only_options_share,
    ways_are_of_one_length,
    cases_add_up,
    no_case_is_twice_in_a_tree,
    notes_are_finite,
    work_is_bounded,
    leaves_are_worth_something,
)
