"""The best trees within one with options, against trying all."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.core.trees.wirings import often, wired

from petree import core


@st.composite
def option_wirings(draw):
    """Splits of the nodes of a random tree with options, each a list of children behind it."""
    n_nodes, splits = draw(st.integers(1, 7)), []
    for node in range(n_nodes):
        behind = st.lists(st.integers(node + 1, n_nodes - 1), min_size=1, max_size=3) if node < n_nodes - 1 else None
        splits.append(draw(st.lists(behind, max_size=2)) if behind is not None else [])
    return splits


def best_of(splits, leaves, weights, node):
    """Best weight of a tree below a node for each number of leaves, by trying all."""
    best, first = {1: leaves[node]}, sum(map(len, splits[:node]))
    for place, split in enumerate(splits[node], first):
        found = {0: weights[place]}
        for child in split:
            longer = {}
            for used, value in found.items():
                for own, more in best_of(splits, leaves, weights, child).items():
                    longer[used + own] = max(longer.get(used + own, -np.inf), value + more)
            found = longer
        for n, value in found.items():
            if n > 1:
                best[n] = max(best.get(n, -np.inf), value)
    return best


@often
@given(splits=option_wirings(), limit=st.integers(1, 9), seed=st.integers(0, 10**6))
def test_the_best_trees_are_those_of_trying_all(splits, limit, seed):
    random, n_splits = np.random.default_rng(seed), sum(map(len, splits))
    leaves, weights = (random.integers(-8, 8, n).astype(float) for n in (len(splits), n_splits))
    start, best = core.trees.best_by_leaves(wired(splits), leaves, weights, limit, core.NO_STOP)
    for node in range(len(splits)):
        expected = {n: one for n, one in best_of(splits, leaves, weights, node).items() if n <= limit}
        found = dict(enumerate(best[start[node] : start[node + 1]].tolist(), 1))
        assert {n: one for n, one in found.items() if one > -np.inf} == expected
    assert start[0] == 0
    assert start[-1] == len(best)


@often
@given(splits=option_wirings(), seed=st.integers(0, 10**6))
def test_the_best_split_is_the_first_of_the_best_sum(splits, seed):
    random, n_splits = np.random.default_rng(seed), sum(map(len, splits))
    leaves, weights = (random.integers(-8, 8, n).astype(float) for n in (len(splits), n_splits))
    chosen, best, first = np.empty(len(splits), np.int64), leaves.copy(), n_splits
    core.trees.best_splits(wired(splits), leaves, weights, chosen)
    for node in reversed(range(len(splits))):
        first -= len(splits[node])
        values = [leaves[node], *(weights[first + k] + best[split].sum() for k, split in enumerate(splits[node]))]
        assert chosen[node] == (first + np.argmax(values) - 1 if np.argmax(values) else -1)
        best[node] = max(values)
