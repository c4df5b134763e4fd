"""Estimates along the path to each node, its order and its key, against plain twins."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.core.trees.wirings import often, parent_lists, path_to, wiring_of
from tests.families.smoothings import frequency_strength, plain_frequency, shrinkage_weights

from petree import core
from petree.keys import combine_keys


@often
@given(parents=parent_lists())
def test_depth_first_order_keeps_subtrees_together(parents):
    order, levels = core.trees.depth_first(wiring_of(parents))

    def below(node):
        return [node, *(other for child in np.flatnonzero(parents == node) for other in below(int(child)))]

    assert order.tolist() == below(0)
    assert levels.tolist() == [len(path_to(node, parents)) - 1 for node in range(len(parents))]


@often
@given(parents=parent_lists(), n_classes=st.integers(2, 7), iterations=st.integers(1, 25), seed=st.integers(0, 10**6))
def test_mixtures_are_those_of_plain_em(parents, n_classes, iterations, seed):
    rng = np.random.default_rng(seed)
    own = rng.integers(0, 5, (len(parents), n_classes)) * rng.choice([0.0, 0.5, 1.0], (len(parents), n_classes))
    counts = own.copy()
    for node in range(len(parents) - 1, 0, -1):
        counts[parents[node]] += counts[node]
    mixed, weight = np.empty((len(parents), n_classes + 1)), np.empty(len(parents))
    core.trees.mix_along_paths(wiring_of(parents), counts, iterations, mixed, weight, core.NO_STOP)
    for node in range(len(parents)):
        path = counts[path_to(node, parents)].tolist()
        weights = shrinkage_weights(path, n_classes, iterations)
        ends = range(1, len(path) + 1)
        shares = [[1 / n_classes] * n_classes, *(plain_frequency(path[:end], n_classes) for end in ends)]
        cases = [n_classes, *(frequency_strength(path[:end], n_classes) for end in ends)]
        np.testing.assert_allclose(mixed[node], np.dot(weights, np.column_stack((shares, cases))), rtol=1e-9)
        np.testing.assert_allclose(weight[node], weights[-1], rtol=1e-9, atol=1e-12)


def chain(n_inner):
    """Parents of a tree in which every inner node has a leaf and, but for the last, an inner node below it."""
    return np.array([-1, *(2 * (i // 2) for i in range(2 * n_inner))])


def test_long_paths_are_mixed_from_the_root_and_the_nearest_nodes():
    parents = chain(100)
    counts = np.ones((len(parents), 2))
    for node in range(len(parents) - 1, 0, -1):
        counts[parents[node]] += counts[node]
    mixed, weight = np.empty((len(parents), 3)), np.empty(len(parents))
    core.trees.mix_along_paths(wiring_of(parents), counts, 3, mixed, weight, core.NO_STOP)
    path = counts[path_to(len(parents) - 1, parents)].tolist()
    kept = [path[0], *path[-62:]]
    np.testing.assert_allclose(weight[-1], shrinkage_weights(kept, 2, 3)[-1], rtol=1e-9)


@often
@given(parents=parent_lists(), n_classes=st.integers(1, 5), m=st.floats(0.01, 100), seed=st.integers(0, 10**6))
def test_branch_estimates_are_those_of_the_definition(parents, n_classes, m, seed):
    counts = np.random.default_rng(seed).integers(0, 50, (len(parents), n_classes)).astype(float)
    totals, estimates = counts.sum(axis=1), np.empty_like(counts)
    core.trees.estimate_branches(wiring_of(parents), counts, totals, m, estimates, core.NO_STOP)
    for node in range(len(parents)):
        expected = np.full(n_classes, 1 / n_classes)
        path = path_to(node, parents)
        for height, above in zip(range(len(path), 0, -1), path, strict=True):
            heavy = m * (1 + (1 - 1 / height) * np.sqrt(totals[0]))
            expected = (counts[above] + heavy * expected) / (totals[above] + heavy)
        np.testing.assert_allclose(estimates[node], expected, rtol=1e-12)


@often
@given(parents=parent_lists(), n_classes=st.sampled_from([1, 3, 150]), seed=st.integers(0, 10**6))
def test_shortened_steps_are_those_of_the_definition(parents, n_classes, seed):
    random = np.random.default_rng(seed)
    shares = random.dirichlet(np.ones(n_classes), len(parents))
    leaving = random.random(len(parents))
    for node in range(1, len(parents)):  # no step is kept more than the one before it
        leaving[node] *= leaving[parents[node]]
    reached = np.append(1.0, leaving[np.array(parents[1:], int)])
    estimates = shares.copy()
    core.trees.shorten_steps(wiring_of(parents), reached, leaving, estimates, core.NO_STOP)
    for node in range(len(parents)):
        expected = shares[0].copy()
        for above, below in pairwise(path_to(node, parents)):
            expected += leaving[above] * (shares[below] - shares[above])
        np.testing.assert_allclose(estimates[node], expected, rtol=1e-12, atol=1e-15)


# -- keys --------------------------------------------------------------------------------------------------------------


@often
@given(parents=parent_lists(), seed=st.integers(0, 10**6))
def test_keys_depend_on_the_way_to_a_node(parents, seed):
    inner = [node for node in range(len(parents)) if (parents == node).any()]
    given_keys = np.random.default_rng(seed).integers(0, 2**63, len(inner) + 1).astype(np.uint64)
    keys = np.zeros(len(parents), np.uint64)
    keys[0] = given_keys[-1]
    core.trees.chain_keys(wiring_of(parents), given_keys[:-1].copy(), keys)
    for place, node in enumerate(inner):
        for branch, child in enumerate(np.flatnonzero(parents == node)):
            at_node = combine_keys(keys[node : node + 1], given_keys[place : place + 1])
            assert keys[child] == combine_keys(at_node, np.array([branch], np.uint64))[0]
