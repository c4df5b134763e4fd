"""Permutation tests: the kernel of bit sets, the plain search, and a count by hand agree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.sources.made import grow_all, make_source, make_table

from petree import kernels
from petree.keys import path_keys
from petree.pruning.context import Context
from petree.pruning.rand import CERTAIN_BITS, Rand
from petree.pruning.stumps import Stumps, inner_nodes
from petree.sources import permutation
from petree.sources.base import Nodes


def stumps_of(grown: Any, seed: int) -> tuple[Stumps, Nodes, Any]:
    stumps = Stumps.of(grown.tree, inner_nodes(grown.tree))
    handles = grown.handles[stumps.nodes]
    return stumps, Nodes(handles, stumps.counts, handles[:, 1] - handles[:, 0]), path_keys(grown.tree, seed)


@pytest.mark.parametrize("seed", range(12))
def test_bit_sets_count_what_a_search_counts(seed: int) -> None:
    frame, classes = make_table(seed, 20 + 15 * seed, 2 + seed % 3)
    weights = np.random.default_rng(seed).integers(1, 4, len(frame)).astype(float) if seed % 2 else None
    source = make_source(
        frame, classes, weights=weights, min_samples_leaf=1 + seed % 2, binning="exact" if seed % 5 == 0 else "quantile"
    )
    grown = grow_all(source, 1 + seed % 2)
    stumps, nodes, keys = stumps_of(grown, seed)
    asked = (source, nodes, keys[stumps.nodes], stumps.score)
    by_bits = permutation._by_bits(*asked, 100, 100)
    np.testing.assert_array_equal(by_bits, permutation._by_search(*asked, 100, 100))
    early = permutation._by_bits(*asked, 100, 5)
    np.testing.assert_array_equal(early <= 5, by_bits <= 5)
    assert len(nodes) > 3


def test_a_list_of_tests_too_long_for_memory_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    frame, classes = make_table(1, 90, 3)
    source = make_source(frame, classes)
    grown = grow_all(source)
    stumps, nodes, keys = stumps_of(grown, 1)
    asked = (source, nodes, keys[stumps.nodes], stumps.score, 100, 100)
    plain = permutation._by_bits(*asked)
    monkeypatch.setattr(permutation, "MOST_WORDS", 20)
    np.testing.assert_array_equal(permutation._by_bits(*asked), plain)


@pytest.mark.parametrize("split", ["gini", "gain_ratio"])
def test_any_score_is_compared_with_its_best_under_permuted_classes(split: str) -> None:
    """The search equals growing one node on a table whose classes were permuted by hand."""
    frame, classes = make_table(3, 60, 2)
    source = make_source(frame, classes, split)
    root = source.root()
    observed = source.best_splits(root).gain
    found = permutation._by_search(source, root, np.array([7], np.uint64), observed, 20, 20)
    drawn = np.empty((20, 60), np.uint16)
    kernels.permute.draw_classes(np.uint64(7), np.bincount(classes)[None], drawn)
    best = []
    for one in drawn.astype(np.int64):
        other = make_source(frame, one, split)
        best.append(other.best_splits(other.root()).gain[0])
    assert found[0] == sum(value >= observed[0] - 1e-12 for value in best)
    assert 0 < found[0] < 20


def test_draws_are_permutations_and_each_is_another() -> None:
    totals = np.array([[5, 9, 2]])
    drawn = np.empty((50, 16), np.uint16)
    kernels.permute.draw_classes(np.uint64(1), totals, drawn)
    assert (np.sort(drawn, axis=1) == np.repeat([0, 1, 2], totals[0])).all()
    assert len(np.unique(drawn, axis=0)) == 50
    share = np.empty((4000, 16), np.uint16)
    kernels.permute.draw_classes(np.uint64(2), totals, share)
    np.testing.assert_allclose((share == 0).mean(axis=0), 5 / 16, atol=0.04)


@pytest.mark.parametrize("seed", range(4))
def test_verdicts_are_those_of_all_permutations(seed: int) -> None:
    """Neither stopping early nor leaving permutations out for large gains changes a verdict."""
    frame, classes = make_table(seed, 300, 2 + seed % 2)
    classes[frame["small"].to_numpy() == 3] = 0  # one test of a gain that needs no permutations
    source = make_source(frame, classes)
    grown = grow_all(source)
    stumps, nodes, keys = stumps_of(grown, seed)
    verdicts = Rand().judge(stumps, Context(source, grown.handles, keys))
    full = permutation._by_search(source, nodes, keys[stumps.nodes], stumps.score, 100, 100)
    np.testing.assert_array_equal(verdicts.accepted, 100 - full >= 95)
    assert Rand()._are_certain(stumps).any()
    assert CERTAIN_BITS == 30


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
