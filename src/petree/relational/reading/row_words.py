"""How sentences speak of rows that a query has found, and of the values at their places."""

from __future__ import annotations

from petree.relational.queries.scope import EXAMPLE, Place, Scope
from petree.relational.reading.phrases import label, that
from petree.relational.reading.timed import time_of
from petree.relational.relations import Relation
from petree.words import named


class RowWords:
    """Names rows and places of a scope; its first `n_known` rows, and its variables, were known before."""

    def __init__(self, scope: Scope, n_known: int) -> None:
        self.scope = scope
        self.n_known = n_known
        self.known = frozenset(scope.variables)

    def noun(self, row: int) -> str:
        if row == 0:
            return f"the {named(self.scope.relations[0])}"
        called = self.scope.relation(row).called
        return that(called) if row < self.n_known else named(called)

    def label(self, row: int) -> str:
        return "" if row == 0 else label(self.scope, row)

    def subject(self, row: int) -> str:
        return self.noun(row) + self.label(row)

    def described(self, place: Place) -> str:
        """The row that a value stands for, or else its column and row."""
        return self.row_at(place) or f"{named(self.scope.column_at(place).name)} of {self.subject(place[0])}"

    def row_at(self, place: Place) -> str:
        """The row that a value at a place stands for, where it is the whole key of one or points to one."""
        variables = [one for one, places in self.scope.places.items() if place in places and one != EXAMPLE]
        places = [place, *(there for one in variables for there in self.scope.places[one])]
        for row, column in places:
            if (column,) in self.scope.relation(row).keys and self._points_to((row, column)) is None:
                return self.subject(row)
        place = min(places)  # what the example points to has no letter
        to_table = self._points_to(place)
        if to_table is None or not variables:
            return ""
        if place[0] == 0:
            return f"the {self.pointer(place, to_table)} of {self.subject(0)}"
        return f"{(that if variables[0] in self.known else named)(to_table)} ({variables[0]})"

    def _points_to(self, place: Place) -> str | None:
        """The table to a row of which a value at a place points by itself."""
        links = self.scope.database.keys_of(self.scope.relations[place[0]])
        return next((one.to_table for one in links if one.columns == (self.scope.column_at(place).name,)), None)

    def pointer(self, place: Place, table: str) -> str:
        """What a row is to the example that points to it: its table, or the column where that would not tell which."""
        target = self.scope.relations[0]
        links = [link for link in self.scope.database.keys_of(target) if link.to_table == table]
        return named(table if len(links) == 1 and table != target else self.scope.column_at(place).name)

    def link(self, relation: Relation, bound: list[tuple[Place, int]]) -> str:
        """Which rows of a relation are meant: those that belong to a row of the query."""
        of = ""
        told = []
        for place, column in bound:
            name = relation.columns[column].name
            owner = self.row_at(place)
            is_either = relation.both_ways is not None and name in relation.both_ways[1:]
            if owner and not of and (is_either or self._is_only_link(relation.name, name)):
                of = f" of {owner}"
            else:
                told.append(f"{named(name)} is {self.described(place)}")
        return of + (f" whose {' and whose '.join(told)}" if told else "")

    def in_time(self, relation: Relation) -> str:
        """That rows of a later time than the example's are not meant, where both have one."""
        place = time_of(self.scope, relation.name)
        target = self.scope.relation(0)
        if place is None or target.time is None:
            return ""
        return f"{named(relation.columns[place].name)} <= {self.own_time()}"

    def own_time(self) -> str:
        """The time of the example."""
        target = self.scope.relation(0)
        assert target.time is not None
        return f"{named(target.columns[target.time].name)} of the {named(target.name)}"

    def _is_only_link(self, table: str, column: str) -> bool:
        """Whether the link of a column is the only one between two tables."""
        links = self.scope.database.keys_of(table)
        to_table = next((one.to_table for one in links if column in one.columns), table)
        return to_table != table and [one.to_table for one in links].count(to_table) == 1
