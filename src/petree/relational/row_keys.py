"""One number for what a row has in some columns, so that rows agree where their numbers do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.relational.relations import MISSING

Codes = NDArray[np.int32]

# Numbers that there may be for each row, so that they can be counted one by one.
MOST_EACH = 4


@dataclass(frozen=True, eq=False)
class RowKeys:
    """The number of each row, in the order of what the rows have; `MISSING` where any of that is missing.

    Numbers are below `n`, which may be more than there are, but not many times the number of rows.
    """

    of_rows: Codes
    n: int

    def index(self) -> tuple[NDArray[np.int64], Codes]:
        """The rows in the order of their numbers: those of k stand from ``bounds[k + 1]`` to ``bounds[k + 2]``.

        Rows without a number stand nowhere; for k = `MISSING`, -1, both bounds are 0.
        """
        bounds = np.empty(self.n + 2, np.int64)
        rows = np.empty(len(self.of_rows), np.int32)
        n_known = core.relations.index_rows(np.ascontiguousarray(self.of_rows), bounds, rows, core.NO_STOP)
        return bounds, rows[:n_known]

    def without_gaps(self) -> RowKeys:
        """The same, with no more numbers than there are."""
        is_there = np.zeros(self.n, bool)
        is_there[self.of_rows[self.of_rows != MISSING]] = True
        numbers = np.append(np.cumsum(is_there, dtype=np.int32) - np.int32(1), np.int32(MISSING))
        return RowKeys(numbers[self.of_rows], int(is_there.sum()))


def row_keys(columns: Sequence[Codes]) -> RowKeys:
    """One number for the codes that each row has in some columns."""
    return reduce(_paired, map(_of_codes, columns))


def joint_keys(left: Sequence[Codes], right: Sequence[Codes]) -> tuple[RowKeys, RowKeys]:
    """The same for the rows of two tables, by columns that fit each other."""
    n_left = len(left[0])
    keys = row_keys([np.concatenate(pair) for pair in zip(left, right, strict=True)])
    return RowKeys(keys.of_rows[:n_left], keys.n), RowKeys(keys.of_rows[n_left:], keys.n)


def _of_codes(codes: Codes) -> RowKeys:
    """The codes themselves, unless they are few and far between."""
    n = int(codes.max(initial=MISSING)) + 1
    if n <= MOST_EACH * len(codes):
        return RowKeys(codes, n)
    is_known = codes != MISSING
    values, numbers = np.unique(codes[is_known], return_inverse=True)
    found = np.full(len(codes), MISSING, np.int32)
    found[is_known] = numbers
    return RowKeys(found, len(values))


def _paired(one: RowKeys, other: RowKeys) -> RowKeys:
    """One number for two."""
    if one.n * other.n > MOST_EACH * len(one.of_rows):
        return _ranked(one, other)
    is_known = (one.of_rows != MISSING) & (other.of_rows != MISSING)
    numbers = one.of_rows * np.int32(other.n) + other.of_rows
    return RowKeys(np.where(is_known, numbers, np.int32(MISSING)), one.n * other.n)


def _ranked(one: RowKeys, other: RowKeys) -> RowKeys:
    """Pairs in their order: rows are put in that of the second numbers, and then, which keeps it, of the first."""
    by_other = other.index()[1]
    order = by_other[RowKeys(one.of_rows[by_other], one.n).index()[1]]
    begins = np.zeros(len(order), bool)
    for keys in (one, other):
        begins[1:] |= keys.of_rows[order[1:]] != keys.of_rows[order[:-1]]
    numbers = np.full(len(one.of_rows), MISSING, np.int32)
    numbers[order] = np.cumsum(begins, dtype=np.int32)
    return RowKeys(numbers, int(numbers.max(initial=MISSING)) + 1)
