"""A bias made from the schema: follow the links, and ask for the values of what is found there.

A table is entered by its key, where one of its rows is known already, or by a foreign key, which finds new rows. Either
way every describing column offers its values or thresholds. That a row is there may say nothing by itself, so what is
behind it is looked at in the same step. Where a link leads from each row to one, the
way back would end at the row it began with, and is not gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from petree.relational.bias.identifiers import identifiers, leads_always
from petree.relational.bias.linked_tables import LinkedTable, named_arguments, variable_name
from petree.relational.bias.modes import IGNORED, INPUT, NAMED, OUTPUT, AggregateMode, Argument, Bias, Lookahead, Mode
from petree.relational.bias.paths import FarTables
from petree.relational.bias.windows import check_windows, with_windows
from petree.relational.database import Database, ForeignKey
from petree.relational.queries.terms import COMPLEX, FUNCTIONS, NAMES_OF_FUNCTIONS, TWO_LINKS, Atom, Variable

# Columns of a table, and those of the next that are equal to them.
Ends = tuple[tuple[str, ...], tuple[str, ...]]


def automatic_bias(
    database: Database,
    target: str,
    max_links: int | None = 3,
    aggregates: Sequence[str] = ("count",),
    lookahead: bool = True,
    windows: Sequence[float] = (),
) -> Bias:
    """All that the schema lets one ask about rows of a table; what `RelationalTreeClassifier` asks unless told.

    It is a beginning for a bias of your own: ``dataclasses.replace(bias, modes=...)`` changes a part of it.

    Parameters
    ----------
    database : Database
    target : str
        Table of the examples, without the class.
    max_links : int or None
        Most rows beside the example's own that a query may speak of.
    aggregates : sequence of str
        Functions over the rows behind a link: "count", "min", "max", "sum", "mean", "mode", "proportion". With
        "complex" among them also over the rows that fit a condition; with "two_links" also over the rows that those
        behind a link point to, or that point to these. Where no function is named, it is the count.
    lookahead : bool
        Whether a test may ask, together with a new row, for a value of a row that it points to, or that points to it.
    windows : sequence of float
        The functions also over the rows of so much time before that of the example: days, where times are dates.

    Returns
    -------
    Bias

    Examples
    --------
    >>> from petree.relational import Database, automatic_bias
    >>> tables = {"molecule": {"id": [1, 2]}, "atom": {"molecule": [1, 2], "element": ["c", "n"]}}
    >>> print(automatic_bias(Database(tables, ["atom.molecule -> molecule.id"]), "molecule"))
    rmode(atom(_, #, +Row)).
    rmode(atom(+Molecule, _, -Row)).
    rmode(atom(+Molecule, #, -Row)).
    aggregate(count, atom(+Molecule, _, _)).
    """
    if isinstance(aggregates, str):
        raise TypeError(f"aggregates must be a sequence of names, got the text {aggregates!r}; put it into a list.")
    if not isinstance(aggregates, Sequence) or not all(isinstance(name, str) for name in aggregates):
        raise TypeError(f"aggregates must be a sequence of names such as ['count']. Got {aggregates!r} instead.")
    for function in aggregates:
        if function not in NAMES_OF_FUNCTIONS:
            raise ValueError(f"There is no aggregate {function!r}; there are {', '.join(NAMES_OF_FUNCTIONS)}.")
    check_windows(windows, database, target)
    if windows and not aggregates:
        raise ValueError("Windows are for functions over rows, but aggregates names none; add 'count', or no windows.")
    key = ("automatic bias", target, max_links, tuple(aggregates), lookahead, tuple(windows))
    if key not in database.kept:
        database.kept[key] = _made(database, target, max_links, aggregates, lookahead, windows)
    found: Bias = database.kept[key]
    return found


def _made(
    database: Database,
    target: str,
    max_links: int | None,
    aggregates: Sequence[str],
    lookahead: bool,
    windows: Sequence[float],
) -> Bias:
    unasked = frozenset(identifiers(database, target))
    order = _nearest_first(database, target)
    tables = {name: LinkedTable(database, database.relation(name), unasked) for name in order}
    modes = [mode for name in order for mode in tables[name].modes()]
    modes += tables[target].gaps()
    below = _below(database, target)
    lookaheads = [one for name in order for one in _lookaheads(tables, tables[name], below)] if lookahead else []
    functions = [one for one in aggregates if one in FUNCTIONS]
    if aggregates and not functions:
        functions = ["count"]
    plain = [one for name in order for one in tables[name].aggregates(functions)]
    plain += list(with_windows(plain, windows, database))
    if TWO_LINKS in aggregates:
        plain += [one for name in order for one in aggregates_behind_two(tables, tables[name], functions)]
    if COMPLEX in aggregates:
        plain += [one for name in order for one in complex_aggregates(tables, tables[name], functions)]
    paths = far_tables(database, target, max_links, aggregates).paths if lookahead else []
    return Bias(tuple(modes), tuple(lookaheads), 1, tuple(plain), max_links, tuple(paths))


def far_tables(database: Database, target: str, max_links: int | None, aggregates: Sequence[str]) -> FarTables:
    """The tables that no test reaches by a row and one behind it, with the paths that lead to some of them."""
    key = ("far tables", target, max_links, TWO_LINKS in aggregates)
    if key not in database.kept:
        unasked = frozenset(identifiers(database, target))
        order = _nearest_first(database, target)
        tables = {name: LinkedTable(database, database.relation(name), unasked) for name in order}
        found = FarTables(tables, target, _below(database, target), max_links, TWO_LINKS in aggregates).find()
        database.kept[key] = found
    known: FarTables = database.kept[key]
    return known


def _nearest_first(database: Database, target: str) -> list[str]:
    """All tables by the number of links to the target, and by name: ties do not depend on how they are listed."""
    steps = {target: 0}
    edge = {target}
    while edge:
        pairs = {(link.table, link.to_table) for link in database.foreign_keys}
        beside = {there for here, there in pairs if here in edge} | {here for here, there in pairs if there in edge}
        edge = beside.difference(steps)
        steps |= dict.fromkeys(edge, max(steps.values()) + 1)
    return sorted(database.relations, key=lambda name: (steps.get(name, len(steps)), name))


def _lookaheads(tables: dict[str, LinkedTable], table: LinkedTable, below: frozenset[str]) -> Iterator[Lookahead]:
    """Together with a new row: the rows that it points to, and below the target also those that point to it.

    Below the target every row belongs to one example, so that looking at all that point to it costs no more than to
    look at each row once.
    """
    relation = table.relation
    names = tuple(f"{variable_name(name)}{place}" for place, name in enumerate(relation.names))
    first = Atom(relation.name, tuple(map(Variable, names)))
    leading_on = {further: None for link in table.foreign_keys for further in table.pointing_on(link)}
    for further in (one for one in table.foreign_keys if one in leading_on):
        there = tables[further.to_table]
        places = zip(there.relation.places(further.to_columns), relation.places(further.columns), strict=True)
        arguments = named_arguments(there.arguments({}, IGNORED), {place: names[own] for place, own in places})
        yield from (Lookahead(first, mode, alone=True) for mode in there.tests(arguments))
    for there in tables.values() if relation.name in below else ():
        for link in (one for one in there.foreign_keys if one.to_table == relation.name):
            places = zip(there.relation.places(link.columns), relation.places(link.to_columns), strict=True)
            arguments = named_arguments(there.arguments({}, OUTPUT, link), {place: names[own] for place, own in places})
            yield from (Lookahead(first, mode, alone=True) for mode in there.tests(arguments, there.telling(link)))


def _below(database: Database, target: str) -> frozenset[str]:
    """The tables that point to the target, or to one that does, without the target."""
    found = {target}
    while more := {link.table for link in database.foreign_keys if link.to_table in found} - found:
        found |= more
    return frozenset(found - {target})


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
