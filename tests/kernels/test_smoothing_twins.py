"""The kernels of smoothing against plain twins that are obviously right."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from petree.kernels import confusion, shrinkage
from tests.families.smoothings import frequency_strength, plain_frequency, shrinkage_weights
from tests.oracles.prediction import (
    UNKNOWN,
    confused_probabilities,
    doubted_probabilities,
    ends_of_ways,
    training_share,
)
from tests.random_trees import COLUMNS, ROUTABLE, trees

from petree.columns import NUMBER
from petree.routing import Router

often = settings(max_examples=150, deadline=None)


@st.composite
def parent_lists(draw):
    """Parents of the nodes of a random tree, each before its children."""
    n_nodes = draw(st.integers(1, 25))
    return np.array([-1, *(draw(st.integers(0, node - 1)) for node in range(1, n_nodes))], np.int32)


def path_to(node, parents):
    path = [node]
    while parents[path[0]] >= 0:
        path.insert(0, int(parents[path[0]]))
    return path


@often
@given(parents=parent_lists())
def test_depth_first_order_keeps_subtrees_together(parents):
    order, levels = shrinkage.depth_first(parents)

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
    shrinkage.mix(counts, parents, iterations, mixed, weight)
    for node in range(len(parents)):
        path = counts[path_to(node, parents)].tolist()
        weights = shrinkage_weights(path, n_classes, iterations)
        ends = range(1, len(path) + 1)
        shares = [[1 / n_classes] * n_classes, *(plain_frequency(path[:end], n_classes) for end in ends)]
        cases = [n_classes, *(frequency_strength(path[:end], n_classes) for end in ends)]
        np.testing.assert_allclose(mixed[node], np.dot(weights, np.column_stack((shares, cases))), rtol=1e-9)
        np.testing.assert_allclose(weight[node], weights[-1], rtol=1e-9, atol=1e-12)


@st.composite
def rows(draw):
    """Values of the columns that random trees test: numbers and codes, missing ones, categories never seen."""
    cells = [
        st.sampled_from((-2.0, -1.5, 0.0, 0.3, 1.0, 2.0, 1e308, None))
        if column.kind == NUMBER
        else st.sampled_from((*range(len(column.categories)), None, UNKNOWN))
        for column in COLUMNS
    ]
    return draw(st.lists(st.tuples(*cells), min_size=1, max_size=2 * confusion.LANES + 1))


def as_matrix(table):
    return np.array([[{None: np.nan, UNKNOWN: np.inf}.get(cell, cell) for cell in row] for row in table], float)


@often
@given(tree=trees(ROUTABLE), table=rows(), factor=st.sampled_from((0.0, 0.3, 1.0)), seed=st.integers(0, 10**6))
def test_all_leaves_answer_as_one_leaf_after_the_other_does(tree, table, factor, seed):
    router = Router.of(tree)
    probabilities = np.random.default_rng(seed).dirichlet((1, 1, 1), tree.n_nodes)
    answers = np.empty((len(table), 3))
    confusion.confuse(
        as_matrix(table), router.steps, router.details, router.members, router.shares, factor, probabilities, answers
    )
    for row, answer in zip(table, answers, strict=True):
        expected = confused_probabilities(tree, list(row), probabilities, factor)
        np.testing.assert_allclose(answer, expected, rtol=1e-9, atol=1e-12)


@often
@given(
    tree=trees(ROUTABLE),
    table=rows(),
    doubt=st.sampled_from((0.0, 0.1, 0.45, 1.0)),
    least=st.sampled_from((0.0, 1e-4, 0.0123, 0.1234)),
    seed=st.integers(0, 10**6),
)
def test_light_ways_are_not_followed_and_answers_change_by_no_more_than_their_weight(tree, table, doubt, least, seed):
    router = Router.of(tree)
    probabilities = np.random.default_rng(seed).dirichlet((1, 1, 1), tree.n_nodes)
    answers = np.empty((len(table), 3))
    confusion.answer_in_doubt(
        as_matrix(table), router.steps, router.details, router.members, router.shares, doubt, least, probabilities,
        answers,
    )  # fmt: skip
    for row, answer in zip(table, answers, strict=True):
        ends = list(ends_of_ways(tree, list(row), doubt, least))
        np.testing.assert_allclose(answer, sum(weight * probabilities[node] for node, weight in ends), rtol=1e-9)
        cut_off = sum(weight for node, weight in ends if not tree.is_leaf[node])
        exact = doubted_probabilities(tree, list(row), probabilities, doubt)
        assert np.abs(answer - exact).max() <= cut_off + 1e-12
        assert cut_off == 0 or least > 0


@often
@given(tree=trees(ROUTABLE))
def test_shares_are_those_of_the_siblings(tree):
    shares = Router.of(tree).shares
    assert shares[0] == 1
    for node in np.flatnonzero(~tree.is_leaf):
        children = np.flatnonzero(tree.parents == node)
        expected = [training_share(tree, node, branch) for branch in range(len(children))]
        np.testing.assert_allclose(shares[children], expected, rtol=1e-12)
