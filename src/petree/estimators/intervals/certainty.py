"""How many cases the estimate of a leaf is worth, as cases say that inner folds left out.

A leaf was searched for, so that its own cases agree better than others would, and its estimate is moved towards those
of the nodes above it. What comes of both is measured: the class counts of left-out cases in the leaves of the folds'
trees are taken for beta-binomial around what these leaves answer, with a size that depends on the leaf's cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import digamma, gammaln

from petree.estimators.learning.held_out import HeldOut
from petree.smoothing.base import Estimates

# Pairs of a leaf and a class that are looked at; of more leaves an even sample.
MOST_CELLS = 20_000
# Nearer to 0 or 1 an estimate is certain.
CERTAIN = 1e-12
# Standard deviations of the two logarithms before anything is measured: of what a case is worth around that it is worth
# one, and of the most that a leaf can be worth around that it is the whole table.
SPREADS = np.array([1.0, 3.0])
FARTHEST = 15.0
# What is taken of a case's worth; docs/intervals.md has the evidence.
TAKEN = 2 / 3

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Certainty:
    """A leaf of n cases is worth ``1 / (1 / (each n) + 1 / most)`` cases.

    Parameters
    ----------
    each : float, default=1.0
        Cases that each case of a small leaf is worth: less than 1 where leaves were chosen for their cases, more where
        the cases of other leaves say much about them.
    most : float, default=inf
        What no leaf is worth more than, however many cases it has.

    Examples
    --------
    >>> Certainty(each=0.5, most=100.0).worth(np.array([0.0, 20.0, 1e6])).round(2).tolist()
    [0.0, 9.09, 99.98]
    """

    each: float = 1.0
    most: float = inf

    def worth(self, n: Floats) -> Floats:
        """What leaves of so many cases are worth."""
        with np.errstate(divide="ignore"):
            return np.asarray(1 / (1 / (self.each * n) + 1 / self.most))


@dataclass(frozen=True)
class LeafCells:
    """Pairs of a leaf and a class: cases of the leaf, estimate, left-out cases of the class and of all classes."""

    n: Floats
    estimates: Floats
    counts: Floats
    totals: Floats
    n_classes: int

    @classmethod
    def of(cls, n: Floats, estimates: Floats, counts: Floats) -> LeafCells:
        """All pairs of which something can be learnt; n is of leaves, the others of leaves and classes."""
        totals = np.broadcast_to(counts.sum(axis=1, keepdims=True), counts.shape)
        n = np.broadcast_to(n[:, None], counts.shape)
        is_open = (n > 0) & (totals > 0) & (estimates > CERTAIN) & (estimates < 1 - CERTAIN)
        return cls(n[is_open], estimates[is_open], counts[is_open], totals[is_open], counts.shape[1])

    def score(self, certainty: Certainty) -> tuple[float, Floats]:
        """Log likelihood of a certainty, and its slopes by the logarithms of the two numbers.

        All but one of the classes are free, but none is less than another: each counts a little less than one.
        """
        s = certainty.worth(self.n)
        a = s * self.estimates
        b = s * (1 - self.estimates)
        others = self.totals - self.counts
        terms = gammaln(a + self.counts) - gammaln(a) + gammaln(b + others) - gammaln(b)
        terms += gammaln(s) - gammaln(s + self.totals)
        slopes = self.estimates * (digamma(a + self.counts) - digamma(a)) + digamma(s) - digamma(s + self.totals)
        slopes += (1 - self.estimates) * (digamma(b + others) - digamma(b))
        by_logarithms = np.array([np.sum(slopes * s**2 / (certainty.each * self.n)), np.sum(slopes * s**2)])
        by_logarithms[1] /= certainty.most
        free = 1 - 1 / self.n_classes
        return free * float(terms.sum()), free * by_logarithms


def measure_certainty(folds: Sequence[HeldOut], smoothing: Estimates, n_cases: float) -> Certainty:
    """The certainty of a tree of so many cases, from trees of its folds and what these left out.

    Two thirds of what was found are taken: the folds' trees had fewer cases, what more of them are worth was not seen,
    and the cases that were left out have also chosen the size of the tree and its smoothing.
    """
    step = -(-sum(fold.tree.n_leaves * fold.tree.n_classes for fold in folds) // MOST_CELLS)
    leaves = [np.flatnonzero(fold.tree.is_leaf)[::step] for fold in folds]
    pairs = list(zip(folds, leaves, strict=True))
    n = np.concatenate([fold.tree.counts[of_fold].sum(axis=1) for fold, of_fold in pairs])
    estimates = np.concatenate([smoothing.estimate(fold.tree)[of_fold] for fold, of_fold in pairs])
    counts = np.concatenate([fold.counts()[of_fold] for fold, of_fold in pairs])
    found = most_likely(LeafCells.of(n, estimates, counts), n_cases)
    return Certainty(TAKEN * found.each, found.most)


def most_likely(cells: LeafCells, n_cases: float) -> Certainty:
    """The certainty of the largest posterior, where each case is thought to be worth about one beforehand."""
    middle = np.array([0.0, np.log(n_cases)])

    def cost(logarithms: Floats) -> tuple[float, Floats]:
        likelihood, slopes = cells.score(Certainty(*np.exp(logarithms)))
        away = (logarithms - middle) / SPREADS
        return away @ away / 2 - likelihood, away / SPREADS - slopes

    # TNC starts no threads, which would wait for each other longer than two numbers take.
    bounds = [(place - FARTHEST, place + FARTHEST) for place in middle]
    found = minimize(cost, middle, jac=True, method="TNC", bounds=bounds)
    each, most = np.exp(found.x)
    return Certainty(float(each), float(most))
