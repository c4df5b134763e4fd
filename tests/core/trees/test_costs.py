"""Costs, marks and sums up a tree, and its weakest links, against plain twins."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.core.trees.wirings import often, parent_lists, path_to, wiring_of

from petree import core
from petree.pruning.engine.bottom_up import TIE, is_cheaper


@often
@given(parents=parent_lists(), keep_equal=st.booleans(), seed=st.integers(0, 10**6))
def test_costs_go_up_the_tree(parents, keep_equal, seed):
    generator, n_nodes = np.random.default_rng(seed), len(parents)
    cost, split_cost = (generator.integers(0, high, n_nodes).astype(float) for high in (6, 3))
    inner = [node for node in range(n_nodes) if (parents == node).any()]
    expected, below, verdicts = cost.copy(), np.empty(len(inner)), np.empty(len(inner), bool)
    for place, node in reversed(list(enumerate(inner))):
        below[place] = split_cost[node] + expected[parents == node].sum()
        verdicts[place] = is_cheaper(below[place : place + 1], expected[node : node + 1], keep_equal)[0]
        expected[node] = below[place] if verdicts[place] else expected[node]
    subtree, accepted = np.empty(len(inner)), np.empty(len(inner), bool)
    core.trees.compare_costs(wiring_of(parents), split_cost, TIE, keep_equal, cost, subtree, accepted)
    np.testing.assert_array_equal(accepted, verdicts)
    np.testing.assert_array_equal(subtree, below)
    np.testing.assert_array_equal(cost, expected)


@often
@given(parents=parent_lists(), seed=st.integers(0, 10**6))
def test_marks_below_are_seen_from_all_nodes_above(parents, seed):
    is_marked, below = np.random.default_rng(seed).random(len(parents)) < 0.2, np.empty(len(parents), bool)
    core.trees.any_below(wiring_of(parents), is_marked, below)
    for node in range(len(parents)):
        others = [other for other in np.flatnonzero(is_marked).tolist() if other != node]
        assert below[node] == any(node in path_to(other, parents) for other in others)


@often
@given(parents=parent_lists(), seed=st.integers(0, 10**6))
def test_sums_over_leaves(parents, seed):
    values = np.random.default_rng(seed).random((len(parents), 3))
    sums = values.copy()
    core.trees.sum_leaves(wiring_of(parents), sums)
    leaves = [node for node in range(len(parents)) if node not in set(np.array(parents).tolist())]
    for node in range(len(parents)):
        below = [leaf for leaf in leaves if node in path_to(leaf, parents)]
        np.testing.assert_allclose(sums[node], values[below].sum(axis=0), rtol=1e-12)


# -- weakest links -----------------------------------------------------------------------------------------------------


def plain_cuts(parents, risks):
    """Prices and the root's sums, cut after cut, each found by looking at all subtrees that are left."""
    is_leaf = [not (parents == node).any() for node in range(len(parents))]
    price, cuts = 0.0, []
    while not is_leaf[0]:
        gone = [any(is_leaf[above] for above in path_to(node, parents)[:-1]) for node in range(len(parents))]
        offers = []
        for node in range(len(parents)):
            if is_leaf[node] or gone[node]:
                continue
            leaves = [one for one in range(len(parents)) if is_leaf[one] and not gone[one]]
            leaves = [one for one in leaves if node in path_to(one, parents)]
            offers.append(((risks[node] - risks[leaves].sum()) / (len(leaves) - 1), node))
        offer, node = min(offers)
        price = max(price, offer)
        is_leaf[node] = True
        cuts.append((price, node))
    return cuts


@often
@given(parents=parent_lists(), seed=st.integers(0, 10**6))
def test_the_weakest_link_goes_first(parents, seed):
    for node in np.unique(parents[1:]):  # a subtree of one leaf has no price
        if (parents == node).sum() == 1:
            parents = np.append(parents, node).astype(np.int32)
    n_nodes = len(parents)
    risks = np.random.default_rng(seed).integers(0, 64, n_nodes) / 8 + np.arange(n_nodes)[::-1] * 100.0
    as_leaf = np.column_stack((np.ones(n_nodes), risks, np.arange(n_nodes) * 1.0))
    below = as_leaf.copy()
    for node in range(n_nodes - 1, -1, -1):
        if (parents == node).any():
            below[node] = below[parents == node].sum(axis=0)
    before = below.copy()
    cut_at, prices, totals = core.trees.cut_weakest_links(wiring_of(parents), as_leaf, below, 0.0, core.NO_STOP)
    np.testing.assert_array_equal(below, before)
    expected = plain_cuts(parents, risks)
    np.testing.assert_allclose(prices, [price for price, _ in expected])
    assert np.flatnonzero(cut_at < np.inf).tolist() == sorted(node for _, node in expected)
    np.testing.assert_allclose(cut_at[[node for _, node in expected]], prices)
    assert totals.shape == (len(expected), 3)
    if len(expected):
        np.testing.assert_allclose(totals[-1], as_leaf[0])
