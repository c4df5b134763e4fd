"""Whole queries in families again, so that all that differ in one value are answered in one pass."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from petree.relational.links import TooManyRowsError
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Aggregation, Atom, Comparison, Constant, Literal
from petree.relational.refinement.families import AT_LEAST, BELOW, EQUALS, EXISTS, Family, slot_at
from petree.relational.refinement.tabulation import MOST_THRESHOLDS, LocalTable, tabulate

Query = tuple[Literal, ...]
# Stands where the value of a function is left open.
OPEN_VALUE = Constant(0)


@dataclass(frozen=True, eq=False)
class GroupedQueries:
    """Queries about examples, each by itself, as cuts of columns of codes.

    Parameters
    ----------
    families : tuple of Family
    alone : tuple of queries
        Those of no family, which have a column each behind those of the families.
    columns, cuts : arrays (queries,)
        A query holds for an example whose code in its column is not above its cut.
    """

    families: tuple[Family, ...]
    alone: tuple[Query, ...]
    columns: NDArray[np.intp]
    cuts: NDArray[np.int64]

    @classmethod
    def of(cls, scope: Scope, queries: Sequence[Query]) -> GroupedQueries:
        """Queries behind the empty one, of which this is the scope."""
        opened = [open_query(scope, query) for query in queries]
        families: list[Family] = []
        columns = np.empty(len(queries), np.intp)
        cuts = np.zeros(len(queries), np.int64)
        n_columns = 0
        for family, places in _members(opened).items():
            for block in _blocks(scope, family, list(places)):
                families.append(replace(family, values=() if family.kind == EXISTS else tuple(block)))
                for at, value in enumerate(block):
                    columns[places[value]] = n_columns + (0 if family.is_of_thresholds else at)
                    cuts[places[value]] = {BELOW: at, AT_LEAST: len(block) - 1 - at}.get(family.kind, 0)
                n_columns += 1 if family.is_of_thresholds else len(block)
        others = [place for place, one in enumerate(opened) if one is None]
        columns[others] = n_columns + np.arange(len(others))
        return cls(tuple(families), tuple(queries[place] for place in others), columns, cuts)

    @property
    def n_columns(self) -> int:
        """Number of columns of `codes`."""
        widths = (1 if family.is_of_thresholds else len(family) for family in self.families)
        return sum(widths) + len(self.alone)

    def codes(self, answers: Answers) -> NDArray[np.uint8]:
        """The codes of all columns, one row an example; `answers` are those of the empty query."""
        table = tabulate(answers, self.families)
        if table.layout.left_out:
            raise TooManyRowsError(answers.most + 1)
        others = [~answers.extend(query).covered[:, None] for query in self.alone]
        return np.hstack([ordinal_codes(table), *others])


def ordinal_codes(table: LocalTable) -> NDArray[np.uint8]:
    """The codes of a table of tests, turned where need be: the lower one is, the more tests of its column hold."""
    is_turned = turned(table)
    codes = table.codes.copy()
    last = (table.layout.n_bins[is_turned] - 1).astype(np.uint8)
    codes[:, is_turned] = last - codes[:, is_turned]
    return codes


def turned(table: LocalTable) -> NDArray[np.bool_]:
    """The columns whose tests hold from a threshold upwards; cut k of such a column is test ``n_bins - 2 - k``."""
    is_upward = np.array([family.kind == AT_LEAST for family in table.layout.families], bool)
    return is_upward[table.layout.family_of]


def open_query(scope: Scope, query: Query) -> tuple[Family, Constant] | None:
    """The family of a query, without values, and the value that it has there; None where it has none."""
    match query[-1]:
        case Aggregation(function=function, operator=operator, value=value) as last:
            if operator not in ((EQUALS,) if function == "mode" else (BELOW, AT_LEAST)):  # what families try
                return None
            return Family((*query[:-1], replace(last, value=OPEN_VALUE)), operator, None, (), 0), value
        case Comparison(left, operator, Constant() as value) if operator in (BELOW, AT_LEAST):
            family = Family(query[:-1], operator, left, (), 0)
            if isinstance(family.last, Aggregation):  # whose value would be left open
                return None
            is_there = not math.isnan(_number(scope, family, value))  # a category may not be among those in order
            return (family, value) if is_there else None
        case Atom(arguments=arguments) as last if any(isinstance(one, Constant) for one in arguments):
            at, value = [(place, one) for place, one in enumerate(arguments) if isinstance(one, Constant)][-1]
            return Family((*query[:-1], last.with_argument(at, slot_at(at))), EQUALS, slot_at(at), (), 0), value
    return Family(query, EXISTS, None, (), 0), OPEN_VALUE


def _members(opened: Sequence[tuple[Family, Constant] | None]) -> dict[Family, dict[Constant, list[int]]]:
    """The families with their values, and the places of the queries that have each."""
    found: dict[Family, dict[Constant, list[int]]] = {}
    for place, one in enumerate(opened):
        if one is not None:
            found.setdefault(one[0], {}).setdefault(one[1], []).append(place)
    return found


def _blocks(scope: Scope, family: Family, values: list[Constant]) -> list[list[Constant]]:
    """The values in the order in which they are tried, no more thresholds at a time than one family may have."""
    if not family.is_of_thresholds:
        return [values]
    values = sorted(values, key=lambda one: _number(scope, family, one))
    return [values[start : start + MOST_THRESHOLDS] for start in range(0, len(values), MOST_THRESHOLDS)]


def _number(scope: Scope, family: Family, value: Constant) -> float:
    """The number that a threshold stands for."""
    if family.slot is None:
        return float(value.value)
    return float(scope.extend(family.literals).column_of(family.slot).domain.number_of(value.value))
