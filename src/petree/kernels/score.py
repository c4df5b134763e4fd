"""Split scores inside the kernels, told apart by the type of their code.

The value of a split is higher the better; that of an unsplit node is the same function with all cases in one child, and
the difference of the two is the score times the weight of the node. These loops run once a candidate. They touch arrays
by index only (a slice costs more than the arithmetic) and keep all sums in registers (storing one to read it back costs
five times the rest). A score is two functions of scalars, `add` and `total_value`, and whether it `needs_totals`.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit, types
from numba.extending import overload

from petree.splitting.codes import (
    ChiSquareCode,
    GainCode,
    GiniCode,
    MajorityCode,
    MAUCCode,
    MSEECode,
    OneVersusRestCode,
)

# Shares that differ by no more than this are equal.
EQUAL_SHARES = 1e-12


def is_code(score, *codes):
    """Whether a numba type is that of one of the codes."""
    return isinstance(score, types.BaseNamedTuple) and score.instance_class in codes


def n_log_n(count, table):
    """``n log2 n``: whole counts look it up where the table reaches, fractional ones compute it."""
    return count * math.log2(count) if count > 0 else 0.0


@overload(n_log_n)
def n_log_n_by_type(count, table):
    if isinstance(count, types.Float):
        return lambda count, table: count * math.log2(count) if count > 0 else 0.0  # not for a residue of rounding
    return lambda count, table: table[np.uintp(count)] if count < table.size else count * math.log2(count)


# -- gain: minus the entropy in bits, times the cases -------------------------------------------------------------


def add_gain(score, sums, count, other, total, other_total, node_count, n_classes):
    bits = n_log_n(count, score.table) + n_log_n(other, score.table)
    return sums[0] + bits, sums[1], sums[2], sums[3]


def value_of_gain(score, sums, total, other_total, node_total, n_classes):
    return sums[0] - (n_log_n(total, score.table) + n_log_n(other_total, score.table))


# -- gini: the cases times the sum of squared shares ----------------------------------------------------------------


def add_squares(score, sums, count, other, total, other_total, node_count, n_classes):
    count, other = float(count), float(other)
    return sums[0] + count * count, sums[1] + other * other, sums[2], sums[3]


def value_of_gini(score, sums, total, other_total, node_total, n_classes):
    value = sums[0] / total if total > 0 else 0.0
    if other_total > 0:
        value += sums[1] / other_total
    return value


# -- dkm: minus the square roots of p (1 - p), times the cases --------------------------------------------------------


@njit(nogil=True, cache=True)
def geometric_mean(count, rest):
    """``sqrt(count * rest)``; a residue of rounding must not grow under the root."""
    product = float(count) * float(rest)
    return math.sqrt(product) if product > 1e-12 * (count + rest) ** 2 else 0.0


def add_one_versus_rest(score, sums, count, other, total, other_total, node_count, n_classes):
    here, there = geometric_mean(count, total - count), geometric_mean(other, other_total - other)
    return sums[0] + here, sums[1] + there, sums[2], sums[3]


def value_of_one_versus_rest(score, sums, total, other_total, node_total, n_classes):
    return -(sums[0] + sums[1])


def add_largest(score, sums, count, other, total, other_total, node_count, n_classes):
    return max(sums[0], float(count)), max(sums[1], float(other)), sums[2], sums[3]


def value_of_majority(score, sums, total, other_total, node_total, n_classes):
    return -2 * (geometric_mean(sums[0], total - sums[0]) + geometric_mean(sums[1], other_total - sums[1]))


# -- chi-square: the statistic plus the cases ---


def add_chi_square(score, sums, count, other, total, other_total, node_count, n_classes):
    factor = 1.0 / node_count if node_count > 0 else 0.0
    count, other = float(count), float(other)
    return sums[0] + count * count * factor, sums[1] + other * other * factor, sums[2], sums[3]


def value_of_chi_square(score, sums, total, other_total, node_total, n_classes):
    value = sums[0] / total if total > 0 else 0.0
    if other_total > 0:
        value += sums[1] / other_total
    return node_total * value


# -- msee: minus the squared errors expected by the children, times the cases ---


def add_powers(score, sums, count, other, total, other_total, node_count, n_classes):
    count, other = count + score.added, other + score.added
    square, other_square = count * count, other * other
    return sums[0] + square, sums[1] + other_square, sums[2] + square * count, sums[3] + other_square * other


@njit(nogil=True, cache=True)
def squared_error(squares, cubes, total):
    """``1 - 2S - S^2 + 2T`` of shares, S and T being their sums of squares and of cubes."""
    factor = 1.0 / total
    squares *= factor * factor
    return 1 - 2 * squares - squares * squares + 2 * cubes * factor * factor * factor


def value_of_squared_errors(score, sums, total, other_total, node_total, n_classes):
    added = n_classes * score.added
    value = 0.0
    if total > 0:
        value -= total * squared_error(sums[0], sums[2], total + added)
    if other_total > 0:
        value -= other_total * squared_error(sums[1], sums[3], other_total + added)
    return value


# -- mauc: how well two children rank the classes, from 0 to 1/2, times the cases ---


def add_ranks(score, sums, count, other, total, other_total, node_count, n_classes):
    """With a_i the share of class i that goes to the first child, and s_i the sign of p_i there less p_i in the other,
    A(i|j) is ``1/2 + s_i (a_i - a_j) / 2``: the mean over all pairs needs the sums of s a, s, a and 1 alone."""
    if node_count <= 0:
        return sums
    share = count / node_count
    here = (count + score.added) * (other_total + n_classes * score.added)
    there = (other + score.added) * (total + n_classes * score.added)
    margin = EQUAL_SHARES * (here + there)
    sign = 1.0 if here > there + margin else -1.0 if there > here + margin else 0.0
    return sums[0] + sign * share, sums[1] + sign, sums[2] + share, sums[3] + 1.0


def value_of_ranks(score, sums, total, other_total, node_total, n_classes):
    pairs = sums[3] * (sums[3] - 1)
    scale = 0.5 * score.scale * node_total
    return scale * (sums[3] * sums[0] - sums[1] * sums[2]) / pairs if pairs > 0 else 0.0


# -- which score is which ---


ADD = {
    GainCode: add_gain,
    GiniCode: add_squares,
    OneVersusRestCode: add_one_versus_rest,
    MajorityCode: add_largest,
    ChiSquareCode: add_chi_square,
    MSEECode: add_powers,
    MAUCCode: add_ranks,
}
TOTAL_VALUE = {
    GainCode: value_of_gain,
    GiniCode: value_of_gini,
    OneVersusRestCode: value_of_one_versus_rest,
    MajorityCode: value_of_majority,
    ChiSquareCode: value_of_chi_square,
    MSEECode: value_of_squared_errors,
    MAUCCode: value_of_ranks,
}


def needs_totals(score):
    """Whether `add` wants to know the total weights of the children."""


@overload(needs_totals)
def needs_totals_by_type(score):
    if is_code(score, OneVersusRestCode, MAUCCode):
        return lambda score: True
    return lambda score: False


def add(score, sums, count, other, total, other_total, node_count, n_classes):
    """Four running sums, with one class more: its weight in a child, in the other child, and in the node."""


@overload(add)
def add_by_type(score, sums, count, other, total, other_total, node_count, n_classes):
    return ADD.get(score.instance_class)


def total_value(score, sums, total, other_total, node_total, n_classes):
    """Value of two children from their sums over the classes and their total weights."""


@overload(total_value)
def total_value_by_type(score, sums, total, other_total, node_total, n_classes):
    return TOTAL_VALUE.get(score.instance_class)


# -- a line of counts, and what it leaves of another ---------------------------------------------------------------


@njit(nogil=True, cache=True)
def total_weight(counts, line, n_classes, class_weight):
    """Weight of a line of counts as the score sees it."""
    weight = 0.0
    for c in range(n_classes):
        weight += counts[line, c] * (class_weight[c] if class_weight.size else 1.0)
    return weight


@njit(nogil=True, cache=True, inline="always")
def pair_value(score, counts, line, totals, node, n_classes, class_weight):
    """Value of two children, a line of `counts` and what it leaves of the line of `totals`; weight of the first."""
    sums = (0.0, 0.0, 0.0, 0.0)
    if class_weight.size:
        weight = other_weight = 0.0
        if needs_totals(score):
            for c in range(n_classes):
                weight += counts[line, c] * class_weight[c]
                other_weight += (totals[node, c] - counts[line, c]) * class_weight[c]
        for c in range(n_classes):
            count = counts[line, c] * class_weight[c]
            node_count = totals[node, c] * class_weight[c]
            other = node_count - count
            if not needs_totals(score):
                weight += count
                other_weight += other
            sums = add(score, sums, count, other, weight, other_weight, node_count, n_classes)
        return total_value(score, sums, weight, other_weight, weight + other_weight, n_classes), weight
    total = other_total = totals[node, 0] - totals[node, 0]  # a zero of the counts' own type
    if needs_totals(score):
        for c in range(n_classes):
            total += counts[line, c]
            other_total += totals[node, c] - counts[line, c]
    for c in range(n_classes):
        count = counts[line, c]
        node_count = totals[node, c]
        other = node_count - count
        if not needs_totals(score):
            total += count
            other_total += other
        sums = add(score, sums, count, other, total, other_total, node_count, n_classes)
    return total_value(score, sums, total, other_total, total + other_total, n_classes), float(total)


@njit(nogil=True, cache=True)
def lone_value(score, counts, line, totals, node, node_weight, n_classes, class_weight):
    """Value of one child, a line of `counts`, beside an empty one."""
    sums = (0.0, 0.0, 0.0, 0.0)
    weight = total_weight(counts, line, n_classes, class_weight)
    if class_weight.size:
        for c in range(n_classes):
            count, node_count = counts[line, c] * class_weight[c], totals[node, c] * class_weight[c]
            sums = add(score, sums, count, 0.0, weight, 0.0, node_count, n_classes)
        return total_value(score, sums, weight, 0.0, node_weight, n_classes)
    none = total = totals[node, 0] - totals[node, 0]
    for c in range(n_classes):
        total += counts[line, c]
    for c in range(n_classes):
        sums = add(score, sums, none + counts[line, c], none, total, none, totals[node, c], n_classes)
    return total_value(score, sums, total, none, node_weight, n_classes)
