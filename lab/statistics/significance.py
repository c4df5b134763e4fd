"""Is one method better than another, or was it luck? Paired t tests, and wins, ties and losses over data sets.

All read gains: differences of a measure between two methods on the same test cases, above 0 where the first is better.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr

# Equal results whose folds were summed in another order differ by less than this.
ROUNDING = 1e-12


class TTest(NamedTuple):
    """The t statistic, above 0 where the first method is better, and its two-sided p-value."""

    t: float
    p: float

    def is_significant(self, level: float = 0.05) -> bool:
        """Whether luck alone would give a difference as large in less than this share of experiments."""
        return self.p < level


def sorted_runs_test(differences: ArrayLike) -> TTest:
    """The paired t test over averages of sorted runs, for repeated cross-validation.

    Each run is sorted; ``x_j`` is the mean over the runs of the j-th smallest difference, and
    ``t = mean(x) / (sd(x) / sqrt(folds))`` has ``folds - 1`` degrees of freedom. Values that do not vary at all are a
    tie where they are 0 and significant otherwise.

    Parameters
    ----------
    differences : array (runs, folds)
        Gains of the first method over the second in each fold of each run.

    Returns
    -------
    TTest
        ``t, p``.

    References
    ----------
    R. R. Bouckaert, "Choosing between two learning algorithms based on calibrated tests", ICML 2003, and "Estimating
    replicability of classifier learning experiments", ICML 2004.

    Examples
    --------
    >>> from lab.statistics.significance import sorted_runs_test
    >>> t, p = sorted_runs_test([[0.1, 0.2, 0.3], [0.3, 0.2, 0.4]])
    >>> round(t, 3), round(p, 3)
    (4.33, 0.049)
    """
    gains = _read_gains(differences)
    if gains.ndim != 2 or gains.shape[1] < 2:
        raise ValueError(
            "The differences of sorted_runs_test must be runs x folds with at least 2 folds, "
            f"but their shape is {gains.shape}: use paired_t_test for results that are not folds of runs."
        )
    return _t_test(np.sort(gains, axis=1).mean(axis=0))


def paired_t_test(differences: ArrayLike) -> TTest:
    """The plain paired t test over all values; where training sets overlap it believes too much.

    Parameters
    ----------
    differences : array of any shape
        Gains of the first method over the second.

    Returns
    -------
    TTest
        ``t, p``, with one degree of freedom less than values.

    Examples
    --------
    >>> from lab.statistics.significance import paired_t_test
    >>> round(paired_t_test([1.0, 2.0, 3.0]).t, 3)
    3.464
    """
    return _t_test(_read_gains(differences).ravel())


def corrected_t_test(differences: ArrayLike, test_share: float) -> TTest:
    """The paired t test over all values with the variance that overlapping training sets call for.

    ``t = mean / sqrt((1 / n + n_test / n_train) * variance)`` with ``n - 1`` degrees of freedom.

    Parameters
    ----------
    differences : array of any shape
        Gains of the first method over the second.
    test_share : float
        Share of the rows that each value was measured on: 0.2 in 5-fold cross-validation.

    Returns
    -------
    TTest
        ``t, p``.

    References
    ----------
    C. Nadeau and Y. Bengio, "Inference for the generalization error", Machine Learning 52, 2003.

    Examples
    --------
    >>> from lab.statistics.significance import corrected_t_test
    >>> round(corrected_t_test([1.0, 2.0, 3.0], test_share=1 / 3).t, 3)
    2.191
    """
    if not 0 < test_share < 1:
        raise ValueError(f"The 'test_share' of corrected_t_test must be between 0 and 1. Got {test_share!r} instead.")
    return _t_test(_read_gains(differences).ravel(), test_share / (1 - test_share))


def independent_test(one: ArrayLike, other: ArrayLike) -> TTest:
    """The t test of two independent samples; values that are nan are left out."""
    samples = [values[~np.isnan(values)] for values in (np.ravel(np.asarray(one, float)), np.ravel(other))]
    if min(map(len, samples)) < 2:
        raise ValueError("A test of two samples needs at least 2 values of each that are not nan.")
    error = math.sqrt(sum(values.var(ddof=1) / len(values) for values in samples))
    gain = float(samples[0].mean() - samples[1].mean())
    return _from_error(gain, error, len(samples[0]) + len(samples[1]) - 2)


class WinsTiesLosses(NamedTuple):
    """On how many data sets the first method is better, as good, and worse.

    Examples
    --------
    >>> from lab.statistics.significance import WinsTiesLosses
    >>> print(WinsTiesLosses.direct([0.02, 0.0, -0.01, 0.3]))
    2/1/1
    """

    wins: int
    ties: int
    losses: int

    @classmethod
    def direct(cls, gains: ArrayLike) -> WinsTiesLosses:
        """By the mean gain on each data set, however small."""
        values = np.ravel(np.asarray(gains, np.float64))
        if np.isnan(values).any():
            raise ValueError(f"The gain on data set {np.isnan(values).argmax()} is nan: leave out sets without result.")
        return cls._of_signs(np.where(np.abs(values) <= ROUNDING, 0, values))

    @classmethod
    def significant(cls, tests: Sequence[TTest], level: float = 0.05) -> WinsTiesLosses:
        """By the test on each data set; what is not significant at this level is a tie."""
        return cls._of_signs(np.array([test.t if test.is_significant(level) else 0.0 for test in tests]))

    @classmethod
    def _of_signs(cls, values: NDArray[Any]) -> WinsTiesLosses:
        return cls(int((values > 0).sum()), int((values == 0).sum()), int((values < 0).sum()))

    def __str__(self) -> str:
        return f"{self.wins}/{self.ties}/{self.losses}"


def _read_gains(differences: ArrayLike) -> NDArray[np.float64]:
    gains = np.asarray(differences, np.float64)
    if gains.size < 2:
        raise ValueError(f"A paired test needs at least 2 differences, but got {gains.size}.")
    for place in np.argwhere(~np.isfinite(gains))[:1]:
        where = ", ".join(map(str, place))
        raise ValueError(
            f"The differences must be finite, but the one at [{where}] is {gains[tuple(place)]}: a result is missing "
            "or infinite there."
        )
    return gains


def _t_test(values: NDArray[np.float64], overlap: float = 0.0) -> TTest:
    """The test of mean 0; `overlap` is added to 1 / n in the variance of the mean."""
    error = math.sqrt((1 / len(values) + overlap) * values.var(ddof=1))
    return _from_error(float(values.mean()), error, len(values) - 1)


def _from_error(gain: float, error: float, freedom: int) -> TTest:
    """The test of a gain with this standard error; without any error it is a tie or certain."""
    certain = 0.0 if abs(gain) <= ROUNDING else math.copysign(math.inf, gain)
    t = gain / error if error > ROUNDING else certain
    return TTest(t, float(2 * stdtr(freedom, -abs(t))))
