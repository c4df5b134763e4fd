"""Functions over the rows behind a link that fit a condition, and over those behind two links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from petree.relational.bias.identifiers import leads_always
from petree.relational.bias.linked_tables import LinkedTable, named_arguments, variable_name
from petree.relational.bias.modes import IGNORED, INPUT, NAMED, OUTPUT, AggregateMode, Argument, Mode
from petree.relational.database import ForeignKey

# Columns of a table, and those of the next that are equal to them.
Ends = tuple[tuple[str, ...], tuple[str, ...]]


def complex_aggregates(
    tables: dict[str, LinkedTable], table: LinkedTable, functions: Sequence[str]
) -> Iterator[AggregateMode]:
    """Functions over the rows behind a link that have a value, or of which a row that they point to has one."""
    for link in table.foreign_keys:
        inputs = set(table.relation.places(link.columns))
        for plain in table.aggregates_behind(link, functions):
            others = (place for place in table.describing if place != plain.place)
            yield from (replace(plain, mode=table.test(place, plain.mode)) for place in others)
            for further in table.foreign_keys:
                pointers = table.relation.places(further.columns)
                if not inputs.intersection(pointers) and plain.place not in pointers:
                    yield from _behind_pointers(tables[further.to_table], table, further, plain)


def aggregates_behind_two(
    tables: dict[str, LinkedTable], table: LinkedTable, functions: Sequence[str]
) -> Iterator[AggregateMode]:
    """Functions over the rows that those behind a link point to, or that point to these.

    Where each of them points to one that is known whenever it is, these are as many, and are not counted again.
    """
    of_values = [one for one in functions if one != "count"]
    for link in table.foreign_keys:
        for further in table.pointing_on(link):
            there = tables[further.to_table]
            are_as_many = there.relation.time is None and leads_always(table.database, further)
            ends = further.columns, further.to_columns
            yield from _aggregates_through(table, link, there, ends, of_values if are_as_many else functions)
        for there in tables.values():
            for further in (one for one in there.foreign_keys if one.to_table == table.relation.name):
                yield from _aggregates_through(table, link, there, (further.to_columns, further.columns), functions)


def _aggregates_through(
    table: LinkedTable,
    link: ForeignKey,
    there: LinkedTable,
    ends: Ends,
    functions: Sequence[str],
) -> Iterator[AggregateMode]:
    """Functions over the rows of a table that have a key of the rows behind a link."""
    own = table.relation.places(ends[0])
    names = {place: f"{variable_name(table.relation.names[place])}{place}" for place in own}
    known = dict.fromkeys(table.relation.places(link.columns), INPUT)
    through = Mode(table.relation.name, table.arguments(known, IGNORED), telling=table.telling(link))
    for place in own:
        through = through.with_argument(place, Argument(known.get(place, OUTPUT), names[place]))
    at = dict(zip(there.relation.places(ends[1]), own, strict=True))
    mode = Mode(there.relation.name, named_arguments(there.arguments({}, IGNORED), {one: names[at[one]] for one in at}))
    for function in functions:
        yield from (replace(one, through=through) for one in there.aggregates_of(function, mode))


def _behind_pointers(
    there: LinkedTable, table: LinkedTable, link: ForeignKey, plain: AggregateMode
) -> Iterator[AggregateMode]:
    """A function over the rows that point to one which has a value."""
    named = dict(zip(there.relation.places(link.to_columns), link.columns, strict=True))
    places = {name: table.relation.place(name) for name in link.columns}
    arguments = list(plain.mode.arguments)
    for name, place in places.items():
        arguments[place] = Argument(OUTPUT, f"{variable_name(name)}{place}")
    pointing = replace(plain.mode, arguments=tuple(arguments))
    for test in there.tests(there.arguments({}, IGNORED)):
        terms = tuple(
            Argument(NAMED, f"{variable_name(named[at])}{places[named[at]]}") if at in named else argument
            for at, argument in enumerate(test.arguments)
        )
        yield replace(plain, mode=pointing, where=replace(test, arguments=terms))
