"""Whether trees rank left-out cases better than chance."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy.stats import gamma, norm

from petree import Tree
from petree.estimators.tuning.ranking import doubled_sizes, evidence, leaves_at, rank_moments, rank_scores
from petree.pruning.engine.counts import smoothed_bits
from petree.pruning.engine.weakest_links import WeakestLinks


class Ungrouped:
    """Left-out cases of which nothing but the counts is asked."""

    is_grouped = False


def some_tree(seed: int, depth: int = 4, n_classes: int = 3) -> Tree:
    random = np.random.default_rng(seed)

    def grow(level: int) -> Any:
        if level == depth or (level > 1 and random.random() < 0.3):
            return random.integers(0, 6, n_classes).tolist()
        return [grow(level + 1), grow(level + 1)]

    return Tree.from_counts(grow(0))


def plain_score(counts: Any, probabilities: Any) -> float:
    """Over all pairs of cases: how often the class of one ranks it above the other, less how often below."""
    cases = [(leaf, code) for leaf, row in enumerate(counts) for code, n in enumerate(row) for _ in range(n)]
    total = 0.0
    for leaf, code in cases:
        above = [np.sign(probabilities[leaf, code] - probabilities[other, code]) for other, _ in cases]
        total += np.mean(above) / 2
    return total


@pytest.mark.parametrize("seed", range(5))
def test_scores_count_pairs(seed: int) -> None:
    random = np.random.default_rng(seed)
    counts = random.integers(0, 4, (5, 3))
    probabilities = random.choice([0.1, 0.2, 0.3, 0.4], (5, 3))
    scores = rank_scores(counts.astype(float), probabilities)
    assert (counts * scores).sum() == pytest.approx(plain_score(counts, probabilities))


def test_the_variance_is_that_of_all_permutations() -> None:
    tree = Tree.from_counts([[4, 1, 0], [[1, 2, 1], [0, 1, 3]]])
    leaves = np.flatnonzero(tree.is_leaf)
    probabilities = np.random.default_rng(0).dirichlet(np.ones(3), tree.n_nodes)
    of_leaf, labels = [0, 0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2, 2]
    found = []
    for permuted in set(permutations(labels)):
        counts = np.zeros((tree.n_nodes, 3))
        np.add.at(counts, (leaves[of_leaf], permuted), 1)
        found.append(rank_moments(tree, leaves, counts, probabilities, Ungrouped()))
    scores, variances, _ = np.transpose(found)
    assert scores.mean() == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(variances, scores.var())


@pytest.mark.parametrize("seed", range(4))
def test_leaves_at_a_price_are_those_of_the_pruned_tree(seed: int) -> None:
    tree = some_tree(seed)
    links = WeakestLinks(tree, smoothed_bits(tree.counts, (tree.counts + 1) / (tree.counts + 1).sum(1, keepdims=True)))
    path = links.path
    prices = np.append(path.alphas, 1e6)
    for price, leaves in zip(prices, leaves_at(links, prices), strict=True):
        pruned = tree.with_annotations(place=np.arange(tree.n_nodes)).cut(path.cut_nodes(price))
        assert leaves.tolist() == sorted(pruned.annotations["place"][pruned.is_leaf].tolist())


def test_sizes_that_double() -> None:
    n_leaves = np.array([900, 200, 23, 20, 16, 9, 7, 3, 2, 1])
    assert n_leaves[doubled_sizes(n_leaves)].tolist() == [23, 16, 7, 3, 2]
    assert len(doubled_sizes(np.array([1]))) == 0
    assert doubled_sizes(np.array([6, 1])).tolist() == [0]


@pytest.mark.parametrize("z", [-1.0, 0.0, 1.5, 4.0])
def test_skewed_scores_are_taken_for_gamma_variables(z: float) -> None:
    skewness = 0.6
    shape = 4 / skewness**2
    exact = norm.isf(gamma.sf(shape + z * shape**0.5, shape))
    assert evidence([np.array([[z, 1.0, skewness]])]) == pytest.approx(max(exact, 0), abs=0.03)
    assert evidence([np.array([[z, 1.0, 0.0]])]) == max(z, 0)


def test_evidence_of_several_sizes_and_folds() -> None:
    one, other = np.array([[3.0, 4.0, 0.0], [1.0, 2.0, 0.0]]), np.array([[3.0, 5.0, 0.0], [-4.0, 7.0, 0.0]])
    small, large = max((1 - 4) / 3, 0), 6 / 3
    assert evidence([one, other]) == pytest.approx(((small**2 + large**2 / 2) / 1.5) ** 0.5)
    assert evidence([np.empty((0, 3))]) == 0
