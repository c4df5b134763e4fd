"""Quinlan and Rivest's code for classification trees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from petree.parts import check_number
from petree.pruning.by_cost import CountCostCriterion
from petree.tree import Tree

Numbers = NDArray[np.float64]


class QuinlanRivest(CountCostCriterion):
    """The shortest code of the classes: the tree, its leaves' classes, and the exceptions (Quinlan & Rivest 1989).

    k exceptions among n cases are ``L(n, k, b) = log2(b + 1) + log2 binom(n, k)`` bits, b the most there can be. A leaf
    is 1 bit, ``log2 C`` for its class, and its exceptions, with ``b = floor((n + 1) / 2)`` for two classes. With more,
    the exceptions are coded as a leaf of the other classes in turn. An inner node is 1 bit, ``log2 N_test`` for its
    test, and its children. A leaf replaces a subtree that is not shorter.

    Parameters
    ----------
    c : float, default=1.0
        Factor of the exceptions' bits; above 1 the trees are larger.
    """

    names = ("bits to write down the subtree and its errors", "bits to write down one leaf and its errors")

    def __init__(self, c: float = 1.0) -> None:
        self.c = c

    def check(self) -> None:
        check_number(self, "c", 0)

    def split_costs(self, tree: Tree, n_cases: float) -> Numbers:
        return 1 + np.log2(np.maximum(tree.n_tests, 1))

    def leaf_costs(self, counts: Numbers) -> Numbers:
        n_classes = counts.shape[1]
        n_left = np.arange(n_classes, 1, -1)  # classes that are still possible, one column a turn
        cases = np.cumsum(np.sort(counts, axis=1), axis=1)[:, ::-1]
        n = cases[:, :-1]
        names = np.log2(n_left) * (n > 0)
        exceptions = exception_length(n, cases[:, 1:], n_left) * (n > 0)
        return 1 + np.log2(n_classes) + float(self.c) * (names[:, 1:].sum(axis=1) + exceptions.sum(axis=1))


def exception_length(n: Numbers, k: Numbers, n_classes: Numbers | NDArray[np.intp] | int) -> Numbers:
    """``L(n, k, b)``, where the most frequent of C classes leaves at most ``b = floor((n (C - 1) + 1) / C)``."""
    most = np.floor((n * (n_classes - 1) + 1) / n_classes)
    return np.log2(most + 1) + log2_binomial(n, k)


def log2_binomial(n: Numbers, k: Numbers) -> Numbers:
    return (gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)) / np.log(2)
