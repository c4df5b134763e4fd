"""The doors of contributions and nearest leaves; `tests/routing/test_ways.py` has them against their definitions."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from tests.core.prediction.routers import an_option_router, mixtures_of

from petree import core

SAYS = np.array([[0.0], [10.0], [20.0]])
TABLE = np.array([[0.0], [1.0], [np.nan]])


def contribute(**changed: Any) -> Any:
    rule = {"points": np.array([0.5]), "weights": np.array([1.0])}
    given = {"table": TABLE, "says": SAYS, **rule, "contributions": np.empty((3, 1)), **changed}
    core.prediction.find_contributions(an_option_router(), *given.values(), core.NO_STOP)
    return given["contributions"]


def test_one_column_contributes_all_that_it_changes() -> None:
    router = an_option_router()
    base = core.prediction.stays_of_unknown(router) @ SAYS
    found = contribute()[:, 0] + base
    assert found.tolist() == pytest.approx(mixtures_of(router, TABLE[:, 0], SAYS[:, 0]))
    assert core.prediction.count_ways(router) == 3
    assert core.prediction.most_columns(router, core.NO_STOP) == 1


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"table": np.zeros((3, 0))}, "fewer columns than the tests ask"),
        ({"says": np.zeros((2, 1))}, "'says' needs a line for each node"),
        ({"contributions": np.zeros((4, 1))}, "'contributions' needs a line for each row"),
        ({"contributions": np.zeros((3, 2))}, "a number for each column and class"),
        ({"points": np.ones(2)}, "'points' and 'weights' need the same length"),
    ],
)
def test_contributions_of_other_shapes_are_refused(changed: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        contribute(**changed)


def find_nearest(**changed: Any) -> Any:
    classes = np.array([-1, 0, 1], np.int64)
    given = {"table": TABLE, "classes": classes, "verdicts": np.array([0, 0, 2], np.int64)}
    given = {**given, "found": np.empty((3, 2), np.int64), **changed}
    core.prediction.find_nearest(an_option_router(), *given.values(), core.NO_STOP)
    return given["found"]


def test_the_nearest_leaf_of_another_class() -> None:
    assert find_nearest().tolist() == [[2, 1], [2, 0], [1, 1]]
    assert find_nearest(classes=np.full(3, -1)).tolist() == [[-1, 0]] * 3


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"table": np.zeros((3, 0))}, "fewer columns than the tests ask"),
        ({"classes": np.zeros(2, np.int64)}, "'classes' needs an element for each node"),
        ({"verdicts": np.zeros(4, np.int64)}, "'verdicts' needs an element for each row"),
        ({"found": np.zeros((3, 1), np.int64)}, "'found' needs a line of two for each row"),
    ],
)
def test_nearest_leaves_of_other_shapes_are_refused(changed: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        find_nearest(**changed)


def test_long_loops_stop_when_they_are_told() -> None:
    n_rows = 3_000_000
    stop = np.zeros(1, np.uint8)
    threading.Timer(0.05, lambda: stop.fill(1)).start()
    points = np.linspace(0.1, 0.9, 200)
    with pytest.raises(core.Stopped):
        core.prediction.find_contributions(
            an_option_router(), np.zeros((n_rows, 1)), SAYS, points, points, np.empty((n_rows, 1)), stop
        )
