"""Loops over the nodes of finished trees, against plain twins; and what they refuse."""

from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.families.smoothings import frequency_strength, plain_frequency, shrinkage_weights

from petree import core
from petree.keys import combine_keys
from petree.pruning.engine.bottom_up import TIE, is_cheaper

often = settings(max_examples=30, deadline=None)


@st.composite
def parent_lists(draw):
    """Parents of the nodes of a random tree, each before its children."""
    n_nodes = draw(st.integers(1, 25))
    return np.array([-1, *(draw(st.integers(0, node - 1)) for node in range(1, n_nodes))], np.int32)


def wiring_of(parents):
    children = [np.flatnonzero(parents == node) for node in range(len(parents))]
    inner = [node for node in range(len(parents)) if len(children[node])]
    split_start = np.searchsorted(inner, np.arange(len(parents) + 1))
    child_start = np.cumsum([0, *(len(children[node]) for node in inner)])
    flat = np.concatenate([np.empty(0, np.intp), *children])
    return core.trees.Wiring(*(np.asarray(one, np.int32) for one in (split_start, child_start, flat)))


def path_to(node, parents):
    path = [node]
    while parents[path[0]] >= 0:
        path.insert(0, int(parents[path[0]]))
    return path


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


# -- directions --------------------------------------------------------------------------------------------------------


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


# -- costs -------------------------------------------------------------------------------------------------------------


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


# -- best trees --------------------------------------------------------------------------------------------------------


@st.composite
def option_wirings(draw):
    """Splits of the nodes of a random tree with options, each a list of children behind it."""
    n_nodes, splits = draw(st.integers(1, 7)), []
    for node in range(n_nodes):
        behind = st.lists(st.integers(node + 1, n_nodes - 1), min_size=1, max_size=3) if node < n_nodes - 1 else None
        splits.append(draw(st.lists(behind, max_size=2)) if behind is not None else [])
    return splits


def wired(splits):
    flat = [split for own in splits for split in own]
    split_start = np.cumsum([0, *map(len, splits)])
    child_start = np.cumsum([0, *map(len, flat)])
    children = [child for split in flat for child in split]
    return core.trees.Wiring(*(np.array(one, np.int32) for one in (split_start, child_start, children)))


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


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("split_start", "child_start", "children", "sentence"),
    [
        ([], [0], [], "A tree needs a node"),
        ([0], [0], [], "A tree needs a node"),
        ([0, 0], [], [], "'split_start' must rise"),
        ([0, 1], [0], [], "'split_start' must rise from 0 to the number of splits"),
        ([1, 0], [0], [], "'split_start' must rise"),
        ([0, 2, 1, 1], [0, 2], [1, 2], "'split_start' must rise"),
        ([0, 1, 1, 1], [0, 3], [1, 2], "'child_start' must rise from 0 to the number of children"),
        ([0, 1, 1, 1], [-1, 2], [1, 2], "'child_start' must rise"),
        ([0, 1, 1], [0, 0], [], "Every split needs a child"),
        ([0, 1, 1, 1], [0, 2], [0, 1], "stand behind their parents"),
        ([0, 1, 1, 1], [0, 2], [1, 3], "stand behind their parents"),
        ([0, 1, 1, 1], [0, 2], [-1, 1], "stand behind their parents"),
        ([0, 0, 1, 1], [0, 2], [1, 2], "stand behind their parents"),
    ],
)
def test_impossible_trees_are_refused(split_start, child_start, children, sentence):
    with pytest.raises(ValueError, match=sentence):
        core.trees.Wiring(*(np.array(one, np.int32) for one in (split_start, child_start, children)))
    with pytest.raises(TypeError, match="Wiring needs a contiguous array of int32 in one dimension for 'split_start'"):
        core.trees.Wiring(np.zeros(2, np.int64), np.zeros(1, np.int32), np.zeros(0, np.int32))


STUMP = wiring_of(np.array([-1, 0, 0], np.int32))
OPTIONS, SHARED = wired([[[1, 2], [1, 2]], [], []]), wired([[[1, 2]], [[2]], []])


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("compare_costs", (np.zeros(2), 0.0, True, np.zeros(3), np.zeros(1), np.zeros(1, bool))),
        ("compare_costs", (np.zeros(3), 0.0, True, np.zeros(4), np.zeros(1), np.zeros(1, bool))),
        ("compare_costs", (np.zeros(3), 0.0, True, np.zeros(3), np.zeros(2), np.zeros(1, bool))),
        ("compare_costs", (np.zeros(3), 0.0, True, np.zeros(3), np.zeros(1), np.zeros(0, bool))),
        ("sum_leaves", (np.zeros((2, 2)),)),
        ("any_below", (np.zeros(2, bool), np.zeros(3, bool))),
        ("any_below", (np.zeros(3, bool), np.zeros(2, bool))),
        ("cut_weakest_links", (np.zeros((2, 2)), np.zeros((2, 2)), 0.0, core.NO_STOP)),
        ("cut_weakest_links", (np.zeros((3, 1)), np.zeros((3, 1)), 0.0, core.NO_STOP)),
        ("cut_weakest_links", (np.zeros((3, 2)), np.zeros((3, 3)), 0.0, core.NO_STOP)),
        ("best_splits", (np.zeros(2), np.zeros(1), np.zeros(3, np.int64))),
        ("best_splits", (np.zeros(3), np.zeros(2), np.zeros(3, np.int64))),
        ("best_splits", (np.zeros(3), np.zeros(1), np.zeros(2, np.int64))),
        ("best_by_leaves", (np.zeros(3), np.zeros(2), 3, core.NO_STOP)),
        ("best_by_leaves", (np.zeros(3), np.zeros(1), 0, core.NO_STOP)),
        ("best_by_leaves", (np.zeros(3), np.zeros(1), 2**31, core.NO_STOP)),
        ("best_by_leaves", (np.zeros(3), np.zeros(1), 3, np.zeros(0, np.uint8))),
        ("chain_keys", (np.zeros(2, np.uint64), np.zeros(3, np.uint64))),
        ("chain_keys", (np.zeros(1, np.uint64), np.zeros(2, np.uint64))),
        ("mix_along_paths", (np.zeros((2, 2)), 1, np.zeros((3, 3)), np.zeros(3), core.NO_STOP)),
        ("mix_along_paths", (np.zeros((3, 0)), 1, np.zeros((3, 1)), np.zeros(3), core.NO_STOP)),
        ("mix_along_paths", (np.zeros((3, 2)), -1, np.zeros((3, 3)), np.zeros(3), core.NO_STOP)),
        ("mix_along_paths", (np.zeros((3, 2)), 1, np.zeros((3, 2)), np.zeros(3), core.NO_STOP)),
        ("mix_along_paths", (np.zeros((3, 2)), 1, np.zeros((3, 3)), np.zeros(2), core.NO_STOP)),
        ("estimate_branches", (np.zeros((2, 2)), np.zeros(3), 1.0, np.zeros((3, 2)), core.NO_STOP)),
        ("estimate_branches", (np.zeros((3, 2)), np.zeros(2), 1.0, np.zeros((3, 2)), core.NO_STOP)),
        ("estimate_branches", (np.zeros((3, 2)), np.zeros(3), 1.0, np.zeros((3, 3)), core.NO_STOP)),
        ("shorten_steps", (np.zeros(2), np.zeros(3), np.zeros((3, 2)), core.NO_STOP)),
        ("shorten_steps", (np.zeros(3), np.zeros(2), np.zeros((3, 2)), core.NO_STOP)),
        ("shorten_steps", (np.zeros(3), np.zeros(3), np.zeros((2, 2)), core.NO_STOP)),
    ],
)
def test_arrays_of_other_lengths_are_refused(name, arguments):
    with pytest.raises(ValueError, match=r"need|must"):
        getattr(core.trees, name)(STUMP, *arguments)


@pytest.mark.parametrize("wiring", [OPTIONS, SHARED])
def test_only_ordinary_trees_have_paths(wiring):
    with pytest.raises(ValueError, match="several"):
        core.trees.depth_first(wiring)
    with pytest.raises(ValueError, match="several"):
        core.trees.cut_weakest_links(wiring, np.zeros((3, 2)), np.zeros((3, 2)), 0.0, core.NO_STOP)
    with pytest.raises(ValueError, match="several"):
        core.trees.mix_along_paths(wiring, np.zeros((3, 2)), 1, np.zeros((3, 3)), np.zeros(3), core.NO_STOP)
    with pytest.raises(ValueError, match="several"):
        core.trees.estimate_branches(wiring, np.zeros((3, 2)), np.zeros(3), 1.0, np.zeros((3, 2)), core.NO_STOP)
