"""Rows sent down drawn trees by the compiled loops, against plain walks."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.prediction import (
    UNKNOWN,
    confused_probabilities,
    doubted_probabilities,
    ends_of_ways,
    leaf_shares,
    training_share,
)
from tests.random_trees import COLUMNS, ROUTABLE, trees

from petree import core
from petree.columns import NUMBER
from petree.routing import Router

LANES = 8


often = settings(max_examples=30, deadline=None)


@st.composite
def rows(draw):
    """Values of the columns that random trees test: numbers and codes, missing ones, categories never seen."""
    cells = [
        st.sampled_from((-2.0, -1.5, 0.0, 0.3, 1.0, 2.0, 1e308, None))
        if column.kind == NUMBER
        else st.sampled_from((*range(len(column.categories)), None, UNKNOWN))
        for column in COLUMNS
    ]
    return draw(st.lists(st.tuples(*cells), min_size=1, max_size=2 * LANES + 1))


def as_matrix(table):
    return np.array([[{None: np.nan, UNKNOWN: np.inf}.get(cell, cell) for cell in row] for row in table], float)


@often
@given(tree=trees(ROUTABLE), table=rows(), factor=st.sampled_from((0.0, 0.3, 1.0)), seed=st.integers(0, 10**6))
def test_all_leaves_answer_as_one_leaf_after_the_other_does(tree, table, factor, seed):
    router = Router.of(tree)
    probabilities = np.random.default_rng(seed).dirichlet((1, 1, 1), tree.n_nodes)
    answers = np.empty((len(table), 3))
    core.prediction.answer_confused(router.packed, as_matrix(table), factor, probabilities, answers, core.NO_STOP)
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
    settings = doubt, least
    core.prediction.answer_in_doubt(router.packed, as_matrix(table), *settings, probabilities, answers, core.NO_STOP)
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


@often
@given(tree=trees(ROUTABLE), table=rows(), seed=st.integers(0, 10**6))
def test_rows_reach_the_leaves_of_a_plain_walk(tree, table, seed):
    """A row that gets stuck hears all leaves below by their training weight, or alike where there is none."""
    tree = tree.with_counts(tree.counts + 1) if seed % 2 else tree.with_counts(np.ones_like(tree.counts))
    router, matrix = Router.of(tree), as_matrix(table)
    probabilities = np.random.default_rng(seed).dirichlet((1, 1, 1), tree.n_nodes)
    leaves, answers = np.empty(len(table), np.int64), np.empty((len(table), 3))
    core.prediction.find_leaves(router.packed, matrix, leaves, core.NO_STOP)
    core.prediction.answer(router.packed, matrix, probabilities, answers, core.NO_STOP)
    for row, leaf, answer in zip(table, leaves.tolist(), answers, strict=True):
        shares = leaf_shares(tree, list(row))
        assert shares[leaf] >= max(shares.values()) - 1e-12
        if len(shares) == 1:
            assert answer.tolist() == probabilities[leaf].tolist()
        expected = sum(share * probabilities[node] for node, share in shares.items())
        np.testing.assert_allclose(answer, expected, rtol=1e-9)
