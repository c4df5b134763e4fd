"""Paths to tables that no test reaches by a row and one behind it.

A path goes down, to rows that point to the one before, as long as each row belongs to one example, and then up, to rows
that these point to. Going on therefore finds no more rows than the tables on the way have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from petree.relational.bias.identifiers import tells_apart
from petree.relational.bias.linked_tables import LinkedTable, named_arguments
from petree.relational.bias.modes import IGNORED, INPUT, NAMED, OUTPUT, Argument, Mode, Path
from petree.relational.database import ForeignKey

# Paths lead through tables of at most so many rows, that of the examples among them.
MOST_ROWS = 1_000_000
# What makes tests reach a table that is beside the paths.
BY_BIAS = "declare a bias with a Path to it"
BY_AGGREGATES = "add 'two_links' and a function of its columns, such as 'mode' or 'mean', to aggregates"


@dataclass(frozen=True, eq=False)
class Way:
    """Literals that lead from the example to the rows of a table.

    Parameters
    ----------
    table : LinkedTable
        The table at the end.
    modes : tuple of Mode
        The last one matches its rows.
    link : ForeignKey or None
        The foreign key by which these were found; None where they were found by their key.
    n_rows : int
        Number of rows of the largest table on the way.
    is_down : bool
        Whether each of the rows belongs to one example.
    """

    table: LinkedTable
    modes: tuple[Mode, ...]
    link: ForeignKey | None
    n_rows: int
    is_down: bool

    def ending_with(self, mode: Mode) -> Path:
        return Path((*self.modes[:-1], mode))


@dataclass(frozen=True, eq=False)
class FarTables:
    """The tables that neither literals nor lookaheads of one test reach.

    Parameters
    ----------
    tables : mapping of str to LinkedTable
        The nearest first.
    target : str
    below : frozenset of str
        Tables whose rows belong to one example each.
    max_links : int or None
    has_two_links : bool
        Whether functions are also over rows behind two links.
    """

    tables: Mapping[str, LinkedTable]
    target: str
    below: frozenset[str]
    max_links: int | None
    has_two_links: bool
    paths: list[Path] = field(default_factory=list)
    unreached: dict[str, str] = field(default_factory=dict)

    def find(self) -> FarTables:
        """Fill `paths`, and `unreached` with the tables that these do not lead to, each with what to do about it."""
        ways = list(self._first_ways())
        known = {self.target, *(way.table.relation.name for way in ways)}
        near = self._near(ways)
        behind = self._behind_two_links(ways)
        near |= behind if self.has_two_links else set()
        length = 1
        self._note(ways, near, length)
        while ways:
            length += 1
            ways = [one for way in ways for one in self._longer(way, length) if one.table.relation.name not in known]
            known |= {way.table.relation.name for way in ways}
            self._note(ways, near, length)
        for name in self._linked():
            if name not in near | known and self.tables[name].describing:
                self.unreached[name] = BY_AGGREGATES if name in behind else BY_BIAS
        return self

    def _note(self, ways: list[Way], near: set[str], length: int) -> None:
        """Keep the ways to tables that are far, if they are short and of few rows, or else what is in their way."""
        for way in ways:
            name = way.table.relation.name
            if name in near or not way.table.describing:
                continue
            if self.max_links is not None and length > self.max_links:
                self.unreached[name] = f"set max_links={length}"
            elif way.n_rows > MOST_ROWS:
                self.unreached[name] = f"a table on the way has {way.n_rows:,} rows; {BY_BIAS}"
            else:
                last = way.modes[-1]
                self.paths.extend(map(way.ending_with, way.table.tests(last.arguments, last.telling)))

    # -- ways -----------------------------------------------------------------------------------------------

    def _first_ways(self) -> Iterator[Way]:
        """To rows that have a key of the example, its own or that of a row it points to."""
        example = self.tables[self.target].relation
        pointers = {at for link in self.tables[self.target].foreign_keys for at in example.places(link.columns)}
        known = {example.columns[at].domain for at in {*example.keys[0], *pointers}}
        for name, table in self.tables.items():
            columns = table.relation.columns
            by_key = [(key, None) for key in table.relation.keys]
            by_link = [(table.relation.places(link.columns), link) for link in table.foreign_keys]
            for places, link in [*by_key, *by_link] if name != self.target else ():
                domains = {columns[at].domain for at in places}
                if domains <= known:
                    alike = [at for at in pointers if example.columns[at].domain in domains]
                    is_down = name in self.below or all(tells_apart(table.database, example, (at,)) for at in alike)
                    arguments = table.arguments(dict.fromkeys(places, INPUT), IGNORED if link is None else OUTPUT, link)
                    telling = () if link is None else table.telling(link)
                    n_rows = max(example.n_rows, table.relation.n_rows)
                    yield Way(table, (Mode(name, arguments, telling=telling),), link, n_rows, is_down)

    def _longer(self, way: Way, length: int) -> Iterator[Way]:
        """One link further: up to what the rows point to, and down to what points to them."""
        here = way.table.relation
        ups = way.table.foreign_keys if way.link is None else way.table.pointing_on(way.link)
        for link in ups:
            yield self._extended(way, length, self.tables[link.to_table], link.columns, link.to_columns, None)
        for table in self.tables.values() if way.is_down else ():
            for link in (one for one in table.foreign_keys if one.to_table == here.name):
                yield self._extended(way, length, table, link.to_columns, link.columns, link)

    def _extended(
        self,
        way: Way,
        length: int,
        there: LinkedTable,
        columns: tuple[str, ...],
        others: tuple[str, ...],
        link: ForeignKey | None,
    ) -> Way:
        before = way.modes[-1]
        own = way.table.relation.places(columns)
        for place in own:
            before = _leading_on(before, place, length)
        names = {at: before.arguments[place].name for at, place in zip(there.relation.places(others), own, strict=True)}
        arguments = named_arguments(there.arguments({}, IGNORED if link is None else OUTPUT, link), names)
        mode = Mode(there.relation.name, arguments, telling=() if link is None else there.telling(link))
        n_rows = max(way.n_rows, there.relation.n_rows)
        return Way(there, (*way.modes[:-1], before, mode), link, n_rows, link is not None)

    # -- tables ---------------------------------------------------------------------------------------------

    def _near(self, ways: list[Way]) -> set[str]:
        """The tables that tests reach without paths: by a row, and by a row behind a new one."""
        reach = 2 if self.max_links is None else self.max_links
        found = {self.target}
        if reach >= 1:
            found |= {way.table.relation.name for way in ways}
        if reach >= 2:
            by_link = (way for way in ways if way.link is not None)
            found |= {one.table.relation.name for way in by_link for one in self._longer(way, 2)}
        return found

    def _behind_two_links(self, ways: list[Way]) -> set[str]:
        """The tables whose rows functions reach behind two links."""
        down = (self._longer(replace(way, is_down=True), 2) for way in ways if way.link is not None)
        return {one.table.relation.name for found in down for one in found}

    def _linked(self) -> Iterator[str]:
        """The tables that links lead to, in whatever direction."""
        found = {self.target}
        edge = [self.target]
        while edge:
            here = edge.pop()
            yield here
            links = [link for table in self.tables.values() for link in table.foreign_keys]
            beside = {one.to_table for one in links if one.table == here}
            beside |= {one.table for one in links if one.to_table == here}
            edge += [name for name in self.tables if name in beside - found]
            found |= beside


def _leading_on(mode: Mode, place: int, length: int) -> Mode:
    """A mode with a variable at a place that no other argument has, so that the next literal can name it."""
    argument = mode.arguments[place]
    if argument.kind == NAMED:
        return mode
    kind = INPUT if argument.kind == INPUT else OUTPUT
    return mode.with_argument(place, Argument(kind, f"{argument.name}{place}_{length}"))
