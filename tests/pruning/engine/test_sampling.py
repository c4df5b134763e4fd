"""Pruning with other cases for every decision."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare, hypergeom
from tests.families.splits import entropy
from tests.oracles.cases import (
    Case,
    PlainReducedError,
    plain_sampled,
    plain_select,
    sampled_cost,
)
from tests.oracles.pruning import PlainNode, exception_bits, plain_tree, shape
from tests.oracles.pruning_by_errors import c45_errors
from tests.pruning.engine.held_out import WORKED, reached, those_that_reach, trees_and_cases
from tests.pruning.trees import trees

from petree import core
from petree.keys import path_keys
from petree.pruning import BIC, MDL, ErrorBased, QuinlanRivest, ReducedError, Sampled
from petree.pruning.engine.context import Context
from petree.pruning.engine.routed_cases import RoutedCases
from petree.tree import Tree


def draw_as_keyed(tree: Tree, cases: list[Case], alpha: float, seed: int) -> Callable[[PlainNode], list[Case]]:
    """The cases that a node of a given key draws."""
    keys, n_drawn = path_keys(tree, seed), max(int(np.rint(alpha * len(cases))), 1)

    def draw(node: PlainNode) -> list[Case]:
        here = those_that_reach(node, cases)
        drawn = plain_select(int(keys[node.index]), len(here), len(cases), n_drawn)
        return [case for case, is_drawn in zip(here, drawn, strict=True) if is_drawn]

    return draw


# -- samples -----------------------------------------------------------------------------------------------------------


@given(key=st.integers(0, 2**64 - 1), n_cases=st.integers(1, 40), data=st.data())
def test_selecting_is_what_plain_python_selects(key: int, n_cases: int, data: Any) -> None:
    n_here, n_drawn = data.draw(st.integers(0, n_cases)), data.draw(st.integers(0, n_cases))
    is_drawn = np.zeros(n_here, bool)
    core.draws.select(np.array([key], np.uint64), np.array([0, n_here]), n_cases, n_drawn, is_drawn)
    assert is_drawn.tolist() == plain_select(key, n_here, n_cases, n_drawn)
    if n_here == n_cases:
        assert is_drawn.sum() == n_drawn


def test_selections_are_hypergeometric_and_no_case_is_preferred() -> None:
    n_nodes, n_here, n_cases, n_drawn = 20_000, 8, 20, 10
    keys = path_keys(WORKED, 5)[0] + np.arange(n_nodes, dtype=np.uint64) * np.uint64(7919)
    is_drawn = np.zeros(n_nodes * n_here, bool)
    core.draws.select(keys, np.arange(n_nodes + 1) * n_here, n_cases, n_drawn, is_drawn)
    is_drawn = is_drawn.reshape(n_nodes, n_here)
    seen = np.bincount(is_drawn.sum(axis=1), minlength=9)
    expected = hypergeom(n_cases, n_here, n_drawn).pmf(range(9)) * n_nodes
    assert chisquare(seen[1:8], expected[1:8] * seen[1:8].sum() / expected[1:8].sum()).pvalue > 1e-4
    np.testing.assert_allclose(is_drawn.mean(axis=0), 0.5, atol=0.02)


@pytest.mark.parametrize("label", ["pruning", "training"])
@given(drawn=trees_and_cases(), alpha=st.sampled_from((0.2, 0.5, 0.9)), seed=st.integers(0, 3))
def test_sampled_reduced_error_is_what_the_definition_leaves(label: str, drawn: Any, alpha: float, seed: int) -> None:
    tree, cases = drawn
    pruned = ReducedError(label, alpha).prune(tree, Context(held_out=reached(tree, cases), seed=seed))
    root = plain_tree(tree)
    plain = plain_sampled(root, draw_as_keyed(tree, cases, alpha, seed), PlainReducedError(root, label))
    assert shape(plain_tree(pruned)) == shape(plain)


@given(drawn=trees_and_cases())
def test_a_sample_of_nearly_all_cases_is_all_of_them(drawn: Any) -> None:
    """Drawing all cases for every decision is plain reduced-error pruning, verdict by verdict."""
    tree, cases = drawn
    context = Context(held_out=reached(tree, cases))
    logs = [ReducedError(alpha=alpha).prune(tree, context).pruning_log for alpha in (1.0, 1 - 1e-9)]
    np.testing.assert_array_equal(logs[0].verdicts.statistic, logs[1].verdicts.statistic)
    np.testing.assert_array_equal(logs[0].verdicts.threshold, logs[1].verdicts.threshold)
    np.testing.assert_array_equal(logs[0].cut, logs[1].cut)


@pytest.mark.parametrize("alpha", [1e-9, 0.01])
def test_the_smallest_share_is_one_case(alpha: float) -> None:
    tree = Tree.from_counts([[9, 1], [1, 9]])
    cases = reached(tree, [(1, 0), (2, 1), (1, 0), (2, 1)])
    drawn = ReducedError("training", alpha).prune(tree, Context(held_out=cases)).pruning_log.verdicts
    assert sorted((*drawn.statistic, *drawn.threshold)) in ([0, 0], [0, 1])
    every = {
        bool(ReducedError("training", alpha).prune(tree, Context(held_out=cases, seed=seed)).n_leaves == 2)
        for seed in range(20)
    }
    assert every == {True, False}  # a case of the second class decides for the subtree, one of the first against it
    sampled = Sampled(alpha=alpha).prune(tree, Context(training=cases)).pruning_log.verdicts
    # U of one case without error is 1 - 0.25; without any case it would be 0.
    assert (*sampled.statistic, *sampled.threshold) == (pytest.approx(0.75), pytest.approx(0.75))


@given(drawn=trees_and_cases(), seed=st.integers(0, 10**6))
def test_fresh_cases_decide_node_by_node(drawn: Any, seed: int) -> None:
    tree, cases = drawn

    def maker() -> Callable[[int], tuple[list[int], list[int]]]:
        random, leaves = np.random.default_rng(seed), np.flatnonzero(tree.is_leaf)
        return lambda n: (random.choice(leaves, n).tolist(), random.integers(0, tree.n_classes, n).tolist())

    def read(X: list[int], y: list[int]) -> RoutedCases:
        return reached(tree, list(zip(X, y, strict=True)))

    context = Context(held_out=reached(tree, cases), read=read)
    pruned = ReducedError(fresh=maker()).prune(tree, context)
    make, root = maker(), plain_tree(tree)
    plain = plain_sampled(
        root,
        lambda node: those_that_reach(node, list(zip(*make(len(cases)), strict=True))),
        PlainReducedError(root, "pruning"),
    )
    assert shape(plain_tree(pruned)) == shape(plain)


# -- samples of the training cases ------------------------------------------------------------------------------------


def bits_of(counts: list[float]) -> float:
    return sum(counts) * entropy(counts)


def rivest_bits(counts: list[float]) -> float:
    return 1 + np.log2(len(counts)) + exception_bits(counts, 1.0)


def description_price(node: PlainNode, n_cases: float, mdl: bool) -> float:
    leaf = mdl + 0.5 * (len(node.counts) - 1) * np.log2(max(n_cases, 1.0))
    return mdl * (1 + np.log2(node.n_tests)) + (len(node.children) - 1) * leaf


def predicted(counts: list[float]) -> float:
    return c45_errors(sum(counts), sum(counts) - max(counts))


SAMPLED = [
    (ErrorBased(), predicted, lambda node, n_cases: 0.0),
    (MDL(), bits_of, partial(description_price, mdl=True)),
    (BIC(keep_equal=True), bits_of, partial(description_price, mdl=False)),
    (QuinlanRivest(), rivest_bits, lambda node, n_cases: 1 + np.log2(node.n_tests)),
]


@pytest.mark.parametrize(("criterion", "leaf_cost", "price"), SAMPLED, ids=["ebp", "mdl", "bic", "rivest"])
@given(drawn=trees_and_cases(), alpha=st.sampled_from((0.3, 0.5, 1.0)), seed=st.integers(0, 3))
def test_sampled_criteria_are_what_the_definition_leaves(
    criterion: Any, leaf_cost: Any, price: Any, drawn: Any, alpha: float, seed: int
) -> None:
    tree, cases = drawn
    keeps_equal = isinstance(criterion, ErrorBased) or getattr(criterion, "keep_equal", False)

    def decide(subtree: PlainNode, grown: PlainNode, drawn_cases: list[Case]) -> bool:
        n_cases = alpha * tree.counts[0].sum()
        below, leaf = sampled_cost(subtree, grown, drawn_cases, leaf_cost, lambda node: price(node, n_cases))
        return below <= leaf + 1e-9 if keeps_equal else below < leaf - 1e-9

    pruned = Sampled(criterion, alpha).prune(tree, Context(training=reached(tree, cases), seed=seed))
    plain = plain_sampled(plain_tree(tree), draw_as_keyed(tree, cases, alpha, seed), decide)
    assert shape(plain_tree(pruned)) == shape(plain)


@pytest.mark.parametrize("criterion", [ErrorBased(), MDL(), BIC(), QuinlanRivest()], ids=repr)
@given(tree=trees())
def test_a_sample_of_all_training_cases_is_the_criterion_itself(criterion: Any, tree: Tree) -> None:
    leaves = np.flatnonzero(tree.is_leaf)
    counts = tree.counts[leaves].astype(np.intp).ravel()
    cells = np.repeat(np.arange(len(counts)), counts)
    cases = RoutedCases(leaves[cells // tree.n_classes], cells % tree.n_classes, np.ones(len(cells)))
    sampled, plain = Sampled(criterion, 1.0).prune(tree, Context(training=cases)), criterion.prune(tree)
    assert shape(plain_tree(sampled)) == shape(plain_tree(plain))


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("member", "error", "sentence"),
    [
        (ReducedError("majority"), ValueError, "'label' parameter of ReducedError must be one of pruning, training"),
        (ReducedError(alpha=0), ValueError, "'alpha' parameter of ReducedError must be .* above 0 and not above 1"),
        (ReducedError(fresh=3), TypeError, "'fresh' parameter of ReducedError must be None or callable. Got 3"),
        (ReducedError(alpha=0.5, fresh=len), ValueError, "a share 'alpha' of held-out cases, or 'fresh' ones"),
        (ReducedError(), ValueError, "ReducedError needs cases that the tree was not grown from, not only the counts"),
        (Sampled(alpha=2), ValueError, "'alpha' parameter of Sampled must be .* above 0 and not above 1. Got 2"),
        (Sampled(), ValueError, "Sampled needs the training data, not only the counts of a tree"),
    ],
)
def test_bad_parameters_and_missing_data_are_refused(member: Any, error: type, sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        member.prune(WORKED)


@pytest.mark.parametrize(
    ("made", "error", "sentence"),
    [
        (None, TypeError, r"'fresh' parameter of ReducedError must return a pair \(X, y\) .* Got None instead"),
        (([3], [0], [1]), TypeError, r"must return a pair \(X, y\) of as many cases as it is asked for. Got tuple"),
        (([3], [0]), ValueError, "'fresh' parameter of ReducedError was asked for 2 cases, but returned 1."),
        (([3, 4, 5], [0, 1, 1]), ValueError, "was asked for 2 cases, but returned 3."),
    ],
)
def test_fresh_cases_are_as_many_as_were_asked_for(made: Any, error: type, sentence: str) -> None:
    def read(X: list[int], y: list[int]) -> RoutedCases:
        return reached(WORKED, list(zip(X, y, strict=True)))

    context = Context(held_out=reached(WORKED, [(3, 0), (4, 1)]), read=read)
    with pytest.raises(error, match=sentence):
        ReducedError(fresh=lambda n: made).prune(WORKED, context)


@pytest.mark.parametrize(
    "criterion", [MDL(when="pre"), MDL(by="stump"), ErrorBased(raising=True), ErrorBased(collapsing=True), "mdl"]
)
def test_only_criteria_that_compare_subtrees_by_cost_are_sampled(criterion: Any) -> None:
    with pytest.raises(ValueError, match="'criterion' parameter of Sampled must compare subtrees by costs"):
        Sampled(criterion).prune(WORKED, Context(training=reached(WORKED, [(3, 0)])))
