"""Tests that speak for the splits above them: the rule, both criteria, and trees of noise."""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.correction import cases, prune_unsupported
from tests.oracles.pruning import PlainNode, plain_tree, shape
from tests.plain import plain_classifier
from tests.pruning.trees import trees
from tests.sources.made import grow_all, make_source, make_table

from petree.keys import path_keys
from petree.pruning import Chi, Rand
from petree.pruning.criteria.significance.rand import MOST_TIMES, log2_chance
from petree.pruning.engine.context import Context
from petree.pruning.engine.correction import prune_by_corrected_tests, topmost
from petree.pruning.engine.permutation_tests import PermutationTests
from petree.pruning.engine.stumps import Stumps, inner_nodes
from petree.reading import why
from petree.tree import Tree


def kept(tree: Tree) -> set[int]:
    """Inner nodes of the grown tree that are left."""
    log = tree.pruning_log
    return {int(i) for i in inner_nodes(log.grown)} - {node for cut in log.cut for node in below(log.grown, int(cut))}


def below(tree: Tree, node: int) -> set[int]:
    """A node, and all nodes below it."""
    return {node}.union(*(below(tree, child) for child in tree.children_of(np.array([node])).tolist()))


# -- the rule ----------------------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(tree=trees(), seed=st.integers(0, 10**6))
def test_the_rule_is_what_its_definition_says(tree: Tree, seed: int) -> None:
    """Every test has a p of its own, often small; alpha is 0.05."""
    chances = np.random.default_rng(seed).random(tree.n_nodes) ** np.random.default_rng(seed).choice([1, 4, 12])
    counts = np.where(tree.counts.sum(axis=1) > 0, tree.counts.sum(axis=1), 1)
    asked: list[float] = []

    def supported(stumps: Stumps, most: Any) -> Any:
        asked.extend(most / counts[stumps.nodes])
        spoken = 0.05 * counts[stumps.nodes] / chances[stumps.nodes]
        return np.where(spoken > most, most + 7, spoken)  # beyond what is asked for nothing is promised

    pruned = prune_by_corrected_tests("test", tree, supported).pruned()
    expected = prune_unsupported(plain_tree(tree), lambda node, times: chances[node.index] <= 0.05 / times)
    assert shape(plain_tree(pruned)) == shape(expected)
    assert min(asked, default=1) >= 1  # nobody is asked for less than its own cases


def test_topmost_nodes_of_a_worked_tree() -> None:
    tree = Tree.from_counts([[[3, 1], [[2, 2], [1, 0]]], [[4, 4], [1, 2]]])
    nodes = {tuple(counts): node for node, counts in enumerate(tree.counts.tolist())}
    inner, deep = nodes[6, 3], nodes[3, 2]
    top = topmost(tree, np.array([inner, deep]))
    assert {node for node in range(tree.n_nodes) if top[node] == inner} == below(tree, inner)
    assert (top[[node for node in range(tree.n_nodes) if node not in below(tree, inner)]] == -1).all()


# -- chi ---------------------------------------------------------------------------------------------------------------


@settings(max_examples=20)
@given(tree=trees(), alpha=st.sampled_from((0.05, 0.5)))
def test_chi_lies_between_before_and_after(tree: Tree, alpha: float) -> None:
    before, between, after = (
        kept(Chi(alpha, when=when, correction=correction).prune(tree))
        for when, correction in (("pre", None), ("post", "cases"), ("post", None))
    )
    assert before <= between <= after


@pytest.mark.parametrize(
    ("n_above", "is_left"),
    # a perfect test of 10 + 10 cases: X^2 = 20, p = 7.744e-6, G = 27.7; for n cases it needs 20 * 0.05 / p = 129128
    [(100_000, True), (129_000, True), (129_300, False)],
)
def test_chi_speaks_for_as_many_cases_as_its_chance_allows(n_above: int, is_left: bool) -> None:
    half = (n_above - 20) // 4
    tree = Tree.from_counts([[[[10, 0], [0, 10]], [half, half]], [half, half]])
    assert tree.counts[0].sum() == pytest.approx(n_above, abs=4)
    assert Chi().prune(tree).n_leaves == 4
    assert Chi(when="pre").prune(tree).n_leaves == 1
    assert (Chi(correction="cases").prune(tree).n_leaves > 1) == is_left


def test_a_case_that_stands_alone_does_not_speak_by_its_chi_square() -> None:
    """1 of 1000 cases is of another class and alone: X^2 = 1000, G = 15.8 (p = 7.0e-5)."""
    tree = Tree.from_counts([[[1, 0], [0, 999]], [500, 500]])
    assert Chi(alpha=1e-4).prune(tree).n_leaves == 3
    stumps = Stumps.of(tree, np.array([1]))
    supported = Chi(alpha=1e-4, correction="cases").supported_cases(stumps, Context(), np.array([1e9]))
    assert supported == pytest.approx([1423.6], rel=0.01)
    own_test = Chi(alpha=1e-5, correction="cases").supported_cases(stumps, Context(), np.array([1e9]))
    assert own_test == [1000]  # that is X^2


# -- rand --------------------------------------------------------------------------------------------------------------


def world(seed: int, n_rows: int, n_classes: int = 2, **options: Any) -> tuple[Tree, Context]:
    """A table whose class depends on two columns together more than on any by itself."""
    frame, classes = make_table(seed, n_rows, n_classes)
    is_odd = (frame["two"] == "u").to_numpy() != (frame["small"] > 1).to_numpy()
    is_clear = np.random.default_rng(seed).random(n_rows) < 0.6
    classes[n_classes:] = np.where(is_clear, is_odd, classes)[n_classes:]
    source = make_source(frame, classes, **options)
    grown = grow_all(source)
    return grown.tree, Context(source, grown.handles, path_keys(grown.tree, seed))


@pytest.mark.parametrize("seed", range(8))
def test_rand_counts_the_permutations_of_its_definition(seed: int) -> None:
    """Of ``R n_v / n_w`` permutations of w as many may do as well as otherwise of R: counted anew for every pair.

    Or, for gain, its chance is known to be small enough.
    """
    tree, context = world(seed, 40 + 15 * seed, 2 + seed % 2, split="gini" if seed % 4 == 3 else "gain")

    def count(node: PlainNode, times: float) -> int:
        at, n_permutations = np.array([node.index]), np.array([ceil(20 * times - 1e-9)])
        known = context.handles[at], tree.counts[at], context.keys[at], tree.annotations["gain"][at]
        found, _ = context.source.exceedances(PermutationTests(*known, n_permutations, 10**6))
        return int(found[0])

    def passes(node: PlainNode, times: float) -> bool:
        at = np.array([node.index])
        chance = 2.0 ** log2_chance(tree.counts[at], tree.annotations["gain"][at], tree.n_tests[at])[0]
        is_bounded = context.source.is_plain_gain and times > 1 and chance <= 0.1 / times
        return count(node, times) <= 2 or (is_bounded and count(node, 1) <= 2)

    root = plain_tree(tree)
    assert cases(root) / min(cases(node) for node in root.inner) < MOST_TIMES
    pruned = Rand(0.1, 20, correction="cases").prune(tree, context)
    assert shape(plain_tree(pruned)) == shape(prune_unsupported(root, passes))


def test_rand_lies_between_before_and_after() -> None:
    sizes = []
    for seed in range(8):
        tree, context = world(seed, 60)
        before, between, after = (
            kept(Rand(0.1, 20, when, correction).prune(tree, context))
            for when, correction in (("pre", None), ("post", "cases"), ("post", None))
        )
        assert before <= between <= after
        sizes.append([len(before), len(between), len(after)])
    assert all(np.diff(np.sum(sizes, axis=0)) > 0)


def test_beyond_a_hundred_times_the_permutations_only_a_bound_speaks() -> None:
    """A test that no permutation comes up to speaks for 100 times its cases, or for all if its gain is large enough."""
    for n_rows, is_enough in ((18, False), (120, True)):
        frame, _ = make_table(0, n_rows, 2)
        frame["sure"] = np.repeat(["u", "v"], n_rows // 2)
        source = make_source(frame, np.repeat([0, 1], n_rows // 2))
        grown = grow_all(source)
        stumps, context = Stumps.of(grown.tree, np.array([0])), Context(source, grown.handles, path_keys(grown.tree, 0))
        criterion, n_cases = Rand(correction="cases"), np.array([float(n_rows)])
        spoken = criterion.supported_cases(stumps, context, 1e7 * n_cases)
        assert spoken >= 1e7 * n_cases if is_enough else spoken == MOST_TIMES * n_cases
        assert criterion.supported_cases(stumps, context, 3 * n_cases) >= 3 * n_cases


@pytest.mark.parametrize("split", ["gain", "gini"])
def test_threads_do_not_matter(split: str) -> None:
    logs = []
    for n_threads in (1, 3):
        tree, context = world(5, 400, 3, split=split, n_threads=n_threads)
        logs.append(Rand(0.1, 20, correction="cases").prune(tree, context).pruning_log)
    np.testing.assert_array_equal(logs[0].verdicts.statistic, logs[1].verdicts.statistic)


# -- what users see ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("member", [Rand, Chi])
@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"correction": "level"}, "'correction' parameter of {} must be None or 'cases'. Got 'level' instead"),
        ({"correction": "cases", "when": "pre"}, "'correction' parameter of {} is for when='post', .* leave it out"),
    ],
)
def test_bad_corrections_are_refused_before_and_after_growing(member: Any, parameters: Any, sentence: str) -> None:
    criterion, (tree, context) = member(**parameters), world(0, 40)
    with pytest.raises(ValueError, match=sentence.format(member.__name__)):
        criterion.prune(tree, context)
    with pytest.raises(ValueError, match=sentence.format(member.__name__)):
        plain_classifier(pruning=criterion).fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 1, 0])


def test_the_log_tells_who_is_spoken_for() -> None:
    tree = Tree.from_counts([[[12, 0], [3, 5]], [[1, 9], [6, 4]]], n_tests=6)
    pruned = Chi(correction="cases").prune(tree)
    # left: X^2 = 10, p = 0.001565, so it speaks for 20 * 0.05 / 6 / p = 106.5 cases; right: p = 0.01908, so for 8.735
    found = "Cases that significant tests at or below it speak for: 8.74; cases at the node: 20."
    assert why(pruned) == [f"if not test 0: test 2 (2 leaves, n=20) was cut. {found}"]
    log = pruned.pruning_log
    assert log.nodes.tolist() == [0, 1, 2]
    assert log.verdicts.statistic[:2] == pytest.approx([40, 40])
    assert log.verdicts.threshold.tolist() == [40, 20, 20]


@pytest.mark.parametrize("criterion", [Rand, Chi])
def test_little_is_left_of_noise(criterion: Any) -> None:
    """Attributes and class have nothing to do with each other."""
    left = {None: [], "cases": []}
    for seed in range(12):
        numbers = np.random.default_rng(seed)
        X, y = numbers.integers(0, 2, (1000, 30)).astype(float), numbers.integers(0, 2, 1000)
        for correction, sizes in left.items():
            model = plain_classifier(pruning=criterion(correction=correction), random_state=seed)
            sizes.append(model.fit(X, y).tree_.n_internal)
    assert np.median(left["cases"]) == 0
    assert np.count_nonzero(left["cases"]) <= 4
    assert np.median(left[None]) > 2
