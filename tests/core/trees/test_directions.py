"""Leaves moved to keep the directions of columns, against a plain least change."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.trees.wirings import often, path_to, wiring_of

from petree import core


@st.composite
def binary_parents(draw):
    """Parents of the nodes of a random tree of which every inner node has two children."""
    parents = [-1]
    for _ in range(draw(st.integers(0, 5))):
        leaf = draw(st.sampled_from([node for node in range(len(parents)) if node not in parents]))
        parents += [leaf, leaf]
    return np.array(parents, np.int32)


def must_not_exceed(parents, signs):
    """Pairs of leaves of which the first must not be more than the second: each test above both says which."""
    inner = sorted(set(parents[1:].tolist()))
    leaves = [node for node in range(len(parents)) if node not in inner]
    pairs = set()
    for node, sign in zip(inner, signs.tolist(), strict=True):
        low, high = np.flatnonzero(parents == node)[:: sign or 1]
        below = [[leaf for leaf in leaves if side in path_to(leaf, parents)] for side in (low, high)]
        pairs |= set(product(*below)) if sign else set()
    return leaves, pairs


def least_moved(values, weights, leaves, pairs):
    """Isotonic regression by its formula: of the upper sets with a leaf, the greatest of the least means."""

    def is_upper(nodes):
        return all(high in nodes for low, high in pairs if low in nodes)

    sets = [set(some) for size in range(len(leaves) + 1) for some in combinations(leaves, size)]
    upper = [nodes for nodes in sets if is_upper(nodes)]
    lower = [set(leaves) - nodes for nodes in upper]

    def mean(nodes):
        of_nodes = sorted(nodes)
        return np.average(values[of_nodes], weights=weights[of_nodes])

    return {
        leaf: max(min(mean(above & below) for below in lower if leaf in below) for above in upper if leaf in above)
        for leaf in leaves
    }


@often
@given(parents=binary_parents(), seed=st.integers(0, 10**6))
def test_directions_move_leaves_as_little_as_can_be(parents, seed):
    random = np.random.default_rng(seed)
    signs = random.integers(-1, 2, len(set(parents[1:].tolist())))
    weights = random.choice([0.5, 1.0, 5.0], len(parents))
    probabilities = random.choice([0.0, 0.25, 0.5, 1.0], len(parents)) * random.random(len(parents))
    leaves, pairs = must_not_exceed(parents, signs)
    expected = least_moved(probabilities, weights, leaves, pairs)
    own = probabilities.copy()
    core.trees.keep_directions(wiring_of(parents), signs, weights, probabilities)
    np.testing.assert_allclose(probabilities[leaves], [expected[leaf] for leaf in leaves], atol=1e-12)
    assert all(probabilities[low] <= probabilities[high] for low, high in pairs)
    for node in range(len(parents)):
        below = [expected[leaf] for leaf in leaves if node in path_to(leaf, parents)]
        np.testing.assert_allclose(probabilities[node], np.clip(expected.get(node, own[node]), min(below), max(below)))


def test_leaves_without_cases_keep_the_order_too():
    parents = np.array([-1, 0, 0], np.int32)
    probabilities = np.array([0.5, 0.8, 0.2])
    core.trees.keep_directions(wiring_of(parents), np.ones(1, np.int64), np.zeros(3), probabilities)
    assert probabilities.tolist() == [0.5, 0.5, 0.5]


def test_a_direction_needs_two_children():
    wiring = wiring_of(np.array([-1, 0, 0, 0], np.int32))
    with pytest.raises(ValueError, match="two children"):
        core.trees.keep_directions(wiring, np.ones(1, np.int64), np.ones(4), np.ones(4))
