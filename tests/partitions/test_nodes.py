"""Permutation tests of data in parts against those of the same codes in memory, and against their definition."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from tests.partitions.executor import ByExecutor
from tests.partitions.made import code, make_frame, make_weights

from petree import ProbabilityTreeClassifier
from petree.partitions import nodes
from petree.partitions.engines import use
from petree.partitions.partition import CodedData
from petree.pruning import Chi, Permutation, Rand
from petree.pruning.criteria.significance import rand
from petree.pruning.criterion import Criterion
from petree.pruning.engine.context import Context
from petree.pruning.engine.stumps import Stumps
from petree.smoothing import MEstimate

# Bytes in which no node fits.
TINY = 600
N_ROWS = 160
CUTS = (7, 7, 100)


def fit(data: CodedData, memory: int | str = TINY, workers: Any = None, **parameters: Any) -> ProbabilityTreeClassifier:
    with use(workers, memory=memory):
        return ProbabilityTreeClassifier(**{"smoothing": "laplace", "random_state": 3} | parameters).fit(data)


def assert_same_verdicts(one: ProbabilityTreeClassifier, other: ProbabilityTreeClassifier) -> None:
    """The same tests, and the same was found at every node that was tested."""
    assert [str(condition) for condition in one.tree_.conditions] == [str(test) for test in other.tree_.conditions]
    np.testing.assert_array_equal(one.tree_.sizes, other.tree_.sizes)
    np.testing.assert_allclose(one.tree_.counts, other.tree_.counts, rtol=1e-12)
    verdicts = []
    for model in (one, other):
        log = model.tree_.pruning_log
        assert log is not None
        verdicts.append(sorted(zip(log.nodes, log.verdicts.statistic, log.verdicts.threshold, strict=True)))
    np.testing.assert_allclose(*verdicts, rtol=1e-12)


@pytest.mark.parametrize(
    ("criterion", "weights", "parameters"),
    [
        (Rand(permutations=40), "none", {}),
        (Rand(permutations=20), "copies", {"tests": "sets"}),
        (Rand(permutations=20), "fractions", {"tests": "multiway"}),
        (Rand(permutations=20), "none", {"class_weight": "balanced", "split": "gain_ratio"}),
        (Rand(permutations=20, when="pre"), "copies", {"split": "gini"}),
        (Rand(permutations=20, when="pre"), "none", {"tests": "multiway", "min_samples_leaf": 5}),
        (Rand(permutations=20, correction="cases"), "none", {"tests": "sets", "split": "gain_ratio"}),
        (Rand(permutations=20, correction="cases"), "copies", {}),
        (Permutation(permutations=200), "copies", {"tests": "multiway"}),
        (Permutation(permutations=200, when="post"), "fractions", {}),
    ],
    ids=str,
)
def test_verdicts_are_those_of_the_same_codes_in_memory(
    criterion: Criterion, weights: str, parameters: dict[str, Any]
) -> None:
    data = code(*make_frame(N_ROWS), make_weights(weights, N_ROWS), CUTS)
    expected = fit(data, "1GB", pruning=criterion, **parameters)
    assert expected.tree_.n_leaves > 1 or parameters.get("split") == "gain_ratio"
    assert_same_verdicts(expected, fit(data, pruning=criterion, **parameters))


@pytest.mark.parametrize("cuts", [(), (1, 2, 3, 159), (0, 80, 80, 160)], ids=str)
def test_verdicts_depend_neither_on_where_data_are_cut_nor_on_memory(
    cuts: tuple[int, ...],
) -> None:
    frame, classes = make_frame(N_ROWS)
    frame["many"] = pd.Categorical(np.arange(len(frame)) % 150, categories=range(300))  # codes of four bytes
    criterion = Rand(permutations=20)
    expected = fit(code(frame, classes, None, CUTS), pruning=criterion)
    for memory in (1, 5000):
        assert_same_verdicts(expected, fit(code(frame, classes, None, cuts), memory, pruning=criterion))


def test_verdicts_are_the_same_whoever_counts() -> None:
    data = code(*make_frame(N_ROWS), make_weights("copies", N_ROWS), CUTS)
    expected = fit(data, pruning="rand")
    assert_same_verdicts(expected, fit(data, n_jobs=2, pruning="rand"))
    assert_same_verdicts(expected, fit(data, "1GB", n_jobs=2, pruning="rand"))
    with ThreadPoolExecutor(2) as workers:
        assert_same_verdicts(expected, fit(data, workers=ByExecutor(workers), pruning="rand"))


def test_inner_folds_are_permuted_alike() -> None:
    data = code(*make_frame(N_ROWS, 2), make_weights("copies", N_ROWS), CUTS)
    parameters = {"pruning": Rand(permutations=20), "smoothing": MEstimate(m="auto")}
    expected = fit(data, "1GB", **parameters)
    model = fit(data, **parameters)
    assert model.tuning_.chosen == expected.tuning_.chosen
    assert_same_verdicts(expected, model)
    np.testing.assert_allclose(model.node_probabilities_, expected.node_probabilities_, rtol=1e-12)


# -- the definition --------------------------------------------------------------------------------------------------


def bits(classes: NDArray[np.int64]) -> float:
    shares = np.bincount(classes) / max(len(classes), 1)
    return float(-sum(share * np.log2(share) for share in shares if share))


def best_gain(values: NDArray[np.float64], classes: NDArray[np.int64]) -> float:
    """The best gain of a threshold, missing values on either side, or of a test for these."""
    gains = [0.0]
    is_missing = np.isnan(values)
    for cut in np.unique(values[~is_missing]):
        for goes in (values > cut, (values > cut) | is_missing, is_missing):
            left, right = classes[goes], classes[~goes]
            gains.append(bits(classes) - (len(left) * bits(left) + len(right) * bits(right)) / len(classes))
    return max(gains)


@pytest.mark.parametrize("memory", [100, "1GB"])
def test_permutations_reach_the_gain_as_often_as_the_definition_says(
    memory: int | str,
) -> None:
    values = np.array([1.0, 2, 2, 3, np.nan, 4, 5, np.nan, 6, 7])
    classes = np.array([0, 0, 1, 0, 0, 1, 1, 0, 1, 0])
    chances = []
    for ones in combinations(range(10), 4):
        permuted = np.isin(np.arange(10), ones).astype(int)
        chances.append(best_gain(values, permuted) >= best_gain(values, classes) - 1e-12)
    expected = np.mean(chances)
    assert 0.1 < expected < 0.9
    data = code(pd.DataFrame({"x": values}), classes, None, (2, 2, 7))
    model = fit(data, memory, pruning=Rand(alpha=1.0, permutations=600, when="pre"), max_depth=1)
    log = model.tree_.pruning_log
    assert log is not None
    assert log.verdicts.statistic[0] / 600 == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / 600))


# -- nodes that are too large to permute -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("criterion", "parameters"),
    [
        (Rand(alpha=0.2, permutations=20), {}),
        (Rand(alpha=0.2, permutations=20), {"split": "gini", "tests": "multiway", "max_depth": 1}),
        (Rand(alpha=0.2, permutations=20, when="pre"), {"split": "gini"}),
    ],
    ids=str,
)
def test_large_nodes_are_decided_by_the_chi_square_test(
    criterion: Rand, parameters: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nodes, "ALWAYS_GATHERED", 30)
    monkeypatch.setattr(rand, "CERTAIN_BITS", 1e9)  # no bound decides
    data = code(*make_frame(N_ROWS), None, CUTS)
    log = fit(data, pruning=criterion, **parameters).tree_.pruning_log
    assert log is not None
    tested = log.nodes[log.grown.sizes[log.nodes] > 30]
    by_chi = Chi(alpha=0.2).judge(Stumps.of(log.grown, tested), Context()).accepted
    np.testing.assert_array_equal(log.verdicts.accepted[np.isin(log.nodes, tested)], by_chi)
    assert by_chi.any()
    assert log.notes == (
        f"Nodes too large to permute, decided by the chi-square test at the same level: {len(tested)}.",
    )


def test_corrected_tests_of_large_nodes_support_what_the_chi_square_test_supports(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(nodes, "ALWAYS_GATHERED", 0)
    monkeypatch.setattr(rand, "CERTAIN_BITS", 1e9)
    data = code(*make_frame(N_ROWS), None, CUTS)
    model = fit(data, pruning=Rand(alpha=0.2, correction="cases"), split="gini")
    expected = fit(data, pruning=Chi(alpha=0.2, correction="cases"), split="gini")
    assert [str(condition) for condition in model.tree_.conditions] == [
        str(condition) for condition in expected.tree_.conditions
    ]
    assert model.tree_.n_leaves > 1


def test_nodes_that_fit_are_permuted_whatever_the_memory() -> None:
    model = fit(code(*make_frame(N_ROWS), None, CUTS), pruning="rand")
    assert model.tree_.pruning_log is not None
    assert model.tree_.pruning_log.notes == ()
