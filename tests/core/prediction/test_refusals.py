"""What the packed trees refuse."""

import numpy as np
import pytest
from tests.core.prediction.routers import (
    a_router,
    a_wiring,
    an_option_router,
    answers_of,
    mixtures_of,
    no_surrogates,
    some_surrogates,
    some_tests,
)

from petree import core
from petree.conditions import EQUALS, IN, IS_MISSING, QUERY, THRESHOLD


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


def test_ends_are_not_found_in_a_table_of_too_few_columns():
    with pytest.raises(ValueError, match="fewer columns than the tests ask"):
        core.prediction.find_ends(an_option_router(), np.zeros((4, 0)), 10, core.NO_STOP)


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
