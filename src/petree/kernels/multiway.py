"""The value of a split into one child for each present value of a column."""

from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import overload

from petree.kernels.score import EQUAL_SHARES, is_code, lone_value, total_weight
from petree.splitting.codes import MAUCCode


def multiway_value(score, histogram, slots, n_children, totals, node, n_classes, class_weight):
    """Value of the split."""


@overload(multiway_value)
def multiway_value_by_type(score, histogram, slots, n_children, totals, node, n_classes, class_weight):
    return rank_children if is_code(score, MAUCCode) else add_children


def add_children(score, histogram, slots, n_children, totals, node, n_classes, class_weight):
    node_weight = total_weight(totals, node, n_classes, class_weight)
    value = 0.0
    for k in range(n_children):
        value += lone_value(score, histogram, slots[k], totals, node, node_weight, n_classes, class_weight)
    return value


def rank_children(score, histogram, slots, n_children, totals, node, n_classes, class_weight):
    """Hand and Till's measure less 1/2, times the cases: for each class the children are ranked by its probability."""
    node_weight = total_weight(totals, node, n_classes, class_weight)
    weights = np.empty(n_children)
    for k in range(n_children):
        weights[k] = total_weight(histogram, slots[k], n_classes, class_weight)
    estimates, total, pairs = np.empty(n_children), 0.0, 0
    for i in range(n_classes):
        if totals[node, i] <= 0:
            continue
        factor = class_weight[i] if class_weight.size else 1.0
        for k in range(n_children):
            count = histogram[slots[k], i] * factor
            estimates[k] = (count + score.added) / (weights[k] + n_classes * score.added)
        order = np.argsort(estimates)
        for j in range(n_classes):
            if j != i and totals[node, j] > 0:
                total += rank_two_classes(histogram, slots, estimates, order, i, j) / totals[node, i] / totals[node, j]
                pairs += 1
    return score.scale * node_weight * (total / pairs - 0.5) if pairs else 0.0


@njit(nogil=True, cache=True)
def rank_two_classes(histogram, slots, estimates, order, i, j):
    """Pairs of a case of class i and one of class j of which the first is ranked higher, equal ranks counting half."""
    below = wins = 0.0  # cases of class j in children ranked lower
    start = 0
    while start < order.size:
        stop, here, other = start, 0.0, 0.0
        limit = estimates[order[start]] + EQUAL_SHARES
        while stop < order.size and estimates[order[stop]] <= limit:
            here += histogram[slots[order[stop]], i]
            other += histogram[slots[order[stop]], j]
            stop += 1
        wins += here * (below + other / 2)
        below += other
        start = stop
    return wins
