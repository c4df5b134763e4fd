"""Permutation tests: the loops over bit sets, the plain search, and a count by hand agree."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import comb, prod
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.families.splits import plain_gain
from tests.sources.made import grow_all, make_source, make_table

from petree import core
from petree.keys import path_keys
from petree.pruning.criteria.significance.rand import CERTAIN_BITS, Rand, log2_chance
from petree.pruning.engine.context import Context
from petree.pruning.engine.permutation_tests import PermutationTests
from petree.pruning.engine.stumps import Stumps, inner_nodes
from petree.sources import permutation
from petree.sources.table import TableSource


def trials_of(grown: Any, seed: int, n_permutations: Any = 100, allowed: int = 100) -> PermutationTests:
    """Permutation tests of all inner nodes."""
    stumps = Stumps.of(grown.tree, inner_nodes(grown.tree))
    handles, keys = grown.handles[stumps.nodes], path_keys(grown.tree, seed)[stumps.nodes]
    wanted = np.broadcast_to(n_permutations, len(handles)).astype(int)
    return PermutationTests(handles, stumps.counts, keys, stumps.score, wanted, allowed)


def by_bits(source: TableSource, trials: PermutationTests) -> Any:
    return permutation._by_bits(source.rows, source.searcher.search, trials, source.threads)


def by_search(source: TableSource, trials: PermutationTests) -> Any:
    return permutation._by_search(source.rows, source.searcher, trials, source.threads)


def assert_same(one: Any, other: Any) -> None:
    for found in zip(one, other, strict=True):
        np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("seed", range(12))
def test_bit_sets_count_what_a_search_counts(seed: int) -> None:
    frame, classes = make_table(seed, 20 + 15 * seed, 2 + seed % 3)
    numbers = np.random.default_rng(seed)
    weights = numbers.integers(1, 4, len(frame)).astype(float) if seed % 2 else None
    source = make_source(
        frame, classes, weights=weights, min_samples_leaf=1 + seed % 2, binning="exact" if seed % 5 == 0 else "quantile"
    )
    grown = grow_all(source, 1 + seed % 2)
    for n_permutations, allowed in ((100, 100), (100, 5), (numbers.integers(0, 150, grown.tree.n_internal), 3)):
        trials = trials_of(grown, seed, n_permutations, allowed)
        found, tried = by_bits(source, trials)
        assert_same((found, tried), by_search(source, trials))
        assert (found <= allowed + 1).all()
        assert (tried[found <= allowed] == trials.n_permutations[found <= allowed]).all()
    assert len(trials) > 3


def test_the_last_permutation_tried_is_the_one_too_many() -> None:
    frame, classes = make_table(2, 200, 3)
    source = make_source(frame, classes)
    grown = grow_all(source)
    found, tried = source.exceedances(trials_of(grown, 0, 300, 5))
    failed = found > 5
    assert failed.sum() > 10
    before, _ = source.exceedances(trials_of(grown, 0, tried - 1, 100))
    assert (before[failed] == 5).all()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_list_of_tests_too_long_for_memory_gives_the_same(n_classes: int) -> None:
    """Some 12,000 tests of 63 words each are more than is held at a time."""
    numbers = np.random.default_rng(n_classes)
    frame = pd.DataFrame(numbers.normal(size=(4000, 24)))
    source = make_source(frame, numbers.integers(0, n_classes, 4000))
    root = source.root()
    observed = source.best_splits(root).gain * 0.9  # some permutations reach it and some do not
    trials = PermutationTests(root.handles, root.counts, np.array([3], np.uint64), observed, np.array([40]), 40)
    found, tried = by_bits(source, trials)
    assert_same((found, tried), by_search(source, trials))
    assert 0 < found[0] < tried[0]


@pytest.mark.parametrize("seed", range(3))
def test_nodes_may_be_tried_in_pieces(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    frame, classes = make_table(seed, 150, 2 + seed)
    source = make_source(frame, classes)
    grown = grow_all(source)
    tree, keys = grown.tree, path_keys(grown.tree, 0)
    trials = trials_of(grown, 0, 100, 5)
    wanted = np.full(tree.n_nodes, 100)
    all_nodes = PermutationTests(grown.handles, tree.counts, keys, tree.annotations["gain"], wanted, 5)
    at_once, up_at_once = by_bits(source, trials), source.pruning_walk(all_nodes, tree.parents)
    monkeypatch.setattr(permutation, "TESTS_PER_PIECE", 10)  # and so nearly all nodes are at the top
    np.testing.assert_array_equal(source.pruning_walk(all_nodes, tree.parents), up_at_once)
    n = len(trials)
    found, tried = np.full(n, -1, np.int64), np.full(n, -1, np.int64)
    progress = core.permutation.Progress(np.full(n, -1, np.int32), np.zeros(n, np.int64), found, tried)
    for n_permutations in (7, 50, 100):
        asked = permutation._ask(replace(trials, n_permutations=np.full(n, n_permutations)))
        core.permutation.exceedances(
            source.searcher.search, source.rows.packed, asked, progress, np.arange(n), core.NO_STOP
        )
    assert_same((found, tried), at_once)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_columns_of_many_values_are_sorted_in_parts(n_classes: int) -> None:
    """More values than there are lines for, some missing; small nodes below."""
    numbers = np.random.default_rng(n_classes)
    frame = pd.DataFrame({"many": numbers.normal(size=700), "few": numbers.integers(0, 3, 700).astype(float)})
    frame.loc[numbers.random(700) < 0.1, "many"] = np.nan
    classes = (numbers.random(700) < 0.3).astype(int) + (frame["few"].to_numpy() > 1) * (n_classes - 2)
    source = make_source(frame, classes, binning="exact")
    assert source.rows.wide.shape[1] == 1
    trials = trials_of(grow_all(source), 0, 20, 20).take(np.arange(40))
    assert np.diff(trials.handles).max() == 700
    assert np.diff(trials.handles).min() <= 64
    assert_same(by_bits(source, trials), by_search(source, trials))


@pytest.mark.parametrize("split", ["gini", "gain_ratio"])
def test_any_score_is_compared_with_its_best_under_permuted_classes(split: str) -> None:
    """The search equals growing one node on a table whose classes were permuted by hand."""
    frame, classes = make_table(3, 60, 2)
    source = make_source(frame, classes, split)
    root = source.root()
    observed = source.best_splits(root).gain
    trials = PermutationTests(root.handles, root.counts, np.array([7], np.uint64), observed, np.array([20]), 20)
    found, tried = by_search(source, trials)
    drawn = np.empty((20, 60), np.uint16)
    core.permutation.draw_classes(7, np.bincount(classes), drawn)
    best = []
    for one in drawn.astype(np.int64):
        other = make_source(frame, one, split)
        best.append(other.best_splits(other.root()).gain[0])
    assert found[0] == sum(value >= observed[0] - 1e-12 for value in best)
    assert 0 < found[0] < 20
    assert tried[0] == 20


def test_draws_are_permutations_and_each_is_another() -> None:
    totals = np.array([5, 9, 2])
    drawn = np.empty((50, 16), np.uint16)
    core.permutation.draw_classes(1, totals, drawn)
    assert (np.sort(drawn, axis=1) == np.repeat([0, 1, 2], totals)).all()
    assert len(np.unique(drawn, axis=0)) == 50
    share = np.empty((4000, 16), np.uint16)
    core.permutation.draw_classes(2, totals, share)
    np.testing.assert_allclose((share == 0).mean(axis=0), 5 / 16, atol=0.04)


@pytest.mark.parametrize("seed", range(4))
def test_verdicts_are_those_of_all_permutations(seed: int) -> None:
    """Neither stopping early nor leaving permutations out for large gains changes a verdict."""
    frame, classes = make_table(seed, 300, 2 + seed % 2)
    classes[frame["small"].to_numpy() == 3] = 0  # one test of a gain that needs no permutations
    source = make_source(frame, classes)
    grown = grow_all(source)
    stumps = Stumps.of(grown.tree, inner_nodes(grown.tree))
    verdicts = Rand().judge(stumps, Context(source, grown.handles, path_keys(grown.tree, seed)))
    full, _ = by_search(source, trials_of(grown, seed))
    np.testing.assert_array_equal(verdicts.accepted, 100 - full >= 95)
    assert (Rand()._needed(stumps, np.full(len(stumps), 100)) == 0).any()
    assert CERTAIN_BITS == 30


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_the_chance_of_a_gain_is_bounded(n_classes: int) -> None:
    """All ways to deal a node's cases to a branch, each with its (hypergeometric) chance."""
    numbers, slack = np.random.default_rng(n_classes), []
    for _ in range(60):
        totals = numbers.integers(1, 25 if n_classes == 2 else 8, n_classes)
        size = int(totals.sum())
        left_size = int(numbers.integers(1, size))
        tables = [left for left in product(*(range(n + 1) for n in totals)) if sum(left) == left_size]
        gains = np.array([plain_gain([list(left), (totals - left).tolist()]) for left in tables])
        chances = [prod(comb(int(n), k) for n, k in zip(totals, left, strict=True)) for left in tables]
        chances = np.array(chances) / comb(size, left_size)
        for gain in gains:
            counts = np.array([[*totals, 0]], float)  # a class that is not there changes nothing
            bound = 2.0 ** (log2_chance(counts, np.array([gain]), np.array([1]))[0] - 1)  # one way, not two
            chance = chances[gains >= gain - 1e-12].sum()
            assert chance <= bound * (1 + 1e-9)
            slack.append(np.log2(bound / chance))
    assert np.median(slack) < {2: 4.5, 3: 8, 4: 10}[n_classes]


@pytest.mark.parametrize("n_threads", [2, 4])
def test_threads_do_not_matter(n_threads: int) -> None:
    frame, classes = make_table(5, 2000, 3)
    trees = []
    for n in (1, n_threads):
        source = make_source(frame, classes, n_threads=n)
        grown = grow_all(source)
        trees.append(Rand().prune(grown.tree, Context(source, grown.handles, path_keys(grown.tree, 0))))
    np.testing.assert_array_equal(trees[0].counts, trees[1].counts)
    np.testing.assert_array_equal(trees[0].pruning_log.verdicts.statistic, trees[1].pruning_log.verdicts.statistic)
