"""Loops over parts of a data set against plain ones."""

from __future__ import annotations

import numpy as np
import pytest

from petree import core
from petree.conditions import EQUALS, IN, IS_MISSING, MULTIWAY, THRESHOLD, UNSEEN
from petree.partitions.code_tree import NOT_NOTED
from petree.partitions.counting import ALL_COLUMNS
from petree.sources.found import TEST, as_bits, as_lines

N_BINS = np.array([4, 3, 300], np.int64)
N_ROWS = 60


def make_columns() -> core.tables.Columns:
    zeros = np.zeros(3, np.int64)
    return core.tables.Columns(N_BINS, zeros + EQUALS, np.array([2, 0, 1], np.int32), zeros, np.empty(0))


def make_codes(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    codes = [random.integers(0, n_bins + 1, N_ROWS) for n_bins in N_BINS]
    return np.column_stack(codes[:2]).astype(np.uint8), codes[2][:, None].astype(np.uint32)


@pytest.mark.parametrize("are_asked", [ALL_COLUMNS, np.array([[1, 0, 1], [0, 0, 0], [0, 1, 1]], np.uint8)], ids=len)
def test_rows_are_counted_by_slot_code_and_class(are_asked: np.ndarray) -> None:
    random = np.random.default_rng(0)
    narrow, wide = make_codes(random)
    classes = random.integers(0, 2, N_ROWS).astype(np.uint16)
    slots = random.integers(-1, 3, N_ROWS).astype(np.int32)
    for amounts in (np.empty(0, np.int64), random.integers(0, 9, N_ROWS)):
        for counts_rows in (False, True):
            n_lines = int(N_BINS.sum()) + 3
            expected = np.zeros((3 * n_lines, 2 + counts_rows), np.int64)
            starts = np.cumsum([0, *(N_BINS[:-1] + 1)])
            for row in np.flatnonzero(slots >= 0):
                for place, code in enumerate([*narrow[row], *wide[row]]):
                    if len(are_asked) and not are_asked[slots[row], place]:
                        continue
                    start = starts[place]
                    line = expected[slots[row] * n_lines + start + code]
                    line[classes[row]] += amounts[row] if len(amounts) else 1
                    line[2:] += 1
            cells = np.zeros_like(expected)
            core.partitions.count_cells(
                make_columns(), narrow, wide, classes, amounts, slots, are_asked, counts_rows, cells, core.NO_STOP
            )
            np.testing.assert_array_equal(cells, expected)


def test_rows_find_their_nodes_from_wherever_they_are() -> None:
    random = np.random.default_rng(1)
    narrow, wide = make_codes(random)
    inside = np.zeros((1, 256), bool)
    inside[0, [1, 3]] = True
    tests = np.zeros(10, TEST)
    # the user's columns 0, 1, 2 stand at the places 1, 2, 0
    tests[0] = (0, MULTIWAY, 0, UNSEEN, (0, 0, 0, 0))
    tests[1] = (1, THRESHOLD, 150, 1, (0, 0, 0, 0))
    tests[2] = (2, IN, 0, 0, tuple(as_bits(inside)[0].tolist()))
    tests[3] = (2, IS_MISSING, 0, 0, (0, 0, 0, 0))
    first_child = np.array([1, 4, 6, 8, *[0] * 6])
    n_children = np.array([3, 2, 2, 2, *[0] * 6])
    expected = []
    missing_at = set()
    for (first, second), (third,) in zip(narrow.tolist(), wide.tolist(), strict=True):
        below = {0: 4 + (third > 150), 1: 6 + (first not in (1, 3, 4)), 2: 8 + (first != 4), 3: -1}
        expected.append(below[second])
        missing_at |= {second + 1} if {0: third == 300, 3: False}.get(second, first == 4) else set()
    lines = as_lines(tests)
    halfway = np.zeros(N_ROWS, np.int32)
    one_level = n_children * (np.arange(10) == 0)
    core.partitions.find_nodes(
        make_columns(), narrow, wide, lines, first_child, one_level, halfway, NOT_NOTED, core.NO_STOP
    )
    for nodes in (np.zeros(N_ROWS, np.int32), halfway):
        met = np.zeros(10, np.uint8)
        core.partitions.find_nodes(
            make_columns(), narrow, wide, lines, first_child, n_children, nodes, met, core.NO_STOP
        )
        assert nodes.tolist() == expected
        assert set(np.flatnonzero(met[1:]) + 1) == missing_at >= {2, 3}


def test_what_cannot_be_is_refused() -> None:
    narrow, wide = make_codes(np.random.default_rng(2))
    tests = as_lines(np.zeros(2, TEST))
    ones = np.ones(2, np.int64)
    with pytest.raises(ValueError, match="Children must stand behind their parent"):
        core.partitions.find_nodes(
            make_columns(), narrow, wide, tests, ones, ones, np.zeros(N_ROWS, np.int32), NOT_NOTED, core.NO_STOP
        )
    narrow[3, 0] = 9
    classes = np.zeros(N_ROWS, np.uint16)
    with pytest.raises(ValueError, match="A code is beyond those of its column"):
        core.partitions.count_cells(
            make_columns(), narrow, wide, classes, np.empty(0, np.int64), classes.astype(np.int32), ALL_COLUMNS, False,
            np.zeros((310, 1), np.int64), core.NO_STOP,
        )  # fmt: skip
