"""Many methods on many data sets: average ranks, and which of them differ (Friedman, Iman-Davenport, Nemenyi)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import chdtrc, fdtrc

# Equal results whose folds were summed in another order agree to so many decimals.
DECIMALS = 12


def ranks(values: ArrayLike, higher_is_better: bool) -> NDArray[np.float64]:
    """The rank of each method on each data set: 1 is the best; equal ones share the mean of their ranks.

    Parameters
    ----------
    values : array (data sets, methods)
        A measure of each method on each data set.
    higher_is_better : bool
        Whether rank 1 is for the highest value, or for the lowest.

    Returns
    -------
    array (data sets, methods)

    Examples
    --------
    >>> from lab.statistics.ranks import ranks
    >>> ranks([[0.9, 0.8, 0.8], [0.7, 0.6, 0.5]], higher_is_better=True).tolist()
    [[1.0, 2.5, 2.5], [1.0, 2.0, 3.0]]
    """
    costs = np.round(_read_values(values), DECIMALS) * (-1 if higher_is_better else 1)
    n_before = (costs[:, None, :] < costs[:, :, None]).sum(axis=-1)
    n_equal = (costs[:, None, :] == costs[:, :, None]).sum(axis=-1)
    return n_before + (n_equal + 1) / 2


def average_ranks(values: ArrayLike, higher_is_better: bool) -> NDArray[np.float64]:
    """The mean over the data sets of the rank of each method; parameters are those of `ranks`.

    Examples
    --------
    >>> from lab.statistics.ranks import average_ranks
    >>> average_ranks([[0.9, 0.8, 0.8], [0.7, 0.6, 0.5]], higher_is_better=True).tolist()
    [1.0, 2.25, 2.75]
    """
    return ranks(values, higher_is_better).mean(axis=0)


class FriedmanTest(NamedTuple):
    """Friedman's chi square and Iman and Davenport's F, each with the chance that equal methods reach it."""

    chi_square: float
    chi_square_p: float
    f: float
    f_p: float


def friedman_test(averages: ArrayLike, n_sets: int) -> FriedmanTest:
    """Do the average ranks differ by more than luck?

    ``chi square = 12 n / (k (k + 1)) (sum R_j^2 - k (k + 1)^2 / 4)`` with k - 1 degrees of freedom, and
    ``F = (n - 1) chi square / (n (k - 1) - chi square)`` with k - 1 and (k - 1)(n - 1), for k methods on n data sets.
    Ties are not corrected for, which makes both cautious. Where all sets rank alike, F is infinite and has the p-value
    of chi square.

    Parameters
    ----------
    averages : array (methods,)
        Average rank of each method, over all of them.
    n_sets : int
        Number of data sets.

    Returns
    -------
    FriedmanTest

    References
    ----------
    J. Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006, section 3.2.2.

    Examples
    --------
    >>> from lab.statistics.ranks import friedman_test
    >>> test = friedman_test([1.2, 2.1, 2.7], n_sets=5)
    >>> round(test.chi_square, 3), round(test.f, 3)
    (5.7, 5.302)
    """
    mean_ranks = np.asarray(averages, np.float64)
    n_methods = mean_ranks.size
    _check_numbers(n_methods, n_sets)
    _check_sum(mean_ranks)
    spread = float(((mean_ranks - (n_methods + 1) / 2) ** 2).sum())
    chi_square = 12 * n_sets / (n_methods * (n_methods + 1)) * spread
    freedom = n_methods - 1
    rest = n_sets * (n_methods - 1) - chi_square
    chi_square_p = float(chdtrc(freedom, chi_square))
    if rest <= 1e-9:  # all sets rank the methods alike: F has no bound then, and says nothing of how few sets there are
        return FriedmanTest(chi_square, chi_square_p, math.inf, chi_square_p)
    f = (n_sets - 1) * chi_square / rest
    return FriedmanTest(chi_square, chi_square_p, f, float(fdtrc(freedom, freedom * (n_sets - 1), f)))


def nemenyi_difference(n_methods: int, n_sets: int, level: float = 0.05) -> float:
    """The critical difference: two methods whose average ranks lie this far apart differ significantly.

    ``q sqrt(k (k + 1) / (6 n))``, where q is the studentised range of k means with infinitely many degrees of freedom,
    divided by the square root of 2.

    Parameters
    ----------
    n_methods, n_sets : int
        Number of methods and of data sets.
    level : float, default 0.05
        Level of significance, for all pairs of methods together.

    Returns
    -------
    float

    Examples
    --------
    >>> from lab.statistics.ranks import nemenyi_difference
    >>> round(nemenyi_difference(n_methods=4, n_sets=14), 2)
    1.25
    """
    from scipy.stats import studentized_range  # here, because it takes most of a second

    _check_numbers(n_methods, n_sets)
    if not 0 < level < 1:
        raise ValueError(f"The 'level' of nemenyi_difference must be between 0 and 1. Got {level!r} instead.")
    quantile = studentized_range.ppf(1 - level, n_methods, np.inf) / math.sqrt(2)
    return float(quantile * math.sqrt(n_methods * (n_methods + 1) / (6 * n_sets)))


def similar_groups(averages: Mapping[str, float], difference: float) -> list[tuple[str, ...]]:
    """The largest groups of two or more methods of which no two lie as far apart as the critical difference.

    Parameters
    ----------
    averages : dict of float
        Average rank of each method, by name.
    difference : float
        The critical difference.

    Returns
    -------
    list of tuple of str
        From the best to the worst, within and between groups.

    Examples
    --------
    >>> from lab.statistics.ranks import similar_groups
    >>> similar_groups({"a": 1.0, "b": 1.5, "c": 2.2, "d": 4.0}, 1.0)
    [('a', 'b'), ('b', 'c')]
    """
    names = sorted(averages, key=lambda name: averages[name])
    groups: list[tuple[str, ...]] = []
    last_end = 0
    for start, name in enumerate(names):
        end = sum(averages[other] - averages[name] < difference for other in names)
        if end > max(last_end, start + 1):
            groups.append(tuple(names[start:end]))
            last_end = end
    return groups


def _read_values(values: ArrayLike) -> NDArray[np.float64]:
    matrix = np.asarray(values, np.float64)
    if matrix.ndim != 2 or not matrix.size:
        raise ValueError(f"The values must be data sets x methods, but their shape is {matrix.shape}.")
    for row, column in np.argwhere(np.isnan(matrix))[:1]:
        raise ValueError(
            f"The value of method {column} on data set {row} is nan: leave out data sets without all results."
        )
    return matrix


def _check_numbers(n_methods: int, n_sets: int) -> None:
    if n_methods < 2 or n_sets < 2:
        raise ValueError(f"Ranks are compared over 2 or more methods and data sets, not {n_methods} and {n_sets}.")


def _check_sum(mean_ranks: NDArray[np.float64]) -> None:
    """Ranks that are printed with two decimals sum up only so nearly."""
    expected = mean_ranks.size * (mean_ranks.size + 1) / 2
    if not abs(mean_ranks.sum() - expected) <= 0.01 * mean_ranks.size:
        raise ValueError(
            f"The average ranks of {mean_ranks.size} methods must sum to {expected:g}, but they sum to "
            f"{mean_ranks.sum():g}: rank all methods together, without others."
        )
