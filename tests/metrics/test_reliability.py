"""Reliability bins, against a plain loop over the rows of each bin."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from petree.metrics import calibration_error
from petree.metrics.reliability import reliability_bins

ROWS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40)


@given(ROWS, st.integers(1, 12))
def test_bins_of_rows(rows: list[tuple[float, bool]], n_bins: int) -> None:
    probability = np.array([one for one, _ in rows])
    is_true = np.array([one for _, one in rows])
    bins = reliability_bins(probability, is_true, n_bins)
    of_row = [sum(one >= border / n_bins for border in range(1, n_bins)) for one in probability]
    for place, number in enumerate(sorted(set(of_row))):
        own = [row for row, of in zip(rows, of_row, strict=True) if of == number]
        assert bins.n_rows[place] == len(own)
        np.testing.assert_allclose(bins.predicted[place], sum(one for one, _ in own) / len(own))
        np.testing.assert_allclose(bins.observed[place], sum(one for _, one in own) / len(own))
    assert bins.n_rows.sum() == len(rows)
    error = calibration_error(
        is_true, np.column_stack((1 - probability, probability)), of_class=True, n_bins=n_bins, labels=[False, True]
    )
    np.testing.assert_allclose((np.abs(bins.predicted - bins.observed) * bins.n_rows).sum() / len(rows), error)


def test_the_interval_is_that_of_jeffreys() -> None:
    bins = reliability_bins(np.array([0.1, 0.1, 0.1, 0.5, 0.9]), np.array([True, False, False, False, True]))
    lower, upper = bins.interval(0.9)
    np.testing.assert_allclose(lower, [beta(1.5, 2.5).ppf(0.05), 0, beta(1.5, 0.5).ppf(0.05)])
    np.testing.assert_allclose(upper, [beta(1.5, 2.5).ppf(0.95), beta(0.5, 1.5).ppf(0.95), 1])
