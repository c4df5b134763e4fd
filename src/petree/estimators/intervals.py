"""Credible intervals of class probabilities."""

from __future__ import annotations

from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from petree.tree import Tree


class Intervals(NamedTuple):
    """Bounds of class probabilities, arrays (rows, classes), and the number of cases in the leaf of each row."""

    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    n: NDArray[np.int64]


def check_level(level: Any) -> None:
    """Raise unless the probability of an interval is a number between 0 and 1."""
    if not isinstance(level, Real) or not 0 < float(level) < 1:
        raise ValueError(f"The level of an interval must be a number between 0 and 1. Got {level!r} instead.")


def node_bounds(
    tree: Tree, smoothing: Any, probabilities: NDArray[np.float64], level: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lower and upper bounds of every node's class probabilities.

    The posterior of a node is Dirichlet(s p), where p is its estimate and s the number of cases behind it, the
    smoothing's own pseudo-counts included (the cases alone where a smoothing has no `strength`). One class of it is
    Beta(s p, s (1 - p)), and the interval leaves out as much of that below as above. Where it is so skewed that the
    estimate lies outside, the interval is widened to it. An estimate of exactly 0 or 1 is certain, as its Beta says,
    and so is any of infinite strength; of strength 0 nothing is known.
    """
    check_level(level)
    strength = getattr(smoothing, "strength", None)
    cases = tree.counts.sum(axis=1) if strength is None else strength(tree)
    s = np.broadcast_to(cases[:, None], probabilities.shape)
    lower, upper = probabilities.copy(), probabilities.copy()
    lower[s == 0], upper[s == 0] = 0, 1
    is_open = (s > 0) & np.isfinite(s) & (probabilities > 0) & (probabilities < 1)
    p, s = probabilities[is_open], s[is_open]
    # fmin and fmax: of so many cases that the Beta cannot be computed, the estimate itself is all there is to say.
    lower[is_open] = np.fmin(betaincinv(s * p, s * (1 - p), (1 - level) / 2), p)
    upper[is_open] = np.fmax(betaincinv(s * p, s * (1 - p), (1 + level) / 2), p)
    return lower, upper
