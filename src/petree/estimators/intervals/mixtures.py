"""Credible intervals from mixtures of Beta distributions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.estimators.intervals.bounds import Intervals, check_level
from petree.estimators.intervals.distributions import N_HALVINGS, POINTS, Distributions, NodeDistributions
from petree.inputs import Table
from petree.progress import begin
from petree.routing import Ends, Mixer
from petree.threads import Threads

Numbers = NDArray[np.float64]


def mixture_bounds(
    mixer: Mixer, table: Table, nodes: NodeDistributions, answer: Numbers, level: float, threads: Threads
) -> Intervals:
    """Intervals around the answered probabilities of rows, and the mean number of cases where the trees end.

    The distribution function of a mixture is the mixture of the distribution functions of the nodes. It is known at
    fixed points, and between them it is interpolated.
    """
    check_level(level)
    shares = np.array([[(1 - level) / 2], [(1 + level) / 2]])
    found = np.empty((2, *answer.shape))
    sizes = mixer.mix(table, mixer.tree.sizes[:, None].astype(np.float64), threads)[:, 0]
    n_classes = answer.shape[1]
    n_computed = 1 if n_classes == 2 else n_classes
    advance = begin("rows x classes", n_computed * len(answer))
    for index in range(n_computed):
        own = nodes.of_class(index)

        def read_off(ends: Ends, rows: slice, index: int = index, own: Distributions = own) -> None:
            found[:, rows, index] = _quantiles(own, ends, shares)
            advance(rows.stop - rows.start)

        mixer.visit_ends(read_off, table, threads)
    if n_classes == 2:
        found[..., 1] = 1 - found[::-1, :, 0]
    lower, upper = found
    return Intervals(np.minimum(lower, answer), np.maximum(upper, answer), np.rint(sizes).astype(np.int64))


def _quantiles(nodes: Distributions, ends: Ends, shares: Numbers) -> Numbers:
    """Where the mixture of each row reaches each share, by a straight line between the points around it.

    The points are found by halving, so that few values of few distributions are computed.
    """
    begins = nodes.begins(ends.nodes)
    n_ends = np.diff(ends.starts)
    left, right = np.zeros((2, len(shares), len(n_ends)), np.int64)
    right += len(POINTS) - 1
    at_left, at_right = np.zeros(left.shape), np.ones(left.shape)
    for _ in range(N_HALVINGS):
        middle = (left + right) // 2
        values = nodes.at(begins + np.repeat(middle, n_ends, axis=1))
        mixed = np.add.reduceat(ends.masses * values, ends.starts[:-1], axis=1)
        is_left = mixed < shares
        left, at_left = np.where(is_left, middle, left), np.where(is_left, mixed, at_left)
        right, at_right = np.where(is_left, right, middle), np.where(is_left, at_right, mixed)
    part = np.divide(shares - at_left, at_right - at_left, out=np.zeros(left.shape), where=at_right > at_left)
    return POINTS[left] + np.clip(part, 0, 1) * (POINTS[right] - POINTS[left])
