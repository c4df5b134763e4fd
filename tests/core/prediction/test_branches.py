"""Which branches the packed trees take, by their tests and by surrogates."""

import numpy as np
import pytest
from tests.core.prediction.routers import (
    a_router,
    a_wiring,
    an_option_router,
    answers_of,
    ends_of,
    mixtures_of,
    some_surrogates,
    some_tests,
)

from petree import core
from petree.conditions import IN, IS_MISSING, MULTIWAY, THRESHOLD


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


def test_options_share_the_mass_of_a_row():
    wiring = a_wiring((0, 2, 2, 2, 2), (0, 2, 4), (1, 2, 2, 3))
    tests = some_tests([THRESHOLD, IS_MISSING], [0, 0], [0.5, 0], [-1, -1])
    router = an_option_router(tests, wiring, (0.25, 1, 1, 1), (0.5, 0.25), (4, 3, 1, 0))
    says = [16, 32, 64, 128]
    assert mixtures_of(router, [0.0, 1.0], says) == [4 + 16 + 32, 4 + 32 + 32]
    assert mixtures_of(router, [np.nan], says) == [4 + 0.5 * (3 * 32 + 64) / 4 + 0.25 * 64]


def test_ends_are_where_the_mass_of_a_row_stays():
    wiring = a_wiring((0, 2, 2, 2, 2), (0, 2, 4), (1, 2, 2, 3))
    tests = some_tests([THRESHOLD, IS_MISSING], [0, 0], [0.5, 0], [-1, -1])
    router = an_option_router(tests, wiring, (0.25, 1, 1, 1), (0.5, 0.25), (4, 3, 1, 0))
    ends = ends_of(router, [0.0, np.nan])
    assert ends == [{0: 0.25, 1: 0.5, 3: 0.25}, {0: 0.25, 1: 0.375, 2: 0.375}]


@pytest.mark.parametrize(("most", "n_rows"), [(-1, 1), (1, 1), (2, 1), (3, 2), (100, 3)])
def test_no_more_rows_are_sent_down_than_reach_so_many_nodes(most, n_rows):
    router = an_option_router(stay=(0.5, 1, 1), go=(0.5,))
    all_ends = [{0: 0.5, 1: 0.5}, {0: 0.5, 2: 0.5}, {0: 0.5, 1: 0.5}]
    assert ends_of(router, [0.0, 1.0, 0.0], most) == all_ends[:n_rows]


def test_mass_that_changes_no_sum_ends_nowhere():
    router = an_option_router(stay=(1e-30, 1, 1), go=(1,))
    assert ends_of(router, [0.0]) == [{1: 1.0}]
