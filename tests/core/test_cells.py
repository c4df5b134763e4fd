"""Values in cells, against the definition."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from petree import core


def bits(value: float) -> int:
    word = struct.unpack("<Q", struct.pack("<d", value + 0.0))[0]
    return (~word if word >> 63 else word | 1 << 63) & (2**64 - 1)


def plain(values: list[float], weights: list[float], most: int) -> tuple[int, list[tuple[float, float, float]]]:
    """The cells without the fewest last bits that have to be left out, one value after the other."""
    left_out = next(n for n in range(64) if len({bits(value) >> n for value in values}) <= most)
    cells: dict[int, tuple[float, float, float]] = {}
    for value, weight in zip(values, weights, strict=True):
        total, low, high = cells.get(bits(value) >> left_out, (0.0, value, value))
        cells[bits(value) >> left_out] = (total + weight, min(low, value), max(high, value))
    return left_out, [cells[key] for key in sorted(cells)]


def draw(random: np.random.Generator) -> np.ndarray:
    n = int(random.integers(0, 60))
    kinds = (random.normal(size=n), random.integers(-3, 3, n) * 1.0, np.exp(20 * random.normal(size=n)))
    return np.array(kinds[int(random.integers(3))])


@pytest.mark.parametrize("seed", range(30))
def test_cells_are_those_of_the_definition(seed: int) -> None:
    random = np.random.default_rng(seed)
    values = draw(random)
    weights = random.integers(1, 5, len(values)).astype(float)
    most = int(random.integers(2, 20))
    left_out, cells = core.tables.cells_of(values, weights, 0, most)
    assert (left_out, list(map(tuple, cells.tolist()))) == plain(values.tolist(), weights.tolist(), most)


@pytest.mark.parametrize("seed", range(30))
def test_parts_and_their_order_do_not_matter(seed: int) -> None:
    random = np.random.default_rng(seed)
    values = draw(random)
    most = int(random.integers(2, 20))
    none = np.empty(0)
    left_out = 0
    cells = np.empty((0, 3))
    for part in np.array_split(random.permutation(values), int(random.integers(1, 6))):
        more = core.tables.cells_of(np.ascontiguousarray(part), none, left_out, most)
        left_out, cells = core.tables.join_cells(more[1], more[0], cells, left_out, most)
    expected = core.tables.cells_of(values, none, 0, most)
    assert left_out == expected[0]
    np.testing.assert_array_equal(cells, expected[1])


def test_minus_zero_is_zero() -> None:
    _, cells = core.tables.cells_of(np.array([0.0, -0.0]), np.empty(0), 0, 5)
    assert cells.tolist() == [[2.0, 0.0, 0.0]]


def test_what_is_refused() -> None:
    none = np.empty(0)
    with pytest.raises(ValueError, match="missing"):
        core.tables.cells_of(np.array([np.nan]), none, 0, 5)
    with pytest.raises(ValueError, match="2 to 2"):
        core.tables.cells_of(np.array([1.0]), none, 0, 1)
    with pytest.raises(ValueError, match="weight for each"):
        core.tables.cells_of(np.array([1.0, 2.0]), np.ones(1), 0, 5)
    with pytest.raises(ValueError, match="in their order"):
        core.tables.join_cells(np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 3.0]]), 0, np.empty((0, 3)), 0, 5)
    with pytest.raises(ValueError, match="0 to 63"):
        core.tables.join_cells(np.empty((0, 3)), 64, np.empty((0, 3)), 0, 5)
