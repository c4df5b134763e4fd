"""Sets of categories that a node may choose from: the orders of its categories, and their cuts, in plain Python."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import groupby, product

import numpy as np
from numpy.typing import NDArray
from tests.oracles.growing import Candidate, PlainTable

from petree.conditions import EQUALS, IN, UNSEEN

MOST_CLASSES = 32
# Orders of three to five categories that have all sets as their cuts.
ALL_SETS = {
    3: ["012", "102"],
    4: ["0123", "1203", "2013"],
    5: ["01324", "12430", "23041", "34102", "40213"],
}
Line = list[float]


def orders(counts: dict[int, Line]) -> list[list[int]]:
    """The orders of the categories at a node, from the class counts of each."""
    present = [c for c in range(len(next(iter(counts.values()), []))) if sum(line[c] for line in counts.values()) > 0]
    shares = {code: [line[c] / sum(line[d] for d in present) for c in present] for code, line in counts.items()}
    if len(counts) < 2:
        return []
    if len(present) <= 2 or len(counts) == 2:
        return [in_order(counts, lambda code: shares[code][0])]
    if len(counts) in ALL_SETS:
        return [[sorted(counts)[int(place)] for place in order] for order in ALL_SETS[len(counts)]]
    found = [in_order(counts, lambda code, c=c: shares[code][c]) for c in frequent(counts, present)]  # type: ignore[misc]
    direction, centred = first_component(shares, {code: sum(line[c] for c in present) for code, line in counts.items()})
    return [*found, in_order(counts, lambda code: (dot(centred[code], direction) + 2) / 4)]


def frequent(counts: dict[int, Line], present: list[int]) -> list[int]:
    """Which of the classes present are among the most frequent ones."""
    totals = [sum(line[c] for line in counts.values()) for c in present]
    return sorted(sorted(range(len(present)), key=lambda c: -totals[c])[:MOST_CLASSES])


def in_order(codes: dict[int, Line], number: Callable[[int], float]) -> list[int]:
    """Codes by a number, equal ones by code, from the end on that has the lower code."""
    steps = {code: math.floor(number(code) * 2**40 + 0.5) for code in codes}
    groups = [sorted(group) for _, group in groupby(sorted(codes, key=steps.__getitem__), key=steps.__getitem__)]
    if groups[-1][0] < groups[0][0]:
        groups.reverse()
    return [code for group in groups for code in group]


def dot(one: Line, other: Line) -> float:
    total = 0.0
    for a, b in zip(one, other, strict=True):
        total += a * b
    return total


def first_component(shares: dict[int, Line], sizes: dict[int, float]) -> tuple[Line, dict[int, Line]]:
    """First principal component of the shares, weighted by the sizes, by power iteration; and the centred shares."""
    classes = range(len(next(iter(shares.values()))))
    total = sum(sizes.values())
    means = [sum(sizes[code] * line[c] for code, line in shares.items()) / total for c in classes]
    centred = {code: [line[c] - means[c] for c in classes] for code, line in shares.items()}
    direction = unit(max(centred.items(), key=lambda item: sizes[item[0]] * dot(item[1], item[1]))[1])
    for _ in range(30):
        further = [0.0] * len(classes)
        for code, line in centred.items():
            factor = sizes[code] * dot(line, direction)
            further = [a + factor * b for a, b in zip(further, line, strict=True)]
        further = unit(further)
        if not any(further):
            break
        change = dot(*2 * ([a - b for a, b in zip(further, direction, strict=True)],))
        direction = further
        if change < 1e-24:
            break
    return direction, centred


def unit(vector: Line) -> Line:
    length = math.sqrt(dot(vector, vector))
    return [one / length for one in vector] if length > 0 else [0.0] * len(vector)


# -- as tests ----------------------------------------------------------------------------------------------------------


def set_groups(table: PlainTable, index: int, rows: NDArray[np.intp]) -> Iterator[list[Candidate]]:
    """The sets of a column at a node in the order of generation, each with all branches of missing values."""
    parts = parts_of(table, index, rows)
    counts = {code: list(table.counts(part) * table.class_weight) for code, part in parts.items()}
    for order in orders(counts):
        for cut in range(1, len(order)):
            yield directed(table, index, rows, order[:cut], order[cut:])


def all_sets(table: PlainTable, index: int, rows: NDArray[np.intp]) -> Iterator[Candidate]:
    """Every division of the categories in two, with all branches of missing values."""
    codes = sorted(parts_of(table, index, rows))
    for choice in product((True, False), repeat=max(len(codes) - 1, 0)):
        inside = [code for code, is_inside in zip(codes, (*choice, True), strict=bool(codes)) if is_inside]
        if len(inside) < len(codes):
            yield from directed(table, index, rows, inside, [code for code in codes if code not in inside])


def parts_of(table: PlainTable, index: int, rows: NDArray[np.intp]) -> dict[int, NDArray[np.intp]]:
    """The rows of each category."""
    values = table.columns[index].values[rows]
    return {int(code): rows[values == code] for code in np.unique(values[~np.isnan(values)])}


def directed(
    table: PlainTable, index: int, rows: NDArray[np.intp], first: list[int], second: list[int]
) -> list[Candidate]:
    """A cut as tests, with missing values on its second side and then on its first."""
    has_missing = bool(np.isnan(table.columns[index].values[rows]).any())
    return [as_test(table, index, rows, (first, second), side) for side in ((1, 0) if has_missing else (UNSEEN,))]


def as_test(
    table: PlainTable, index: int, rows: NDArray[np.intp], sides: tuple[list[int], list[int]], missing: int
) -> Candidate:
    """A single category where there is one, else the set of fewer rows; the one with the lowest code of equal ones."""
    parts = parts_of(table, index, rows)
    is_missing = np.isnan(table.columns[index].values[rows])
    sizes = [sum(table.size(parts[code]) for code in side) for side in sides]
    if missing != UNSEEN:
        sizes[missing] += table.size(rows[is_missing])
    is_single = min(map(len, sides)) == 1
    side = min((0, 1), key=lambda one: (len(sides[one]) if is_single else sizes[one], min(sides[one])))
    branch = UNSEEN if missing == UNSEEN else missing ^ side
    if is_single:
        return Candidate(index, EQUALS, float(sides[side][0]), branch)
    return Candidate(index, IN, tuple(sorted(sides[side])), branch)
