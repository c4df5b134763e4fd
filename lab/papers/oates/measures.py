"""What Oates and Jensen measure: nodes and accuracy of trees over ten folds, and where they differ significantly.

The size of a tree is the number of all its nodes. The paper speaks of "a t test comparing means", which is the one for
two independent samples. Folds are the same for all methods, and so a paired test finds more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lab.experiments.summary import Summary
from lab.statistics.significance import TTest, independent_test, paired_t_test

Values: TypeAlias = NDArray[np.float64]
# ``test(one, other)``: whether the first values are larger than the second.
Test: TypeAlias = Callable[[Values, Values], TTest]


def paired_test(one: Values, other: Values) -> TTest:
    return paired_t_test(one - other)


TESTS: dict[str, Test] = {"independent": independent_test, "paired": paired_test}


def nodes(summary: Summary, data_set: str, method: str) -> Values:
    """All nodes of the tree of each fold."""
    return summary.folds("inner_nodes", data_set, method) + summary.folds("leaves", data_set, method)


def mean_nodes(summary: Summary, method: str) -> list[float]:
    """For each data set."""
    return [float(nodes(summary, name, method).mean()) for name in summary.data_sets]


def mean_accuracy(summary: Summary, method: str) -> list[float]:
    """For each data set."""
    return [summary.mean("accuracy", name, method) for name in summary.data_sets]


def inner_nodes(summary: Summary, method: str, numbers: Sequence[int]) -> dict[int, list[float]]:
    """Inner nodes of the trees of all folds, by the number of cases."""
    found = [summary.folds("inner_nodes", name, method).ravel().tolist() for name in summary.data_sets]
    return dict(zip(numbers, found, strict=True))


def smaller(summary: Summary, method: str, test: Test = independent_test) -> list[str]:
    """The data sets on which trees are significantly smaller than REP's."""
    tests = {name: test(nodes(summary, name, "REP"), nodes(summary, name, method)) for name in summary.data_sets}
    return [name for name, found in tests.items() if found.is_significant() and found.t > 0]


def less_accurate(summary: Summary, method: str, test: Test = independent_test) -> list[str]:
    """The data sets on which trees are significantly less accurate than REP's."""
    tests = {
        name: test(summary.folds("accuracy", name, "REP"), summary.folds("accuracy", name, method))
        for name in summary.data_sets
    }
    return [name for name, found in tests.items() if found.is_significant() and found.t > 0]
