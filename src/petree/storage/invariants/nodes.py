"""What holds of how nodes hang together, and of the cases in them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.estimators.stored import Stored
from petree.storage.values import require
from petree.tree import Tree, ranges

# Sums of counts differ by no more than this part of them.
ROUNDING = 1e-9
OPTION = ("OptionTreeClassifier", "RelationalOptionTreeClassifier")


def every_node_is_a_child(stored: Stored) -> None:
    """Every node but the root is a child, and children stand behind their parents."""
    tree = stored.tree
    is_behind = bool((tree.children > np.repeat(tree.split_nodes, np.diff(tree.child_start))).all())
    require(
        is_behind and np.array_equal(np.unique(tree.children), np.arange(1, tree.n_nodes)),
        "the tests of the tree do not lead to each of its nodes, parents before children",
    )


def only_options_share(stored: Stored) -> None:
    """Only in an option tree has a node several tests, or several parents; in others siblings stand side by side."""
    tree = stored.tree
    if stored.estimator in OPTION:
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
    seen = np.zeros(tree.n_nodes, bool)
    level = np.zeros(1, np.intp)
    while len(level):
        require(not seen[level].any(), "a node stands at two levels of the tree")
        seen[level] = True
        level = np.unique(tree.children_of(level)).astype(np.intp)


def cases_add_up(stored: Stored) -> None:
    """Counts and sizes of the children of a split add up to those of its node, and a child has cases.

    To rounding; where rows were divided, sizes are rounded themselves. It need not hold where the file says that counts
    were replaced, which those of option trees never are.
    """
    is_free = stored.counts_replaced and stored.estimator not in OPTION
    require(is_free or do_add_up(stored.tree), "the counts of the children of a test do not add up to its node's")


def do_add_up(tree: Tree) -> bool:
    """Whether the cases of each node are those of its children, by each of its tests."""
    with np.errstate(over="ignore", invalid="ignore"):
        return not len(tree.conditions) or _do_add_up(tree)


def _do_add_up(tree: Tree) -> bool:
    totals = tree.counts.sum(axis=1, dtype=np.float64)
    starts = tree.child_start[:-1]
    sums = np.add.reduceat(tree.counts[tree.children], starts)
    sizes = np.add.reduceat(tree.sizes[tree.children].astype(np.float64), starts)
    error = np.abs(sums - tree.counts[tree.split_nodes]).max(axis=1)
    is_right = (error <= ROUNDING * totals[tree.split_nodes]) & (sums.sum(axis=1) > 0)
    is_whole = bool((tree.counts == np.rint(tree.counts)).all())
    most = 0.0 if is_whole else (np.diff(tree.child_start) + 1) / 2  # half a row each
    return bool((is_right & (np.abs(sizes - tree.sizes[tree.split_nodes]) <= most)).all())


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
