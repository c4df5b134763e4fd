"""Tests of data in parts that a sample of the rows has chosen, against the definition."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from math import inf, log
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from tests.growing.checks import assert_same_tree, chosen_test
from tests.oracles.evidence import Cut, PlainRows
from tests.oracles.growing import PlainColumn, divide
from tests.oracles.prediction import children_of
from tests.partitions.made import LITTLE, UNEQUAL, assert_nearly_same_tree, code, make_frame, make_weights

from petree import ProbabilityTreeClassifier
from petree.conditions import IS_MISSING, UNSEEN
from petree.inputs import table_of
from petree.partitions.engines import use
from petree.partitions.partition import CodedData
from petree.partitions.sampled import Drawing, drawing, rounds
from petree.tree import Tree

N_VALUES = 6
LEAST = 12


@pytest.fixture(autouse=True)
def small_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred rows at most, and a dozen in a node."""
    monkeypatch.setattr(drawing, "SAMPLE_ROWS", 100)
    monkeypatch.setattr(rounds, "LEAST_ROWS", LEAST)


def fit(data: CodedData, workers: Any = None, memory: Any = LITTLE, **parameters: Any) -> Tree:
    parameters = {"pruning": "none", "smoothing": "laplace", **parameters}
    with use(workers, memory=memory):
        return ProbabilityTreeClassifier(**parameters).fit(data).tree_


def make_numbers(seed: int, n_rows: int = 400, n_classes: int = 2) -> tuple[pd.DataFrame, NDArray[np.intp]]:
    random = np.random.default_rng(seed)
    values = random.integers(0, N_VALUES, (n_rows, 4))
    signal = values @ random.choice([0, 1, 3], 4) + random.normal(0, 3, n_rows)
    classes = np.digitize(signal, np.quantile(signal, np.arange(1, n_classes) / n_classes))
    return pd.DataFrame(values.astype(float), columns=list("abcd")), classes


def is_drawn(n_rows: int, seed: int = 0) -> NDArray[np.bool_]:
    drawn = np.zeros(n_rows, bool)
    drawn[Drawing.of(n_rows, seed).places(0, n_rows)] = True
    return drawn


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ratio", [1.0, 3.0, 100.0])
def test_every_node_has_the_test_that_the_sample_decides_for(seed: int, ratio: float) -> None:
    n_classes = 2 + seed % 2
    frame, classes = make_numbers(seed, n_classes=n_classes)
    tree = fit(code(frame, classes, None, UNEQUAL), sample_ratio=ratio, random_state=seed)
    drawn = is_drawn(len(frame), seed).tolist()
    plain = PlainRows(frame.to_numpy().tolist(), classes.tolist(), n_classes, np.arange(1, N_VALUES).tolist())
    pending = [(0, list(range(len(frame))))]
    n_by_sample = 0
    while pending:
        node, members = pending.pop()
        np.testing.assert_array_equal(tree.counts[node], plain.counts(members))
        if tree.is_leaf[node]:
            continue
        wanted = plain.test_of_parts(members, drawn, LEAST, log(ratio))
        n_by_sample += wanted != plain.best(members)
        split = tree.split_start[node]
        assert wanted == Cut(tree.conditions.column[split], tree.conditions.value[split]), (node, len(members))
        assert tree.annotations["gain"][node] == pytest.approx(plain.gain(members, wanted) / len(members))
        pending += zip(children_of(tree, node), plain.divide(members, wanted), strict=True)
    assert n_by_sample or ratio == 100


@pytest.mark.parametrize("weights", ["none", "copies", "fractions"])
@pytest.mark.parametrize("tests", ["binary", "sets", "multiway"])
@pytest.mark.parametrize("split", ["gain", "gini"])
def test_a_ratio_that_no_sample_reaches_gives_the_tree_of_all_rows(split: str, tests: str, weights: str) -> None:
    data = code(*make_frame(), make_weights(weights), UNEQUAL)
    parameters = {"split": split, "tests": tests, "min_samples_leaf": 3}
    expected = fit(data, **parameters)
    tree = fit(data, sample_ratio=inf, **parameters)
    (assert_nearly_same_tree if weights == "fractions" else assert_same_tree)(expected, tree)


# -- counts, missing values, least rows -----------------------------------------------------------------


def plain_columns(frame: pd.DataFrame) -> list[PlainColumn]:
    table = table_of(frame, "from_dtype")
    none = np.empty(0)
    values = [np.where(array == -1, np.nan, array) if array.dtype.kind == "i" else array for array in table.arrays]
    return [
        PlainColumn(column.kind, numbers, none, len(column.categories))
        for column, numbers in zip(table.columns, values, strict=True)
    ]


def assert_counts_are_those_of_all_rows(tree: Tree, frame: pd.DataFrame, classes: Any, weights: Any) -> None:
    """Send all rows down: counts and sizes; missing values have a branch where there are any, and nowhere else."""
    columns = plain_columns(frame)
    are_copies = weights is not None and (weights == np.rint(weights)).all()
    of_rows = np.ones(len(frame)) if weights is None else weights
    pending = [(0, np.flatnonzero(of_rows))]
    while pending:
        node, rows = pending.pop()
        counts = np.bincount(classes[rows], of_rows[rows], tree.counts.shape[1])
        np.testing.assert_allclose(tree.counts[node], counts, rtol=1e-12)
        assert tree.sizes[node] == (of_rows[rows].sum() if are_copies else len(rows))
        if not tree.is_leaf[node]:
            test = chosen_test(tree, node)
            is_missing = np.isnan(columns[test.column].values[rows]).any()
            assert is_missing == (test.missing != UNSEEN) or test.kind == IS_MISSING
            pending += zip(children_of(tree, node), divide(test, columns[test.column], rows), strict=True)


@pytest.mark.parametrize("weights", ["none", "copies", "fractions"])
@pytest.mark.parametrize("tests", ["binary", "sets", "multiway"])
@pytest.mark.parametrize("missing", [1.0, 0.05])
def test_counts_are_those_of_all_rows(missing: float, tests: str, weights: str) -> None:
    frame, classes = make_frame(800)
    is_filled = np.random.default_rng(0).random(800) > missing
    for column, value in (("number", 0.5), ("letter", "y")):
        frame.loc[frame[column].isna() & is_filled, column] = value
    of_rows = make_weights(weights, 800)
    data = code(frame, classes, of_rows, UNEQUAL)
    tree = fit(data, tests=tests, sample_ratio=2.0, min_samples_leaf=2, max_depth=6)
    assert_counts_are_those_of_all_rows(tree, frame, classes, of_rows)


def test_a_value_that_is_missing_in_no_row_of_the_sample() -> None:
    frame, classes = make_numbers(0, 800)
    alone = np.flatnonzero(~is_drawn(800))[[3, 50, 200]]
    for tests in ("binary", "multiway"):
        for column in frame:
            gaps = frame.copy()
            gaps.loc[alone, column] = np.nan
            tree = fit(code(gaps, classes), tests=tests, sample_ratio=1.0, max_depth=3)
            assert_counts_are_those_of_all_rows(tree, gaps, classes, None)


def test_missing_values_beside_one_branch_for_each_category() -> None:
    """They have a branch of their own below "v", where the sample has none of them, and nowhere else."""
    random = np.random.default_rng(1)
    frame = pd.DataFrame({name: random.choice(list("uvw"), 1600) for name in "abc"})
    chance = np.where(frame["b"] == "u", 0.9, np.where(frame["a"] == "u", 0.6, 0.1))
    classes = (random.random(1600) < chance).astype(int)
    frame.loc[np.flatnonzero(~is_drawn(1600) & (frame["b"] == "v"))[:2], "a"] = None
    tree = fit(code(frame, classes), tests="multiway", sample_ratio=1.0, max_depth=2)
    assert_counts_are_those_of_all_rows(tree, frame, classes, None)
    assert [str(condition.column.name) for condition in tree.conditions][::2] == ["b", "a"]
    assert (tree.conditions.missing != UNSEEN).sum() == 1


@pytest.mark.parametrize("margin", [-100.0, 3.0])
def test_a_test_that_leaves_too_few_of_all_rows_is_taken_back(monkeypatch: pytest.MonkeyPatch, margin: float) -> None:
    monkeypatch.setattr(rounds, "MARGIN", margin)
    frame, classes = make_numbers(2, 800)
    for least in (3, 40, 100):
        tree = fit(code(frame, classes), sample_ratio=1.0, min_samples_leaf=least)
        assert tree.n_leaves > 2
        assert tree.sizes.min() >= least
        assert_counts_are_those_of_all_rows(tree, frame, classes, None)


# -- what does not matter -------------------------------------------------------------------------------

SETTINGS: list[dict[str, Any]] = [
    {"sample_ratio": 3.0, "tests": "sets"},
    {"sample_ratio": 1.0, "tests": "multiway", "min_gain": 0.01, "class_weight": "balanced"},
    {"sample_ratio": 2.0, "pruning": "best_size", "smoothing": "m_branch"},
    {"sample_ratio": 2.0, "pruning": "chi", "random_state": 1},
]


@pytest.mark.parametrize("parameters", SETTINGS, ids=str)
def test_neither_parts_nor_workers_nor_memory_matter(parameters: dict[str, Any]) -> None:
    frame, classes = make_frame(800, n_classes=2)
    weights = make_weights("copies", 800)
    expected = fit(code(frame, classes, weights, UNEQUAL), **parameters)
    assert expected.n_leaves > 2
    # with weights of classes gains are sums of fractions, by row or by count
    assert_same = assert_nearly_same_tree if "class_weight" in parameters else assert_same_tree
    assert_same_tree(expected, fit(code(frame, classes, weights, (1, 2, 500)), n_jobs=2, **parameters))
    assert_same(expected, fit(code(frame, classes, weights), memory="1GB", **parameters))
    with ThreadPoolExecutor(2) as workers:
        data = code(frame, classes, weights, (300, 301))
        assert_same(expected, fit(data, workers, memory=40_000, **parameters))


def test_a_criterion_that_closes_nodes_while_the_tree_grows() -> None:
    from petree.pruning import Chi

    data = code(*make_frame(800), None, UNEQUAL)
    parameters = {"pruning": Chi(when="pre", alpha=0.3), "sample_ratio": 2.0}
    tree = fit(data, **parameters)
    assert tree.n_leaves > 2
    assert_same_tree(tree, fit(data, memory="1GB", **parameters))


def test_no_more_rows_than_a_sample_are_learned_from_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    data = code(*make_frame(), None, UNEQUAL)
    monkeypatch.setattr(drawing, "SAMPLE_ROWS", 400)
    for memory in (LITTLE, "1GB"):
        assert_same_tree(fit(data), fit(data, memory=memory, sample_ratio=1.0))


def test_one_row_of_each_run_is_drawn_wherever_parts_begin() -> None:
    draws = Drawing(7, 3)
    whole = draws.places(0, 1000)
    assert (whole // 7).tolist() == list(range(len(whole)))
    assert len(whole) in (142, 143)
    assert set(whole % 7) == set(range(7))
    pieces = [
        draws.places(first, stop - first) + first for first, stop in ((0, 5), (5, 6), (6, 6), (6, 700), (700, 1000))
    ]
    assert np.concatenate(pieces).tolist() == whole.tolist()
    assert Drawing(7, 4).places(0, 1000).tolist() != whole.tolist()


@pytest.mark.parametrize("pruning", ["rand", "reduced_error", "chi"])
def test_criteria_judge_trees_of_a_sample_alike_in_whatever_memory(
    pruning: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "SAMPLE_ROWS", 100)
    monkeypatch.setattr(rounds, "LEAST_ROWS", 12)
    X, y = make_frame()
    trees = []
    for memory in (LITTLE, "1GB"):
        with use(memory=memory):
            model = ProbabilityTreeClassifier(pruning=pruning, smoothing="laplace", sample_ratio=3.0, random_state=0)
            trees.append(model.fit(code(X, y)).tree_)
    assert trees[0].n_leaves > 1
    assert_same_tree(*trees)
