"""Mixtures of the estimates along a path, their weights learned by expectation and maximisation (EM)."""

from __future__ import annotations

import numpy as np
from numba import njit

TINY = np.finfo(np.float64).tiny


@njit(nogil=True, cache=True)
def mix(counts, parents, iterations, mixed, own):
    """Mix the frequencies along the path of each node.

    `mixed` gets the class probabilities of each node and, behind them, the mean number of cases; `own` the weight of
    the node itself. Nodes are visited depth first, so that the path to a node stands in the first rows of `path`, after
    the uniform distribution, which counts as one case a class.
    """
    n_classes = counts.shape[1]
    order, levels = depth_first(parents)
    longest = levels.max() + 2
    path, left_out = np.empty((longest, n_classes + 1)), np.empty((longest, n_classes))
    likelihoods, shares = np.empty((n_classes + 1, longest)), np.empty(n_classes + 1)
    weights, factors = np.empty(longest), np.empty(longest)
    path[0], left_out[0] = 1 / n_classes, 1 / n_classes
    path[0, n_classes] = n_classes
    for node in order:
        last = levels[node] + 1
        total = enter(counts, node, last, path, left_out)
        n_present = look_up(counts, node, total, last + 1, left_out, likelihoods, shares) if total >= 2 else 0
        learn(likelihoods, shares, n_present, last + 1, iterations, weights, factors)
        own[node] = weights[last]
        for c in range(n_classes + 1):
            mean = 0.0
            for j in range(last + 1):
                mean += weights[j] * path[j, c]
            mixed[node, c] = mean


@njit(nogil=True, cache=True)
def depth_first(parents):
    """The nodes in depth-first order, and the level of each; parents come before their children."""
    sizes, levels = np.ones(parents.size, np.int64), np.zeros(parents.size, np.int64)
    for node in range(parents.size - 1, 0, -1):
        sizes[parents[node]] += sizes[node]
    order, next_place = np.zeros(parents.size, np.int64), np.ones(parents.size, np.int64)
    for node in range(1, parents.size):
        parent = parents[node]
        levels[node] = levels[parent] + 1
        order[next_place[parent]] = node
        next_place[node] = next_place[parent] + 1
        next_place[parent] += sizes[node]
    return order, levels


@njit(nogil=True, cache=True)
def enter(counts, node, place, path, left_out):
    """Write the frequencies of a node, and those without a case of the class, to its place on the path."""
    n_classes, total = counts.shape[1], 0.0
    for c in range(n_classes):
        total += counts[node, c]
    if total == 0:
        path[place], left_out[place] = path[place - 1], 0.0
        return total
    for c in range(n_classes):
        path[place, c] = counts[node, c] / total
    path[place, n_classes] = total
    rest = max(total - 1, TINY)
    for c in range(n_classes):
        left_out[place, c] = max(counts[node, c] - 1, 0.0) / rest
    return total


@njit(nogil=True, cache=True)
def look_up(counts, node, total, length, left_out, likelihoods, shares):
    """The classes present at a node: their number, shares and likelihoods under each component."""
    n_present = 0
    for c in range(counts.shape[1]):
        if counts[node, c] > 0:
            shares[n_present] = counts[node, c] / total
            for j in range(length):
                likelihoods[n_present, j] = left_out[j, c]
            n_present += 1
    return n_present


@njit(nogil=True, cache=True)
def learn(likelihoods, shares, n_present, length, iterations, weights, factors):
    """Weights of the components after some steps of EM from equal ones."""
    for j in range(length):
        weights[j] = 1 / length
    if n_present == 1:
        learn_one(likelihoods, length, iterations, weights)
    elif n_present == 2:
        learn_two(likelihoods, shares, length, iterations, weights)
    elif n_present > 2:
        learn_many(likelihoods, shares, n_present, length, iterations, weights, factors)


@njit(nogil=True, cache=True)
def learn_one(likelihoods, length, iterations, weights):
    """One class: each step multiplies the weights by the likelihoods and makes their sum 1."""
    best, total = 0.0, 0.0
    for j in range(length):
        best = max(best, likelihoods[0, j])
    for j in range(length):
        weights[j] = (likelihoods[0, j] / best) ** iterations
        total += weights[j]
    for j in range(length):
        weights[j] /= total


@njit(nogil=True, cache=True)
def learn_two(likelihoods, shares, length, iterations, weights):
    """Two classes, the usual case: one pass makes a step and the mixed likelihoods that the next step divides by."""
    first, second = 0.0, 0.0
    for j in range(length):
        first += weights[j] * likelihoods[0, j]
        second += weights[j] * likelihoods[1, j]
    for _ in range(iterations):
        of_first, of_second = shares[0] / first, shares[1] / second
        first, second = 0.0, 0.0
        for j in range(length):
            weight = weights[j] * (of_first * likelihoods[0, j] + of_second * likelihoods[1, j])
            first += weight * likelihoods[0, j]
            second += weight * likelihoods[1, j]
            weights[j] = weight


@njit(nogil=True, cache=True)
def learn_many(likelihoods, shares, n_present, length, iterations, weights, factors):
    """Any number of classes, two at a time, so that one sum does not wait for the other."""
    if n_present % 2:
        shares[n_present] = 0.0
        for j in range(length):
            likelihoods[n_present, j] = 1.0
    for _ in range(iterations):
        for j in range(length):
            factors[j] = 0.0
        for k in range(0, n_present, 2):
            first, second = 0.0, 0.0
            for j in range(length):
                first += weights[j] * likelihoods[k, j]
                second += weights[j] * likelihoods[k + 1, j]
            of_first, of_second = shares[k] / first, shares[k + 1] / second
            for j in range(length):
                factors[j] += of_first * likelihoods[k, j] + of_second * likelihoods[k + 1, j]
        for j in range(length):
            weights[j] *= factors[j]
