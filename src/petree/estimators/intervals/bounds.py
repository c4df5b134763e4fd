"""Credible intervals of class probabilities."""

from __future__ import annotations

from numbers import Real
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from petree.estimators.intervals.certainty import Certainty
from petree.reading.view import Bounds
from petree.smoothing.base import Estimates, strength_of
from petree.tree import Tree

Numbers = NDArray[np.float64]

# An estimate of more cases is certain: its interval would be a hundred millionth wide, and takes long to compute.
MOST_CASES = 2**53


class Intervals(NamedTuple):
    """Bounds of class probabilities, arrays (rows, classes), and the number of cases in the leaf of each row."""

    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    n: NDArray[np.int64]


def check_level(level: float) -> None:
    """Raise unless the probability of an interval is a number between 0 and 1."""
    if not isinstance(level, Real) or not 0 < float(level) < 1:
        raise ValueError(f"The level of an interval must be a number between 0 and 1. Got {level!r} instead.")


def node_bounds(
    tree: Tree, smoothing: Estimates, probabilities: Numbers, level: float, certainty: Certainty | None = None
) -> Bounds:
    """Lower and upper bounds of every node's class probabilities.

    The probability of a class is taken to be Beta(s p, s (1 - p)), where p is the estimate and s what the node is worth
    in cases: as measured, or else the number of cases behind the estimate, the smoothing's own pseudo-counts included
    (the cases alone where a smoothing has no `strength`). The interval leaves out as much of that below as above. Where
    it is so skewed that the estimate lies outside, the interval is widened to it. An estimate of exactly 0 or 1 is
    certain, as its Beta says, and so is any of a strength beyond 2**53; of strength 0 nothing is known.

    Where it was measured, the interval of a class that the node has not seen begins at 0, and of one that it has seen
    alone ends at 1, however far the smoothing has moved the estimate from there; all that is left out is then on the
    other side.
    """
    check_level(level)
    left_out = 1 - level
    if certainty is None:
        half = np.full(probabilities.shape, left_out / 2)
        return _quantiles(probabilities, strength_of(smoothing, tree), half, half)
    counts = tree.counts
    n = counts.sum(axis=1)
    below = left_out * np.select([counts <= 0, counts >= n[:, None]], [0.0, 1.0], 0.5)
    return _quantiles(probabilities, certainty.worth(n), below, left_out - below)


def _quantiles(probabilities: Numbers, cases: Numbers, below: Numbers, above: Numbers) -> Bounds:
    """Where Beta distributions have so much below and above, widened to their means."""
    s = np.broadcast_to(cases[:, None], probabilities.shape)
    lower = np.where(s == 0, 0.0, probabilities)
    upper = np.where(s == 0, 1.0, probabilities)
    is_open = (s > 0) & (s <= MOST_CASES) & (probabilities > 0) & (probabilities < 1)
    p = probabilities[is_open]
    s = s[is_open]
    # fmin and fmax: where the Beta cannot be computed, the estimate itself is all there is to say.
    lower[is_open] = np.fmin(betaincinv(s * p, s * (1 - p), below[is_open]), p)
    upper[is_open] = np.fmax(betaincinv(s * p, s * (1 - p), 1 - above[is_open]), p)
    return lower, upper
