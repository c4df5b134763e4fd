"""Columns with very many categories: trees of counts that children take over, against the same counted anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from tests.sources.made import grow_all, make_source

from petree import core
from petree.growing import Grown
from petree.sources.searching import by_value
from petree.sources.searching.by_value import ALL_COLUMNS
from petree.splitting import MEMBERS

N_ROWS = 1600
ARRAYS = ("counts", "sizes", "n_tests", "split_start", "child_start", "children")


def make_many(n_classes: int, missing: float = 0.1) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """A column of hundreds of categories, some with many rows, one of a thousand, a few others, and missing values."""
    random = np.random.default_rng(n_classes)
    often = np.minimum(random.geometric(0.01, N_ROWS), 700)
    rare = random.integers(0, 1000, N_ROWS)
    frame = pd.DataFrame(
        {
            "number": random.normal(size=N_ROWS).round(1),
            "often": pd.Categorical.from_codes(often, [f"o{code}" for code in range(701)]),
            "letter": random.choice(list("xyz"), N_ROWS),
            "rare": pd.Categorical.from_codes(rare, [f"r{code}" for code in range(1000)]),
        }
    )
    for name in ("number", "often", "rare"):
        frame.loc[random.random(N_ROWS) < missing, name] = None
    shift = (often > 100) & (random.random(N_ROWS) < 0.5)
    return frame, (random.integers(0, n_classes, N_ROWS) + shift) % n_classes


def grow_both(monkeypatch: pytest.MonkeyPatch, leaf: int, *table: Any, **parameters: Any) -> tuple[Grown, Grown]:
    """The same tree in one go and wave by wave, from sources whose rows must stand in the same order at the end."""
    sources = [make_source(*table, min_samples_leaf=leaf, **parameters) for _ in range(2)]
    monkeypatch.setattr(by_value, "SMALL_ROWS", 10_000)
    inherited = grow_all(sources[0], leaf)
    monkeypatch.setattr(by_value, "SMALL_ROWS", 0)
    monkeypatch.setattr(by_value, "CHAIN_LEVELS", 10_000)
    counted = grow_all(sources[1], leaf)
    np.testing.assert_array_equal(sources[0].rows.order, sources[1].rows.order)
    return inherited, counted


def assert_same(one: Grown, other: Grown) -> None:
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(one.tree, name), getattr(other.tree, name))
    np.testing.assert_array_equal(one.tree.annotations["gain"], other.tree.annotations["gain"])
    np.testing.assert_array_equal(one.handles, other.handles)
    assert list(map(str, one.tree.conditions)) == list(map(str, other.tree.conditions))


@pytest.mark.parametrize("split", sorted(set(MEMBERS) - {"bayes", "gain_ratio"}))
@pytest.mark.parametrize("n_classes", [2, 5])
def test_every_score(monkeypatch: pytest.MonkeyPatch, split: str, n_classes: int) -> None:
    inherited, counted = grow_both(monkeypatch, 3, *make_many(n_classes), split=split)
    assert_same(inherited, counted)
    assert inherited.tree.n_nodes > 100


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("leaf", [1, 3])
def test_leaves_of_any_size(monkeypatch: pytest.MonkeyPatch, leaf: int, missing: float) -> None:
    assert_same(*grow_both(monkeypatch, leaf, *make_many(3, missing)))


@pytest.mark.parametrize("what", ["copies", "class_weight", "threads"])
def test_weights_and_threads(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    copies = np.random.default_rng(0).integers(1, 4, N_ROWS).astype(float)
    parameters: dict[str, dict[str, Any]] = {
        "copies": {"weights": copies},
        "class_weight": {"class_weight": np.array([0.5, 2.0])},
        "threads": {"n_threads": 3},
    }
    assert_same(*grow_both(monkeypatch, 1, *make_many(2), **parameters[what]))


def test_blocks_of_large_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_value, "SHARED_ROWS", 1000)
    monkeypatch.setattr(by_value, "SHARED_COLUMNS", 1)
    assert_same(*grow_both(monkeypatch, 1, *make_many(2)))


def test_categories_that_are_all_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test is worth the same, and the first category goes first."""
    frame = pd.DataFrame({"kind": pd.Categorical([f"k{row // 2:04}" for row in range(N_ROWS)])})
    inherited, counted = grow_both(monkeypatch, 1, frame, np.arange(N_ROWS) % 2)
    assert_same(inherited, counted)
    assert inherited.tree.depth == N_ROWS // 2 - 1


def test_a_long_chain_is_not_asked_for_wave_by_wave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_value, "SMALL_ROWS", 0)
    source = make_source(*make_many(2))
    calls = []
    find = source.best_splits
    monkeypatch.setattr(source, "best_splits", lambda nodes: calls.append(len(nodes)) or find(nodes))
    assert grow_all(source).tree.depth > by_value.CHAIN_LEVELS
    assert len(calls) == by_value.CHAIN_LEVELS


def test_weights_that_are_not_whole_are_refused() -> None:
    frame, classes = make_many(2)
    source = make_source(frame, classes, weights=np.full(N_ROWS, 0.5))
    nodes = core.search.Nodes(np.array([[0, N_ROWS]]), source.root().counts, np.array([N_ROWS]), ALL_COLUMNS)
    none = np.empty((0, 2), np.int64)
    with pytest.raises(ValueError, match="Only whole counts can be handed down"):
        core.search.grow_inheriting(
            source.searcher.search, source.rows.packed, nodes, 5, 0.0, none, none, 10, source.threads.stop
        )


def test_nodes_that_share_rows_are_refused() -> None:
    frame, classes = make_many(2)
    source = make_source(frame, classes)
    nodes = core.search.Nodes(np.array([[0, 20], [10, 30]]), np.ones((2, 2)), np.array([20, 20]), ALL_COLUMNS)
    none = np.empty((0, 2), np.int64)
    with pytest.raises(ValueError, match="Nodes must stand one after the other"):
        core.search.grow_inheriting(
            source.searcher.search, source.rows.packed, nodes, 5, 0.0, none, none, 10, source.threads.stop
        )
