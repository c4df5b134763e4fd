"""Counts as tables, folds and amounts."""

from __future__ import annotations

import numpy as np
import pytest
from tests.growing.checks import assert_same_tree
from tests.partitions.made import LITTLE, UNEQUAL, code, make_frame

from petree import ProbabilityTreeClassifier
from petree.core import NO_STOP
from petree.partitions.amounts import Amounts
from petree.partitions.code_tree import CodeTree
from petree.partitions.counting import Layout
from petree.partitions.decoding import coded_table, decoded
from petree.partitions.engines import use
from petree.partitions.partition import Partition
from petree.partitions.sampling import FoldRows, held_copies
from petree.partitions.tables import CountedNodes
from petree.routing import Router
from petree.sources.rows import ColumnCodes
from petree.threads import Threads


@pytest.mark.parametrize("unit", [None, 2.0**-10])
def test_a_table_of_counts_has_the_counts(unit: float | None) -> None:
    random = np.random.default_rng(0)
    columns = ColumnCodes.of_cuts(np.array([3, 5, 1]))
    layout = Layout(columns, 2, Amounts(unit))
    starts = np.array([0, 4, 10])
    cells = np.zeros((2 * layout.n_lines, layout.width), np.int64)
    for slot in range(2):
        for _ in range(40):
            lines = slot * layout.n_lines + starts + random.integers(0, columns.n_bins + 1)
            cells[lines, random.integers(2)] += random.integers(1, 9)
            cells[lines, 2:] += 1
    counted = CountedNodes.of(layout, cells)
    for slot, (start, stop) in enumerate(counted.slices.tolist()):
        found = np.zeros((layout.n_lines, layout.width), np.int64)
        for row in range(start, stop):
            place = 2 if counted.are_numbers[row] else counted.rows.classes[row]
            found[starts + counted.rows.narrow[row], place] += counted.amounts[row]
        np.testing.assert_array_equal(found, cells.reshape(2, -1, layout.width)[slot])


def test_columns_of_very_many_categories() -> None:
    frame, classes = make_frame(900, 2)
    frame["many"] = np.random.default_rng(0).permutation(np.repeat([f"v{n}" for n in range(300)], 3))
    for tests in ("binary", "multiway"):
        parameters = {"tests": tests, "pruning": "none", "smoothing": "laplace", "max_depth": 6}
        expected = ProbabilityTreeClassifier(**parameters).fit(frame, classes).tree_
        with use(memory=LITTLE):
            tree = ProbabilityTreeClassifier(**parameters).fit(code(frame, classes, None, UNEQUAL)).tree_
        assert "many" in {condition.column.name for condition in tree.conditions}
        assert_same_tree(expected, tree)


def test_codes_go_where_values_go() -> None:
    frame, classes = make_frame()
    frame.loc[5, "two"] = None
    data = code(frame, classes, None, UNEQUAL)
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace", tests="sets").fit(frame, classes)
    tree = model.tree_
    whole = data.whole()
    leaves = Router.of(tree).leaves(decoded(whole, data.columns), Threads(1))
    np.testing.assert_array_equal(leaves, model.apply(frame))
    nodes = np.zeros(len(whole), np.int32)
    columns = ColumnCodes.of(coded_table(whole, data.columns), "sets").packed
    CodeTree.of(tree, data.columns).move(whole, columns, nodes, NO_STOP)
    np.testing.assert_array_equal(leaves, nodes)


def test_copies_go_round_the_folds() -> None:
    draws = np.arange(1000, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    copies = np.arange(1000) % 7
    held = np.array([held_copies(draws, copies, 3, fold) for fold in range(3)])
    np.testing.assert_array_equal(held.sum(axis=0), copies)
    assert (held.max(axis=0) - held.min(axis=0)).max() == 1
    numbers = np.arange(1000, dtype=np.uint64)
    folds = [FoldRows(3, 3, fold, True).copies(numbers, np.ones(1000, np.int64)) for fold in range(3)]
    assert np.array_equal(sum(folds), np.ones(1000))
    assert min(fold.sum() for fold in folds) > 270
    rest = FoldRows(3, 3, 1, False).copies(numbers, np.ones(1000, np.int64))
    np.testing.assert_array_equal(rest + folds[1], np.ones(1000))


def test_fractions_are_counted_in_tiny_units_that_never_overflow() -> None:
    weights = np.array([1e-3, 0.1, 7.0, 1e9])
    amounts = Amounts.of(False, float(weights.sum()))
    none = np.empty((4, 0))
    part = Partition(
        none.astype(np.uint8), none.astype(np.uint32), np.zeros(4, np.uint16), weights, np.zeros(4, np.uint64)
    )
    counted = amounts.of_rows(part, amounts.copies(part.weights, len(part), np.arange(4, dtype=np.uint64)))
    np.testing.assert_allclose(amounts.weigh(counted), weights, rtol=1e-6)
    assert 0 < counted.sum() < 2**61
    assert Amounts.of(True, 2.0**31 - 1).unit is None
    assert Amounts.of(True, 2.0**31).counts_rows
