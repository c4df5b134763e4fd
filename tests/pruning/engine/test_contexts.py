"""What estimators give to criteria: folds, cases that were held out, trees grown anew."""

from __future__ import annotations

from itertools import combinations, islice
from typing import Any

import numpy as np
import pytest
from tests.pruning.grown import make_cases, make_fitting, make_recipe
from tests.sources.made import make_table

from petree import core
from petree.conditions import Threshold
from petree.estimators.learning.content import Content
from petree.estimators.learning.learner import learn
from petree.estimators.tuning.folds import deal_folds
from petree.growing import Stopping
from petree.keys import combine_keys, path_keys
from petree.pruning import Criterion, ErrorBased, Rand
from petree.threads import Threads


class Spy(Criterion):
    """A criterion that keeps its context and the tree as it is."""

    def __init__(self, asked: tuple[str, ...] = ()) -> None:
        self.asked = asked

    @property
    def needs(self) -> tuple[str, ...]:
        return self.asked

    def _prune(self, tree: Any, context: Any) -> Any:
        self.context_ = context
        return tree


def test_criteria_get_what_they_ask_for_and_no_more() -> None:
    cases = make_cases(*make_table(0, 60, 2))
    given = {}
    for need in ("source", "held_out", "training", "grow_folds", "regrow", "reroute"):
        recipe = make_recipe(Spy((need,)), seed=4)
        learn(recipe, cases, Threads(1))
        given[need] = {name for name, part in vars(recipe.pruning.context_).items() if part is not None}
        assert recipe.pruning.context_.seed == 4
    extra = {"source": {"handles", "keys"}, "held_out": {"read"}}
    assert given == {need: {"seed", need} | extra.get(need, set()) for need in given}


# -- cases held out, and folds -----------------------------------------------------------------------------------------


def test_a_third_of_every_class_is_held_out() -> None:
    frame, codes = make_table(1, 90, 3)
    recipe = make_recipe(Spy(("held_out",)))
    cases = make_cases(frame, codes)
    tree, _ = learn(recipe, cases, Threads(1))
    held_out = recipe.pruning.context_.held_out
    counts = held_out.counts(tree)[0, Content.of(cases).ranks(np.arange(3))]  # it has classes in their own order
    assert (tree.counts[0] + counts).tolist() == np.bincount(codes).tolist()
    np.testing.assert_allclose(counts, np.bincount(codes) / 3, atol=1)
    assert len(held_out) == 30
    assert tree.is_leaf[held_out.leaves].all()
    again = make_recipe(Spy(("held_out",)))
    learn(again, make_cases(frame, codes), Threads(2))
    np.testing.assert_array_equal(again.pruning.context_.held_out.leaves, held_out.leaves)
    other = make_recipe(Spy(("held_out",)), seed=1)
    learn(other, make_cases(frame, codes), Threads(1))
    assert not np.array_equal(other.pruning.context_.held_out.leaves, held_out.leaves)


def test_groups_are_held_out_whole() -> None:
    frame, codes = make_table(2, 80, 2)
    groups = np.repeat([0, 1, 2, 3], [50, 10, 13, 7])
    recipe = make_recipe(Spy(("held_out", "grow_folds")))
    learn(recipe, make_cases(frame, codes, groups=groups), Threads(1))
    sizes = {50, 10, 13, 7}
    assert len(recipe.pruning.context_.held_out) in sizes | {sum(pair) for pair in combinations(sizes, 2)}
    folds = recipe.pruning.context_.grow_folds(10)
    assert len(folds) <= 3  # groups that are left
    assert {int(counts[0].sum()) for _, counts in folds} <= sizes


@pytest.mark.parametrize("n_threads", [1, 3])
def test_folds_are_trees_without_them_and_the_counts_of_their_cases(n_threads: int) -> None:
    frame, codes = make_table(3, 120, 3)
    weights = np.random.default_rng(0).integers(1, 4, 120).astype(float)
    cases, recipe = make_cases(frame, codes, weights), make_recipe(Spy(("grow_folds",)), seed=7)
    learn(recipe, cases, Threads(n_threads))
    folds = recipe.pruning.context_.grow_folds(4)
    for fold, (tree, counts) in zip(deal_folds(cases, 4, 7), folds, strict=True):
        others, left_out = fold.others(), fold.rest()
        alone, _ = learn(make_recipe(), others, Threads(1))
        np.testing.assert_array_equal(tree.counts, alone.counts)
        np.testing.assert_array_equal(counts[0], np.bincount(left_out.codes, left_out.weights, 3))
        for node in np.flatnonzero(~tree.is_leaf):
            np.testing.assert_array_equal(counts[tree.children_of(np.array([node]))].sum(axis=0), counts[node])
        assert counts[tree.is_leaf].sum() == left_out.weights.sum()


def test_training_cases_are_where_they_were_grown() -> None:
    frame, codes = make_table(4, 100, 2)
    weights = np.random.default_rng(1).random(100) + 0.1
    recipe = make_recipe(Spy(("training",)))
    cases = make_cases(frame, codes, weights)
    tree, _ = learn(recipe, cases, Threads(1))
    places = Content.of(cases).ranks(np.arange(2))  # a criterion sees classes in their own order
    np.testing.assert_allclose(recipe.pruning.context_.training.counts(tree)[:, places], tree.counts)
    np.testing.assert_array_equal(recipe.pruning.context_.training.sizes(tree), tree.sizes)


# -- cases that a user makes -------------------------------------------------------------------------------------------


def test_new_cases_are_read_in_the_users_words() -> None:
    frame, codes = make_table(5, 80, 2)
    recipe = make_recipe(Spy(("held_out",)))
    cases = make_cases(frame, codes)
    learn(recipe, cases, Threads(1))
    rows = np.flatnonzero(deal_folds(cases, 3, 0)[0].n_held)
    context = recipe.pruning.context_
    for X in (frame.iloc[rows], {name: frame[name].to_numpy()[rows] for name in frame}):
        again = context.read(X, codes[rows])
        found, expected = ((one.leaves, one.classes) for one in (again, context.held_out))
        assert sorted(zip(*found, strict=True)) == sorted(zip(*expected, strict=True))
    with pytest.raises(ValueError, match="Cases to prune with have 2 columns; the training data have 4"):
        context.read(frame.iloc[:, :2], codes)
    with pytest.raises(ValueError, match="A case to prune with has the class 7, which no training case has"):
        context.read(frame, np.where(codes == 1, 7, codes))
    with pytest.raises(ValueError, match="X has 80 rows, but y has 3"):
        context.read(frame, codes[:3])


# -- trees of permuted classes -----------------------------------------------------------------------------------------


def pruned_as_they_stand(recipe: Any, cases: Any) -> Any:
    """The pruned tree of cases that are not brought into another order."""
    world = make_fitting(recipe, cases)
    return recipe.pruning.prune(world.grown.tree, world.context())


@pytest.mark.parametrize("criterion", [ErrorBased(), Rand(permutations=20)], ids=repr)
@pytest.mark.parametrize("weighted", [False, True])
def test_regrown_trees_are_those_of_tables_with_permuted_classes(criterion: Any, weighted: bool) -> None:
    frame, codes = make_table(6, 70, 3)
    weights = np.random.default_rng(2).integers(1, 3, 70).astype(float) if weighted else None
    recipe, cases = make_recipe(criterion, seed=2), make_cases(frame, codes, weights)
    world = make_fitting(recipe, cases)
    copies = np.repeat(np.arange(70), 1 if weights is None else weights.astype(int))
    for number, tree in enumerate(islice(world.regrow(criterion, 0), 5)):
        drawn = np.empty((1, len(copies)), np.uint16)
        key = combine_keys(path_keys(world.grown.tree, 2)[:1], np.array([number], np.uint64))[0]
        core.permutation.draw_classes(int(key), np.bincount(codes[copies], minlength=3), drawn)
        other = make_cases(frame.iloc[copies], drawn[0].astype(np.int64))
        assert np.bincount(drawn[0]).tolist() == np.bincount(codes[copies]).tolist()
        np.testing.assert_array_equal(tree.counts, pruned_as_they_stand(recipe, other).counts)


def test_a_node_is_regrown_from_its_own_rows_and_no_deeper_than_allowed() -> None:
    frame, codes = make_table(7, 200, 2)
    world = make_fitting(make_recipe(stopping=Stopping(max_depth=3)), make_cases(frame, codes))
    node = int(np.flatnonzero(~world.grown.tree.is_leaf & (world.grown.tree.levels == 2))[0])
    trees = list(islice(world.regrow(Spy(), node), 4))
    assert {tree.depth for tree in trees} == {1}
    assert all(tree.counts[0].tolist() == world.grown.tree.counts[node].tolist() for tree in trees)
    assert len({tree.counts.tobytes() for tree in trees}) > 1


# -- cases sent down other branches ------------------------------------------------------------------------------------


@pytest.mark.parametrize("tests", ["binary", "multiway"])
def test_cases_sent_down_their_own_subtrees_stay_where_they_are(tests: str) -> None:
    frame, codes = make_table(8, 150, 2)
    weights = np.random.default_rng(3).integers(1, 3, 150).astype(float)
    recipe = make_recipe(Spy(("reroute",)), tests)
    tree, _ = learn(recipe, make_cases(frame, codes, weights), Threads(1))
    nodes = tree.by_level()[2].astype(np.intp)
    counts, sizes = recipe.pruning.context_.reroute(tree, nodes, nodes)
    is_below = tree.levels >= 2
    np.testing.assert_array_equal(counts[is_below], tree.counts[is_below])
    np.testing.assert_array_equal(sizes[is_below], tree.sizes[is_below])
    assert not counts[~is_below].any()
    assert not sizes[~is_below].any()


def walk(tree: Any, node: int, row: Any) -> list[int]:
    """Nodes from a given one to the leaf of a row without missing values."""
    path = [node]
    while not tree.node(node).is_leaf:
        condition = tree.node(node).conditions[0]
        value = row[condition.column.name]
        if isinstance(condition, Threshold):
            holds = value < condition.threshold
        else:
            holds = value == condition.column.categories[condition.code]
        node = tree.node(node).children[0][0 if holds else 1]
        path.append(node)
    return path


def test_cases_sent_down_another_branch_are_sorted_by_its_tests() -> None:
    frame, codes = make_table(9, 150, 2)
    complete = frame.notna().all(axis=1).to_numpy()
    frame, codes = frame[complete].reset_index(drop=True), codes[complete]
    recipe = make_recipe(Spy(("reroute", "training")))
    cases = make_cases(frame, codes)
    tree, _ = learn(recipe, cases, Threads(1))
    codes = Content.of(cases).ranks(codes)  # a criterion sees classes in their own order
    paths = [walk(tree, 0, row) for _, row in frame.iterrows()]
    inner = np.flatnonzero(~tree.is_leaf & (tree.levels == 1))
    starts = np.array([tree.children_of(np.array([node]))[0] for node in inner], np.intp)
    counts, sizes = recipe.pruning.context_.reroute(tree, inner, starts)
    expected = np.zeros(tree.counts.shape)
    for row, path in enumerate(paths):
        for node, start in zip(inner, starts, strict=True):
            if node in path:
                for reached in walk(tree, int(start), frame.iloc[row]):
                    expected[reached, codes[row]] += 1
    np.testing.assert_array_equal(counts, expected)
    np.testing.assert_array_equal(sizes, expected.sum(axis=1))
    assert len(inner) > 0
