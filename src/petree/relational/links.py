"""Which rows of two relations fit together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.caching import cached_property
from petree.relational.relations import Relation, RelationColumn
from petree.relational.row_keys import joint_keys


@dataclass(frozen=True, eq=False)
class Link:
    """For every row of one relation the rows of another that fit: ``rows[starts[i]:stops[i]]``.

    Rows of the same key have the same bounds, so that a link is never longer than both relations, however many rows
    fit each other.
    """

    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    rows: NDArray[np.int32]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many rows fit each row."""
        return self.stops - self.starts

    @cached_property
    def most(self) -> int:
        """The most rows that fit one."""
        return int(self.sizes.max(initial=0))

    def follow(self, rows: NDArray[np.int32], most: float = math.inf) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """All that fits some rows: pairs of a place among them and a row of the other relation, up to so many."""
        n_pairs = core.relations.count_matches(rows, self.starts, self.stops, self.rows)
        if n_pairs > most:
            raise TooManyRowsError(n_pairs)
        came_from = np.empty(n_pairs, np.int32)
        matched = np.empty_like(came_from)
        core.relations.match(rows, self.starts, self.stops, self.rows, came_from, matched, core.NO_STOP)
        return came_from, matched

    @cached_property
    def groups(self) -> tuple[NDArray[np.int32], NDArray[np.int32], int]:
        """The part that each of `rows` is in, and the part that fits each row of the first relation; and their number.

        Rows that nothing fits have a last part of their own, which is empty.
        """
        begins = np.zeros(len(self.rows) + 1, bool)
        begins[0] = True
        begins[self.starts] = True
        begins[self.stops] = True
        parts = np.cumsum(begins, dtype=np.int32) - np.int32(1)
        n_parts = int(parts[-1]) + 1
        own = np.where(self.stops > self.starts, parts[self.starts], np.int32(n_parts))
        return parts[:-1], own, n_parts + 1


class TooManyRowsError(ValueError):
    """A join would have more rows than allowed."""

    def __init__(self, n_rows: int):
        super().__init__(f"A join of {n_rows} rows is more than allowed.")
        self.n_rows = n_rows


def link_between(one: Relation, left: Sequence[int], other: Relation, right: Sequence[int]) -> Link:
    """Rows of another relation that agree with each row of one in the columns at these places."""
    columns = [one.columns[place] for place in left]
    return make_link(columns, [other.columns[place] for place in right], one.n_rows, other.n_rows)


def make_link(left: Sequence[RelationColumn], right: Sequence[RelationColumn], n_left: int, n_right: int) -> Link:
    """Rows of the right that agree with each row of the left in all of the columns; without columns all of them.

    Columns of a pair have one domain. Rows keep their order; missing values fit nothing.
    """
    if not left:
        bounds = np.full((2, n_left), [[0], [n_right]], np.int64)
        return Link(bounds[0], bounds[1], np.arange(n_right, dtype=np.int32))
    own, others = joint_keys([one.codes for one in left], [one.codes for one in right])
    bounds, rows = others.index()
    return Link(bounds[own.of_rows + 1], bounds[own.of_rows + 2], rows)


def distinct(values: NDArray[Any]) -> NDArray[Any]:
    """Each value once, in order; by sorting, which is faster than np.unique where most of them differ."""
    if (values[1:] > values[:-1]).all():
        return values
    values = np.sort(values)
    return values[np.append(True, values[1:] != values[:-1])[: len(values)]]
