"""A table among others that links join to it: the modes by which its rows and their values are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from petree.relational.bias.identifiers import says_twice, tells_apart
from petree.relational.bias.modes import CONSTANT, EITHER, IGNORED, INPUT, NAMED, OUTPUT, AggregateMode, Argument, Mode
from petree.relational.database import ROW, Database, ForeignKey
from petree.relational.relations import KEY, NOMINAL, NUMBER, Relation

# Functions of numbers; the others are of nominal values.
OF_NUMBERS = ("min", "max", "sum", "mean")
# Foreign keys of a new row that may each be known or new; of more there are too many combinations, and all are new.
MOST_CHOICES = 2


@dataclass(frozen=True, eq=False)
class LinkedTable:
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
        return sorted(
            self.database.keys_of(self.relation.name),
            key=lambda one: (self.relation.places(one.columns), *_aim(one)),
        )

    def modes(self) -> Iterator[Mode]:
        for key in self.relation.keys:
            yield from self.tests(self.arguments(dict.fromkeys(key, INPUT), IGNORED))
        for link in self.foreign_keys:
            known = dict.fromkeys(self.relation.places(link.columns), INPUT)
            telling = self.telling(link)
            yield Mode(self.relation.name, self.arguments(known, EITHER, link), telling=telling)
            yield from self.tests(self.arguments(known, OUTPUT, link), telling)

    def gaps(self) -> Iterator[Mode]:
        """Whether the columns of a row have values."""
        for key in self.relation.keys[:1]:
            mode = Mode(self.relation.name, self.arguments(dict.fromkeys(key, INPUT), IGNORED))
            for place in self.describing:
                asked = mode.with_argument(place, Argument(OUTPUT, mode.arguments[place].name))
                yield replace(asked, known=place)

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
            found.append(Argument(known.get(place, kind), variable_name(column.name)))
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

    def pointing_on(self, link: ForeignKey) -> list[ForeignKey]:
        """The foreign keys that lead on from a row that was found by one, without repeating what that says."""
        implied = self.implied_by(link)
        others = (further for further in self.foreign_keys if further.columns != link.columns)
        return [further for further in others if not implied.intersection(self.relation.places(further.columns))]


def _aim(link: ForeignKey) -> tuple[str, tuple[str, ...]]:
    return link.to_table, link.to_columns


def variable_name(column: str) -> str:
    """A column's name as a variable: a capital letter first, nothing but letters and digits."""
    text = "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in column).strip("_")
    return (text[:1].upper() + text[1:]) if text[:1].isalpha() else f"X{text}"


def named_arguments(arguments: tuple[Argument, ...], names: dict[int, str]) -> tuple[Argument, ...]:
    """Arguments of which some are variables of the literal before."""
    return tuple(Argument(NAMED, names[at]) if at in names else one for at, one in enumerate(arguments))
