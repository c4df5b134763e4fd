"""Samples and random tables of the compiled loops: a table drawn by hand, and what is refused."""

import numpy as np
import pytest
from scipy.special import gammaln
from scipy.stats import chisquare, hypergeom

from petree import core

NO_LOGS = np.empty(0)
KEY = np.zeros(1, np.uint64)


@pytest.mark.parametrize("n_listed", [0, 5, 100])
def test_every_share_leads_to_the_number_whose_chance_it_falls_on(n_listed):
    """Numbers by turns above and below the likeliest, each as long as its chance."""
    logs, n_marked, n_other, n_drawn = gammaln(np.arange(n_listed) + 1.0), 12, 20, 9
    shares = (np.arange(20_000) + 0.5) / 20_000
    drawn = [core.draws.draw_hypergeometric(share, n_marked, n_other, n_drawn, logs) for share in shares.tolist()]
    expected = hypergeom(n_marked + n_other, n_marked, n_drawn).pmf(range(n_drawn + 1)) * 20_000
    np.testing.assert_allclose(np.bincount(drawn, minlength=n_drawn + 1), expected, atol=1)


def test_random_tables_are_as_frequent_as_their_chance():
    """Of two children and two classes the count of one cell decides; more probable tables are not counted."""
    table, n_tables, seen = np.array([[6, 2], [2, 5]]), 20_000, np.zeros(2)
    found = np.zeros(1, np.int64)
    core.draws.improbable_tables(
        table, np.array([0, 2]), KEY, gammaln(np.arange(16) + 1.0), n_tables, n_tables, found, core.NO_STOP
    )
    chances = hypergeom(15, 8, 8).pmf(range(9))
    expected = chances[chances <= chances[6] * (1 + 1e-9)].sum() * n_tables
    seen[:] = found[0], n_tables - found[0]
    assert chisquare(seen, [expected, n_tables - expected]).pvalue > 1e-4


def test_no_more_is_drawn_than_decides():
    found, table = np.full(1, 77), np.array([[1, 1], [1, 1]])
    core.draws.improbable_tables(table, np.array([0, 2]), KEY, NO_LOGS, 1000, 3, found, core.NO_STOP)
    assert found.tolist() == [4]


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ((1, 2, 4), "'n_drawn' cases must be drawn"),
        ((-1, 2, 1), "'n_drawn' cases must be drawn"),
        ((1, -2, 1), "'n_drawn' cases must be drawn"),
        ((1, 2, -1), "'n_drawn' cases must be drawn"),
        ((2**31, 1, 1), "at most 2\\*\\*31"),
        ((2**62, 2**62, 1), "at most 2\\*\\*31"),
    ],
)
def test_impossible_draws_are_refused(counts, sentence):
    with pytest.raises(ValueError, match=sentence):
        core.draws.draw_hypergeometric(0.5, *counts, NO_LOGS)


@pytest.mark.parametrize(
    ("starts", "n_cases", "n_drawn", "sentence"),
    [
        ([0, 1, 2], 3, 1, "one element more than 'keys'"),
        ([0, 4], 3, 1, "'starts' must rise"),
        ([-1, 2], 3, 1, "'starts' must rise"),
        ([2, 1], 3, 1, "'starts' must rise"),
        ([0, 3], 3, 4, "'n_drawn' cases must be drawn"),
        ([0, 3], 3, -1, "'n_drawn' cases must be drawn"),
        ([0, 3], 2**62, 1, "at most 2\\*\\*53"),
    ],
)
def test_impossible_samples_are_refused(starts, n_cases, n_drawn, sentence):
    with pytest.raises(ValueError, match=sentence):
        core.draws.select(KEY, np.array(starts), n_cases, n_drawn, np.zeros(3, bool))


@pytest.mark.parametrize(
    ("table", "starts", "n_found", "sentence"),
    [
        ([[1, 2]], [0, 1, 1], 1, "one element more than 'keys'"),
        ([[1, 2]], [0, 2], 1, "'starts' must rise"),
        ([[1, 2]], [0, 1], 2, "'found' needs"),
        ([[1, -2]], [0, 1], 1, "must not be negative"),
        ([[2**31, 1]], [0, 1], 1, "at most 2\\*\\*31 cases"),
    ],
)
def test_impossible_tables_are_refused(table, starts, n_found, sentence):
    found = np.zeros(n_found, np.int64)
    with pytest.raises(ValueError, match=sentence):
        core.draws.improbable_tables(np.array(table), np.array(starts), KEY, NO_LOGS, 5, 5, found, core.NO_STOP)
