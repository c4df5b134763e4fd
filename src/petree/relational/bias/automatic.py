"""A bias made from the schema: follow the links, and ask for the values of what is found there.

A table is entered by its key, where one of its rows is known already, or by a foreign key, which finds new rows. Either
way every describing column offers its values or thresholds. That a row is there may say nothing by itself, so what is
behind it is looked at in the same step. Where a link leads from each row to one, the
way back would end at the row it began with, and is not gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from petree.relational.bias.identifiers import identifiers, says_twice, tells_apart
from petree.relational.bias.modes import (
    CONSTANT,
    EITHER,
    IGNORED,
    INPUT,
    NAMED,
    OUTPUT,
    AggregateMode,
    Argument,
    Bias,
    Lookahead,
    Mode,
)
from petree.relational.bias.windows import check_windows, with_windows
from petree.relational.database import ROW, Database, ForeignKey
from petree.relational.queries.terms import COMPLEX, FUNCTIONS, Atom, Variable
from petree.relational.relations import KEY, NOMINAL, NUMBER, Relation

# Functions of numbers; the others are of nominal values.
OF_NUMBERS = ("min", "max", "sum", "mean")
# Foreign keys of a new row that may each be known or new; of more there are too many combinations, and all are new.
MOST_CHOICES = 2


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
        "complex" among them also over the rows that fit a condition; by itself it is the count of these.
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
        if function not in (*FUNCTIONS, COMPLEX):
            raise ValueError(f"There is no aggregate {function!r}; there are {', '.join((*FUNCTIONS, COMPLEX))}.")
    check_windows(windows, database, target)
    if windows and not aggregates:
        raise ValueError("Windows are for functions over rows, but aggregates names none; add 'count', or no windows.")
    unasked = frozenset(identifiers(database, target))
    tables = {name: _Table(database, relation, unasked) for name, relation in database.relations.items()}
    order = [target, *(name for name in tables if name != target)]
    modes = [mode for name in order for mode in tables[name].modes()]
    below = _below(database, target)
    lookaheads = [one for name in order for one in _lookaheads(tables, tables[name], below)] if lookahead else []
    functions = [one for one in aggregates if one != COMPLEX] or ["count" for one in aggregates if one == COMPLEX]
    plain = [one for name in order for one in tables[name].aggregates(functions)]
    plain += list(with_windows(plain, windows, database))
    if COMPLEX in aggregates:
        plain += [one for name in order for one in complex_aggregates(tables, tables[name], functions)]
    return Bias(tuple(modes), tuple(lookaheads), 1, tuple(plain), max_links)


@dataclass(frozen=True, eq=False)
class _Table:
    """A table among others; `unasked` are columns that only name rows."""

    database: Database
    relation: Relation
    unasked: frozenset[tuple[str, str]]

    @property
    def describing(self) -> list[int]:
        """Places of the columns that describe rows."""
        asked = (
            one.kind != KEY and (self.relation.name, one.name) not in self.unasked for one in self.relation.columns
        )
        pairs = enumerate(zip(self.relation.columns, asked, strict=True))
        return [place for place, (one, is_asked) in pairs if is_asked and len(one.domain)]

    @property
    def foreign_keys(self) -> list[ForeignKey]:
        return self.database.keys_of(self.relation.name)

    def modes(self) -> Iterator[Mode]:
        for key in self.relation.keys:
            yield from self.tests(self.arguments(dict.fromkeys(key, INPUT), IGNORED))
        for link in self.foreign_keys:
            known = dict.fromkeys(self.relation.places(link.columns), INPUT)
            telling = self.telling(link)
            yield Mode(self.relation.name, self.arguments(known, EITHER, link), telling=telling)
            yield from self.tests(self.arguments(known, OUTPUT, link), telling)

    def telling(self, link: ForeignKey) -> tuple[int, ...]:
        """The places of a foreign key that no two rows share, of which every row finds itself."""
        places = self.relation.places(link.columns)
        return places if tells_apart(self.database, self.relation, places) else ()

    def tests(self, arguments: tuple[Argument, ...], telling: tuple[int, ...] = ()) -> list[Mode]:
        """One mode for each column that describes."""
        return [self.test(place, Mode(self.relation.name, arguments, telling=telling)) for place in self.describing]

    def test(self, place: int, mode: Mode) -> Mode:
        """A mode that asks for the values of a column."""
        column = self.relation.columns[place]
        is_compared = column.kind == NUMBER or column.domain.is_ordered
        tried = Argument(OUTPUT if is_compared else CONSTANT, mode.arguments[place].name)
        return replace(mode.with_argument(place, tried), compared=place if is_compared else None)

    def arguments(self, known: dict[int, str], others: str, link: ForeignKey | None = None) -> tuple[Argument, ...]:
        """Arguments of a mode: some known, the other keys as told, nothing else named."""
        implied = set() if link is None else self.implied_by(link)
        columns = self.relation.columns
        free = {place for place, one in enumerate(columns) if one.kind == KEY and place not in implied}
        choosing = {place for place in free - set(known) if columns[place].name != ROW}
        pointers = {place for one in self.foreign_keys for place in self.relation.places(one.columns)}
        if others == EITHER and len(choosing & pointers) > MOST_CHOICES:
            others = OUTPUT
        found = []
        for place, column in enumerate(columns):
            kind = others if place in free else IGNORED
            kind = OUTPUT if kind == EITHER and place not in choosing else kind
            found.append(Argument(known.get(place, kind), _variable_name(column.name)))
        return tuple(found)

    def aggregates(self, functions: Sequence[str]) -> Iterator[AggregateMode]:
        for link in self.foreign_keys:
            yield from self.aggregates_behind(link, functions)

    def aggregates_behind(self, link: ForeignKey, functions: Sequence[str]) -> Iterator[AggregateMode]:
        """Functions over the rows behind a link."""
        known = dict.fromkeys(self.relation.places(link.columns), INPUT)
        mode = Mode(self.relation.name, self.arguments(known, IGNORED), telling=self.telling(link))
        for function in functions:
            yield from self.aggregates_of(function, mode)

    def aggregates_of(self, function: str, mode: Mode) -> Iterator[AggregateMode]:
        """A function of each column that it can be taken of."""
        if function == "count":
            yield AggregateMode(function, mode)
            return
        kind = NUMBER if function in OF_NUMBERS else NOMINAL
        for place in self.describing:
            if self.relation.columns[place].kind == kind:
                tried = Argument(CONSTANT if function == "proportion" else OUTPUT, mode.arguments[place].name)
                yield AggregateMode(function, mode.with_argument(place, tried), place)

    def implied_by(self, link: ForeignKey) -> set[int]:
        """Columns of foreign keys that only repeat what the row behind another one says already."""
        implied: set[int] = set()
        for other, further in product(self.foreign_keys, self.database.keys_of(link.to_table)):
            if (
                other.columns != link.columns
                and _aim(other) == _aim(further)
                and says_twice(self.database, link, tuple(zip(other.columns, further.columns, strict=True)))
            ):
                implied.update(self.relation.places(other.columns))
        return implied

    def pointing_on(self) -> list[ForeignKey]:
        """The foreign keys that lead on from a row that was found by another one, without repeating what that says."""
        links = self.foreign_keys
        return [
            further
            for further in links
            if any(
                further.columns != link.columns
                and not self.implied_by(link).intersection(self.relation.places(further.columns))
                for link in links
            )
        ]


def complex_aggregates(tables: dict[str, _Table], table: _Table, functions: Sequence[str]) -> Iterator[AggregateMode]:
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


def _behind_pointers(there: _Table, table: _Table, link: ForeignKey, plain: AggregateMode) -> Iterator[AggregateMode]:
    """A function over the rows that point to one which has a value."""
    named = dict(zip(there.relation.places(link.to_columns), link.columns, strict=True))
    places = {name: table.relation.place(name) for name in link.columns}
    arguments = list(plain.mode.arguments)
    for name, place in places.items():
        arguments[place] = Argument(OUTPUT, f"{_variable_name(name)}{place}")
    pointing = replace(plain.mode, arguments=tuple(arguments))
    for test in there.tests(there.arguments({}, IGNORED)):
        terms = tuple(
            Argument(NAMED, f"{_variable_name(named[at])}{places[named[at]]}") if at in named else argument
            for at, argument in enumerate(test.arguments)
        )
        yield replace(plain, mode=pointing, where=replace(test, arguments=terms))


def _aim(link: ForeignKey) -> tuple[str, tuple[str, ...]]:
    return link.to_table, link.to_columns


def _variable_name(column: str) -> str:
    """A column's name as a variable: a capital letter first, nothing but letters and digits."""
    text = "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in column).strip("_")
    return (text[:1].upper() + text[1:]) if text[:1].isalpha() else f"X{text}"


def _lookaheads(tables: dict[str, _Table], table: _Table, below: frozenset[str]) -> Iterator[Lookahead]:
    """Together with a new row: the rows that it points to, and below the target also those that point to it.

    Below the target every row belongs to one example, so that looking at all that point to it costs no more than to
    look at each row once.
    """
    relation = table.relation
    names = tuple(f"{_variable_name(name)}{place}" for place, name in enumerate(relation.names))
    first = Atom(relation.name, tuple(map(Variable, names)))
    for further in table.pointing_on():
        there = tables[further.to_table]
        places = zip(there.relation.places(further.to_columns), relation.places(further.columns), strict=True)
        arguments = _named(there.arguments({}, IGNORED), {place: names[own] for place, own in places})
        yield from (Lookahead(first, mode, alone=True) for mode in there.tests(arguments))
    for there in tables.values() if relation.name in below else ():
        for link in (one for one in there.foreign_keys if one.to_table == relation.name):
            places = zip(there.relation.places(link.columns), relation.places(link.to_columns), strict=True)
            arguments = _named(there.arguments({}, OUTPUT, link), {place: names[own] for place, own in places})
            yield from (Lookahead(first, mode, alone=True) for mode in there.tests(arguments, there.telling(link)))


def _named(arguments: tuple[Argument, ...], names: dict[int, str]) -> tuple[Argument, ...]:
    """Arguments of which some are variables of the literal before."""
    return tuple(Argument(NAMED, names[at]) if at in names else one for at, one in enumerate(arguments))


def _below(database: Database, target: str) -> frozenset[str]:
    """The tables that point to the target, or to one that does, without the target."""
    found = {target}
    while more := {link.table for link in database.foreign_keys if link.to_table in found} - found:
        found |= more
    return frozenset(found - {target})
