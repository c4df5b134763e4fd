"""Rows sent down trees by the compiled loops, against plain walks; and what the packed trees refuse."""

import numpy as np
import pytest
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
from petree.conditions import EQUALS, IN, IS_MISSING, MULTIWAY, QUERY, THRESHOLD
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


# -- made by hand ------------------------------------------------------------------------------------------------------


def a_wiring(split_start=(0, 1, 1, 1), child_start=(0, 2), children=(1, 2)):
    return core.trees.Wiring(*(np.array(one, np.int32) for one in (split_start, child_start, children)))


def some_tests(kind=(THRESHOLD,), column=(0,), value=(0.5,), missing=(-1,), member_start=None, members=()):
    starts = np.zeros(len(kind) + 1, np.int32) if member_start is None else np.array(member_start, np.int32)
    return core.prediction.Tests(
        np.array(kind, np.uint8), np.array(column, np.int32), np.array(value, float), np.array(missing, np.int32),
        starts, np.array(members, float),
    )  # fmt: skip


def no_surrogates(n_splits):
    none = some_tests((), (), (), ())
    return core.prediction.Surrogates(none, np.zeros(n_splits + 1, np.int32), np.empty(0, np.uint8))


def a_router(tests=None, wiring=None, weights=(2, 1, 1), surrogates=None, n_splits=1):
    tests, wiring = tests or some_tests(), wiring or a_wiring()
    surrogates = surrogates or no_surrogates(n_splits)
    return core.prediction.Router(tests, wiring, np.array(weights, float), surrogates)


def an_option_router(tests=None, wiring=None, stay=(0, 1, 1), go=(1,), weights=(2, 1, 1)):
    shares = (np.array(one, float) for one in (stay, go, weights))
    return core.prediction.OptionRouter(tests or some_tests(), wiring or a_wiring(), *shares)


def answers_of(router, values, says):
    answers = np.empty((len(values), 1))
    core.prediction.answer(router, np.array(values)[:, None], np.array(says, float)[:, None], answers, core.NO_STOP)
    return answers[:, 0].tolist()


def mixtures_of(router, values, says):
    mixed = np.empty((len(values), 1))
    core.prediction.mix_rows(router, np.array(values)[:, None], np.array(says, float)[:, None], mixed, core.NO_STOP)
    return mixed[:, 0].tolist()


@pytest.mark.parametrize(("make", "answers"), [(a_router, answers_of), (an_option_router, mixtures_of)])
def test_members_of_a_set_are_found(make, answers):
    router = make(some_tests([IN], value=[0], member_start=[0, 3], members=[1, 4, 9]))
    values = [1.0, 4.0, 9.0, 2.0, 10.0, -1.0, 4.5, -np.inf]
    assert answers(router, values, [0, 5, 7]) == [5, 5, 5, 7, 7, 7, 7, 7]
    none = make(some_tests([IN], value=[0]))
    assert answers(none, [1.0, np.nan], [0, 5, 7]) == [7, 6]


@pytest.mark.parametrize(("make", "answers"), [(a_router, answers_of), (an_option_router, mixtures_of)])
def test_a_number_that_is_no_branch_of_a_multiway_test_was_never_seen(make, answers):
    wiring, shares = a_wiring((0, 1, 1, 1, 1), (0, 3), (1, 2, 3)), {"weights": (4, 1, 3, 0)}
    if make is an_option_router:
        shares["stay"] = (0, 1, 1, 1)
    router = make(some_tests([MULTIWAY], missing=[2]), wiring, **shares)
    values = [0.0, -0.0, 1.0, 2.0, np.nan, 3.0, -1.0, 0.5, np.inf, -np.inf, 1e300]
    assert answers(router, values, [0, 4, 8, 16]) == [4, 4, 8, 16, 16] + [7] * 6  # (1 * 4 + 3 * 8) / 4


@pytest.mark.parametrize(("make", "answers"), [(a_router, answers_of), (an_option_router, mixtures_of)])
def test_children_without_weight_answer_alike(make, answers):
    assert answers(make(weights=(0, 0, 0)), [np.nan, 0.0], [0, 1, 3]) == [2, 1]


def test_a_leaf_alone_answers_every_row():
    router = a_router(some_tests((), (), (), ()), a_wiring((0, 0), (0,), ()), (1,), n_splits=0)
    assert answers_of(router, [1.0, np.nan, np.inf], [5]) == [5, 5, 5]
    leaves = np.full(3, 9)
    core.prediction.find_leaves(router, np.empty((3, 0)), leaves, core.NO_STOP)
    assert leaves.tolist() == [0, 0, 0]


def some_surrogates(start=(0, 2), turned=(0, 1), **tests):
    given = {"kind": (THRESHOLD, EQUALS), "column": (1, 2), "value": (0.5, 3.0), "missing": (-1, -1), **tests}
    return core.prediction.Surrogates(some_tests(**given), np.array(start, np.int32), np.array(turned, np.uint8))


def test_surrogates_answer_in_their_order_where_a_value_is_missing():
    router = a_router(some_tests(missing=[0]), surrogates=some_surrogates())
    rows = np.array(
        [[0.0, 9.0, 3.0], [np.nan, 0.0, 3.0], [np.nan, 1.0, 3.0], [np.nan, np.nan, 3.0], [np.nan, np.inf, 4.0],
         [np.nan, np.nan, np.nan], [np.inf, 0.0, 0.0]]
    )  # fmt: skip
    leaves = np.empty(len(rows), np.int64)
    core.prediction.find_leaves(router, rows, leaves, core.NO_STOP)
    assert leaves.tolist() == [1, 1, 2, 2, 1, 1, 1]  # of a category never seen the heaviest leaf
    says, answers = np.array([[0.0], [5.0], [7.0]]), np.empty((len(rows), 1))
    for loop, rules in (("answer", ()), ("answer_in_doubt", (0.0, 0.0)), ("answer_confused", (0.0,))):
        getattr(core.prediction, loop)(router, rows, *rules, says, answers, core.NO_STOP)
        assert answers[:, 0].tolist() == [5, 5, 7, 7, 5, 5, 6]


def test_parts_of_rows_are_their_blends():
    router = a_router(weights=(4, 1, 3))
    found = core.prediction.find_parts(router, np.array([[0.0], [np.nan], [1.0]]), core.NO_STOP)
    rows, leaves, shares = (array.tolist() for array in found)
    assert sorted(zip(rows, leaves, shares, strict=True)) == [(0, 1, 1.0), (1, 1, 0.25), (1, 2, 0.75), (2, 2, 1.0)]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"start": (0, 1)}, "must rise from 0 to the number of surrogates"),
        ({"start": (1, 2)}, "must rise from 0 to the number of surrogates"),
        ({"turned": (0,)}, "'turned' needs an element"),
        ({"kind": (THRESHOLD, IS_MISSING)}, "must be a threshold, a category or a set"),
    ],
)
def test_surrogates_that_are_none_are_refused(given, sentence):
    with pytest.raises(ValueError, match=sentence):
        some_surrogates(**given)


def test_surrogates_stand_in_for_tests_of_two_branches():
    with pytest.raises(ValueError, match="for each split"):
        a_router(surrogates=some_surrogates(start=(0, 1, 2)))
    with pytest.raises(ValueError, match="two branches"):
        a_router(some_tests([IS_MISSING]), surrogates=some_surrogates())
    with pytest.raises(ValueError, match="fewer columns"):
        answers_of(a_router(surrogates=some_surrogates()), [1.0], [0, 1, 2])


def test_options_share_the_mass_of_a_row():
    wiring = a_wiring((0, 2, 2, 2, 2), (0, 2, 4), (1, 2, 2, 3))
    tests = some_tests([THRESHOLD, IS_MISSING], [0, 0], [0.5, 0], [-1, -1])
    router = an_option_router(tests, wiring, (0.25, 1, 1, 1), (0.5, 0.25), (4, 3, 1, 0))
    says = [16, 32, 64, 128]
    assert mixtures_of(router, [0.0, 1.0], says) == [4 + 16 + 32, 4 + 32 + 32]
    assert mixtures_of(router, [np.nan], says) == [4 + 0.5 * (3 * 32 + 64) / 4 + 0.25 * 64]


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"column": (0, 1)}, "need an element for each split"),
        ({"member_start": (0,)}, "'member_start' one more"),
        ({"kind": (QUERY,)}, "must be about a column"),
        ({"kind": (200,)}, "must be about a column"),
        ({"column": (-1,)}, "counted from 0"),
        ({"column": (2**30,)}, "below 2\\*\\*30"),
        ({"value": (np.nan,)}, "must not be NaN"),
        ({"missing": (-2,)}, "or nowhere: -1"),
        ({"member_start": (0, 1)}, "must rise from 0 to the number of members"),
        ({"member_start": (-1, 0)}, "must rise from 0"),
        ({"member_start": (0, 1), "members": (1,)}, "Only a test for a set"),
        ({"kind": (IN,), "member_start": (0, 2), "members": (2, 1)}, "must rise"),
        ({"kind": (IN,), "member_start": (0, 2), "members": (1, 1)}, "must rise"),
        ({"kind": (IN,), "member_start": (0, 1), "members": (np.inf,)}, "must be finite"),
    ],
)
def test_impossible_tests_are_refused(given, sentence):
    with pytest.raises(ValueError, match=sentence):
        some_tests(**given)


@pytest.mark.parametrize("make", [a_router, an_option_router])
@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"tests": some_tests([EQUALS] * 2, [0] * 2, [0] * 2, [-1] * 2)}, "as many tests as splits"),
        ({"wiring": a_wiring((0, 1, 1), (0, 1), (1,)), "weights": (1, 1)}, "needs two children"),
        ({"tests": some_tests(missing=[2])}, "must go to a child"),
        ({"weights": (1, 1)}, "'weights' needs a number for each node"),
    ],
)
def test_tests_and_trees_that_do_not_fit_are_refused(make, given, sentence):
    with pytest.raises(ValueError, match=sentence):
        make(**given)


@pytest.mark.parametrize(
    ("wiring", "sentence"),
    [
        (a_wiring((0, 2, 2, 2, 2), (0, 2, 4), (1, 2, 2, 3)), "several splits"),
        (a_wiring((0, 1, 2, 2, 2, 2), (0, 2, 4), (1, 2, 2, 3)), "one has several"),
        (a_wiring((0, 1, 2, 2, 2, 2, 2), (0, 2, 4), (1, 2, 3, 4)), "one has none"),
        (a_wiring((0, 1, 2, 2, 2, 2), (0, 2, 4), (1, 3, 2, 4)), "side by side"),
    ],
)
def test_only_an_ordinary_tree_is_packed_for_one_way(wiring, sentence):
    tests = some_tests([THRESHOLD] * 2, [0] * 2, [0] * 2, [-1] * 2)
    with pytest.raises(ValueError, match=sentence):
        a_router(tests, wiring, np.ones(5), n_splits=2)


def test_ways_of_several_lengths_to_one_node_are_refused():
    wiring = a_wiring((0, 1, 2, 2, 2), (0, 2, 4), (1, 2, 2, 3))
    tests = some_tests([THRESHOLD] * 2, [0] * 2, [0] * 2, [-1] * 2)
    with pytest.raises(ValueError, match="of one length"):
        an_option_router(tests, wiring, np.ones(4), np.ones(2), np.ones(4))
    with pytest.raises(ValueError, match="'stay' needs a number"):
        an_option_router(stay=(1, 1))
    with pytest.raises(ValueError, match="'go' needs a number"):
        an_option_router(go=(1, 1))


TABLE, SAYS = np.zeros((4, 1)), np.zeros((3, 2))
CALLS = [
    ("find_leaves", a_router(), lambda table, says, out: (table, out[:, 0].astype(np.int64))),
    ("answer", a_router(), lambda table, says, out: (table, says, out)),
    ("answer_confused", a_router(), lambda table, says, out: (table, 0.1, says, out)),
    ("answer_in_doubt", a_router(), lambda table, says, out: (table, 0.1, 0.0, says, out)),
    ("mix_rows", an_option_router(), lambda table, says, out: (table, says, out)),
]


@pytest.mark.parametrize(("name", "router", "arguments"), CALLS, ids=[name for name, *_ in CALLS])
def test_tables_and_answers_of_other_shapes_are_refused(name, router, arguments):
    call = getattr(core.prediction, name)
    call(router, *arguments(TABLE, SAYS, np.zeros((4, 2))), core.NO_STOP)
    with pytest.raises(ValueError, match="fewer columns than the tests ask"):
        call(router, *arguments(np.zeros((4, 0)), SAYS, np.zeros((4, 2))), core.NO_STOP)
    with pytest.raises(ValueError, match="for each row"):
        call(router, *arguments(TABLE, SAYS, np.zeros((5, 2))), core.NO_STOP)
    if name != "find_leaves":
        with pytest.raises(ValueError, match="as wide as 'says'"):
            call(router, *arguments(TABLE, SAYS, np.zeros((4, 3))), core.NO_STOP)
        with pytest.raises(ValueError, match="'says' needs a line for each node"):
            call(router, *arguments(TABLE, np.zeros((2, 2)), np.zeros((4, 2))), core.NO_STOP)
    with pytest.raises(TypeError, match=f"{name} needs a contiguous array of float64 in two dimensions for 'table'"):
        call(router, *arguments(TABLE.astype(np.float32), SAYS, np.zeros((4, 2))), core.NO_STOP)


UNMADE = [
    ("Tests", lambda tests: a_router(tests)),
    ("Router", lambda router: answers_of(router, [0.0], [0, 0, 0])),
    ("OptionRouter", lambda router: mixtures_of(router, [0.0], [0, 0, 0])),
]


@pytest.mark.parametrize(("name", "ask"), UNMADE, ids=[name for name, _ in UNMADE])
def test_nothing_is_asked_of_what_was_never_made(name, ask):
    kind = getattr(core.prediction, name)
    with pytest.warns(RuntimeWarning, match="uninitialized"), pytest.raises(TypeError):
        ask(kind.__new__(kind))


def test_what_is_made_stays_as_it_is():
    router = a_router()
    with pytest.warns(RuntimeWarning, match="already"), pytest.raises(TypeError):
        router.__init__(some_tests([EQUALS]), a_wiring(), np.ones(3), no_surrogates(1))
    assert answers_of(router, [0.0, 1.0], [0, 1, 2]) == [1, 2]
