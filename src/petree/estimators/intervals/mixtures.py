"""Credible intervals from mixtures of Beta distributions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from petree.bayes import Prior
from petree.estimators.intervals.bounds import Intervals, check_level
from petree.inputs import Table
from petree.routing import Mixer
from petree.threads import Threads

# Points between 0 and 1 at which the distribution of a mixture is known; between them it is interpolated.
N_POINTS = 513
# Points that are looked at together.
BLOCK = 32


def mixture_bounds(
    mixer: Mixer, table: Table, prior: Prior, answer: NDArray[np.float64], level: float, threads: Threads
) -> Intervals:
    """Intervals around the answered probabilities of rows, and the mean number of cases where the trees end.

    The distribution function of a mixture is the mixture of the distribution functions: so one of every node at fixed
    points is mixed like any other value.
    """
    check_level(level)
    tree = mixer.tree
    own = prior.estimate(tree)
    cases = prior.strength(tree)
    points = _points()
    shares = ((1 - level) / 2, (1 + level) / 2)
    lower, upper = np.empty((2, table.n_rows, tree.n_classes))
    sizes = mixer.mix(table, tree.sizes[:, None].astype(np.float64), threads)[:, 0]
    for index in range(tree.n_classes):
        a, b = (np.maximum(cases * share, 1e-12) for share in (own[:, index], 1 - own[:, index]))
        bounds = mixer.read_off(
            table,
            _Distributions.of(a, b, points).in_blocks,
            lambda mixed: np.column_stack([_quantile(points, mixed, one) for one in shares]),
            2,
            threads,
        )
        lower[:, index], upper[:, index] = bounds.T
    return Intervals(np.minimum(lower, answer), np.maximum(upper, answer), np.rint(sizes).astype(np.int64))


class _Distributions(NamedTuple):
    """Distribution functions of Beta distributions at some points: the distinct ones, and which each node has."""

    distinct: NDArray[np.float64]
    which: NDArray[np.intp]

    @classmethod
    def of(cls, a: NDArray[np.float64], b: NDArray[np.float64], points: NDArray[np.float64]) -> _Distributions:
        pairs, which = np.unique(np.column_stack((a, b)), axis=0, return_inverse=True)
        return cls(np.asarray(betainc(pairs[:, :1], pairs[:, 1:], points), np.float64), which.ravel())

    def in_blocks(self) -> Iterator[NDArray[np.float64]]:
        """One line per node, some points at a time."""
        for start in range(0, self.distinct.shape[1], BLOCK):
            yield self.distinct[:, start : start + BLOCK][self.which]


def _points() -> NDArray[np.float64]:
    """Points that are dense near 0 and 1, where probabilities of small leaves pile up."""
    angles = np.linspace(0, np.pi / 2, N_POINTS)
    return np.sin(angles) ** 2


def _quantile(points: NDArray[np.float64], below: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """Where each distribution function reaches a share, by a straight line between the points around it."""
    place = np.clip((below < share).sum(axis=1), 1, len(points) - 1)
    rows = np.arange(len(below))
    left = below[rows, place - 1]
    right = below[rows, place]
    part = np.divide(share - left, right - left, out=np.zeros(len(below)), where=right > left)
    return points[place - 1] + np.clip(part, 0, 1) * (points[place] - points[place - 1])
