"""Rows are plain data: what is made of them leaves them as they are."""

from __future__ import annotations

import numpy as np
import pytest
from tests.sources.made import grow_all, make_source, make_table

from petree.sources.rows import Rows

ARRAYS = ("narrow", "wide", "classes", "order")


def copy_of(rows: Rows) -> dict[str, np.ndarray]:
    return {name: getattr(rows, name).copy() for name in ARRAYS}


@pytest.mark.parametrize("weights", [None, np.arange(60) % 3 + 1.0, np.arange(60) % 3 + 0.5])
def test_a_permuted_source_has_rows_of_its_own(weights: np.ndarray | None) -> None:
    frame, classes = make_table(0, 60, 3)
    source = make_source(frame, classes, weights=weights)
    grown = grow_all(source)
    before = copy_of(source.rows)
    other = source.permuted(grown.handles[0], np.uint64(5))
    grow_all(other)
    for name, array in before.items():
        np.testing.assert_array_equal(getattr(source.rows, name), array)
    n_cases = int(weights.sum()) if weights is not None and weights[0] == 1 else 60
    assert len(other.rows) == n_cases
    if weights is None or weights[0] == 1:
        np.testing.assert_array_equal(other.root().counts, source.root().counts)


def test_rows_of_a_handle_are_those_of_the_table() -> None:
    frame, classes = make_table(1, 80, 2)
    source = make_source(frame, classes)
    grown = grow_all(source)
    rows, n_rows = source.rows_of(grown.handles)
    assert n_rows.tolist() == grown.tree.sizes.tolist()
    for node, of_node in enumerate(np.split(rows, np.cumsum(n_rows)[:-1])):
        assert np.bincount(classes[of_node], minlength=2).tolist() == grown.tree.counts[node].tolist()


def test_some_rows_keep_their_weights_and_cases_are_single() -> None:
    frame, classes = make_table(2, 30, 2)
    rows = make_source(frame, classes, weights=np.arange(30) % 2 + 1.0).rows
    which = np.array([1, 1, 4])
    assert rows.take(which).weights.copies.tolist() == [2, 2, 1]
    assert rows.of_cases(which, rows.classes[which]).weights.of_rows is None
    assert rows.take(which).root().sizes.tolist() == [5]
