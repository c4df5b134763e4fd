"""Groups of columns: no path tests columns that no group has together."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from petree import ProbabilityTreeClassifier, pruning, splitting
from petree.tree import Tree

NAMES = ["a", "b", "c", "d"]
GROUPS = [{"a", "b"}, {"b", 2}]
AS_PLACES = [{0, 1}, {1, 2}, {3}]


def draw_table(seed: int, n_rows: int = 100) -> tuple[dict[str, NDArray[Any]], NDArray[np.int64]]:
    """Numbers and a text, some missing; the class depends on pairs of columns."""
    random = np.random.default_rng(seed)
    X: dict[str, NDArray[Any]] = {name: random.normal(size=n_rows).round(1) for name in NAMES[:3]}
    X["a"][random.random(n_rows) < 0.1] = np.nan
    X["d"] = random.choice(["x", "y", "z"], n_rows)
    signal = (
        np.nan_to_num(X["a"]) * X["b"] + X["b"] * X["c"] + X["c"] * (X["d"] == "x") + random.normal(size=n_rows) / 2
    )
    return X, (signal > 0).astype(np.int64)


def paths(tree: Tree) -> list[frozenset[int]]:
    """The columns that are tested on the way to each node."""
    found = [frozenset[int]()] * tree.n_nodes
    for node in range(1, tree.n_nodes):
        parent = tree.parents[node]
        found[node] = found[parent] | {int(tree.conditions.column[tree.split_start[parent]])}
    return found


def assert_kept(tree: Tree, groups: list[set[int]]) -> None:
    assert all(any(path <= group for group in groups) for path in paths(tree))


def fit(seed: int = 0, interaction_cst: Any = GROUPS, **parameters: Any) -> ProbabilityTreeClassifier:
    chosen = {"pruning": "none", "smoothing": "laplace", "random_state": 0, "n_jobs": 1, **parameters}
    return ProbabilityTreeClassifier(**chosen, interaction_cst=interaction_cst).fit(*draw_table(seed))


KINDS = {
    "pairwise": [set(pair) for pair in combinations(range(4), 2)],
    "no_interactions": [{column} for column in range(4)],
}


@pytest.mark.parametrize("name", list(KINDS))
def test_groups_by_name_are_kept(name: str) -> None:
    tree = fit(interaction_cst=name).tree_
    assert_kept(tree, KINDS[name])
    assert max(map(len, paths(tree))) == len(KINDS[name][0])


@pytest.mark.parametrize("split", list(splitting.MEMBERS))
def test_every_split_score_keeps_the_groups(split: str) -> None:
    tree = fit(split=split).tree_
    assert_kept(tree, AS_PLACES)
    assert max(map(len, paths(tree))) == 2


@pytest.mark.parametrize("member", [alias for alias in pruning.MEMBERS if alias != "subtree_randomisation"])
def test_every_pruning_keeps_the_groups(member: str) -> None:
    assert_kept(fit(pruning=member, min_samples_leaf=3).tree_, AS_PLACES)


def test_subtrees_that_are_grown_again_keep_the_groups() -> None:
    criterion = pruning.SubtreeRandomisation(permutations=5)
    assert_kept(fit(pruning=criterion, min_samples_leaf=20).tree_, AS_PLACES)


def test_what_looks_ahead_keeps_the_groups() -> None:
    assert_kept(fit(lookahead=2).tree_, AS_PLACES)


def test_threads_do_not_change_the_tree() -> None:
    one = fit().tree_
    two = fit(n_jobs=2).tree_
    np.testing.assert_array_equal(one.counts, two.counts)


def test_one_group_of_all_columns_changes_nothing() -> None:
    free = fit(interaction_cst=None)
    bound = fit(interaction_cst=[NAMES])
    np.testing.assert_array_equal(free.tree_.counts, bound.tree_.counts)
    np.testing.assert_array_equal(free.node_probabilities_, bound.node_probabilities_)


def test_columns_that_no_group_has_go_together() -> None:
    tree = fit(interaction_cst=[["a"]]).tree_
    assert_kept(tree, [{0}, {1, 2, 3}])
    assert frozenset({1, 2, 3}) in paths(tree)


def test_tests_are_counted_where_they_may_be_had() -> None:
    tree = fit(interaction_cst="no_interactions").tree_
    free = fit(interaction_cst=None).tree_
    assert tree.n_tests[0] == free.n_tests[0]
    assert (tree.n_tests[1:] < free.n_tests[0]).all()


def test_both_constraints_hold_together() -> None:
    X, y = draw_table(1)
    model = ProbabilityTreeClassifier(pruning="none", interaction_cst=GROUPS, monotonic_cst={"b": 1}).fit(X, y)
    assert_kept(model.tree_, AS_PLACES)
    answers = [model.predict_proba({**X, "b": np.full(100, value)})[:, 1] for value in np.linspace(-3, 3, 13)]
    assert (np.diff(answers, axis=0) >= -1e-12).all()


REFUSED = [
    ("triples", "must be 'pairwise', 'no_interactions', None or a list of groups of columns. Got 'triples'"),
    ([["a", "wage"]], "names 'wage', but X has no such column; its columns are numbered from 0 to 3"),
    ([[4]], "names 4, but X has no such column"),
    ([[0, [1]]], r"names \[1\], but X has no such column"),
    ([["a"], []], "has a group without columns"),
    (["ab"], "a list of groups of columns, such as"),
    (3, "a list of groups of columns, such as"),
]


@pytest.mark.parametrize(("groups", "sentence"), REFUSED, ids=[str(groups) for groups, _ in REFUSED])
def test_what_is_no_group_is_refused(groups: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        fit(interaction_cst=groups)
