"""Sources under constraints: permutations are searched by the rules of the node, and groups follow its path."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array
from tests.sources.made import grow_all, make_source, make_table
from tests.sources.test_permutation import assert_same, trials_of

from petree.sources.constraints import Constraints, GroupedSource, Groups
from petree.sources.found import Best
from petree.splitting import resolve_split

NO_SIGNS = np.zeros(4, np.int64)
GROUPS = csr_array(np.array([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]], bool))


class OwnGini:
    """A score that the compiled loops do not know."""

    def score(self, counts: NDArray[np.float64]) -> Any:
        return resolve_split("gini").score(counts)

    def __repr__(self) -> str:
        return "a user's own"


def test_groups_are_those_that_have_the_whole_path() -> None:
    groups = Groups(GROUPS)
    first = groups.follow(np.array([0, 0, 0, 0]), np.array([0, 1, 2, 3]))
    assert groups.allowed(first).tolist() == [
        [True, True, False, False],
        [True, True, True, False],
        [False, True, True, False],
        [False, False, False, True],
    ]
    second = groups.follow(first[[0, 1]], np.array([1, 0]))
    assert second[0] == second[1] == first[0]
    assert groups.only(int(first[0])).allowed(np.array([0])).tolist() == [[True, True, False, False]]


@pytest.mark.parametrize("split", ["gain", "gini", "gain_ratio"])
def test_permutations_are_searched_among_the_columns_of_the_node(split: str) -> None:
    """A node that may test two columns is tested as in a table that has no others."""
    frame, classes = make_table(1, 60, 2)
    bound = Constraints(NO_SIGNS, GROUPS).bind(make_source(frame, classes, split))
    assert isinstance(bound, GroupedSource)
    whole = bound.root()
    state = Groups(GROUPS).follow(np.array([0]), np.array([0]))[0]
    bound._groups.follow(np.array([0]), np.array([0]))
    handles = np.column_stack((whole.handles[:, :2], [state]))
    narrow = make_source(frame[["number", "letter"]], classes, split)
    scores = narrow.best_splits(narrow.root()).gain
    trials = replace(
        trials_of(grow_all(narrow), 0, 60).take(np.array([0])), scores=scores * 0.7, handles=narrow.root().handles
    )
    assert_same(narrow.exceedances(trials), bound.exceedances(replace(trials, handles=handles)))


def test_permutations_are_searched_for_tests_in_the_right_direction() -> None:
    """Over a lone column whose share must rise, every permutation reaches a score of 0 or has no test at all."""
    frame, classes = make_table(3, 40, 2)
    column = frame[["small"]]
    free = make_source(column, classes)
    bound = Constraints(np.array([1]), None).bind(make_source(column, classes))
    trials = replace(
        trials_of(grow_all(free), 0, 80).take(np.array([0])), scores=np.array([0.02]), handles=free.root().handles
    )
    mirrored = Constraints(np.array([-1]), None).bind(make_source(column, classes))
    either, up, down = (source.exceedances(trials)[0][0] for source in (free, bound, mirrored))
    assert max(up, down) < either <= up + down
    assert not bound.is_plain_gain
    assert bound.pruning_walk is None


@pytest.mark.parametrize("split", ["gain", "dkm", "chi_square", "bayes", OwnGini()], ids=str)
def test_a_node_has_the_best_test_of_the_columns_that_it_may_test(split: Any) -> None:
    frame, classes = make_table(5, 80, 3)
    free = make_source(frame, classes, split)
    by_column = free.best_by_column(free.root())
    for allowed in product((False, True), repeat=4):
        nodes = replace(free.root(), allowed=np.array([allowed]))
        best = Best.none(1)
        for column in np.flatnonzero(allowed):
            best.merge(np.zeros(1, np.intp), by_column[column])
        found = free.best_splits(nodes)
        assert len(found) == any(allowed)
        np.testing.assert_array_equal(found.tests, best.test[: len(found)])


def test_the_integral_over_cuts_is_of_those_in_the_right_direction() -> None:
    """No two children are alike, so that every cut goes one way or the other."""
    frame, classes = make_table(6, 50, 2)
    weights = np.random.default_rng(6).random(50) + 0.5
    values = []
    for sign in (0, 1, -1):
        source = make_source(frame[["small"]] + weights[:, None].round(1), classes, "bayes", weights=weights)
        bound = Constraints(np.array([sign]), None).bind(source)
        values.append(bound.best_by_column(bound.root())[0].value[0])
    assert np.exp(values[0]) == pytest.approx(np.exp(values[1]) + np.exp(values[2]))
