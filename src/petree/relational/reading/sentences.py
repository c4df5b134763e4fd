"""Tests of a tree as sentences about rows of tables.

A row that a test finds is named by the variable that stands for its key: "some atom (B) of the molecule has charge <
-0.2". Below the branch where that succeeds, "that atom (B)" is one that was found so. Facts of Prolog programs, which
have no keys and links, stay in Prolog's notation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from petree.relational.dates import date_text
from petree.relational.queries.scope import EXAMPLE, Place, Scope, Step, arguments_of
from petree.relational.queries.terms import OF_DATES, Aggregation, Atom, Comparison, Constant, Literal, Variable, quoted
from petree.relational.reading.sql_text import equalities
from petree.relational.relations import Relation, RelationColumn
from petree.relational.tables.schema import ForeignKey
from petree.words import plural, visible

OPERATORS = {"\\=": "!=", "=<": "<="}
FUNCTIONS = {
    "count": "the number of {rows}",
    "min": "the least {column} of {rows}",
    "max": "the greatest {column} of {rows}",
    "sum": "the sum of {column} over {rows}",
    "mean": "the mean {column} of {rows}",
    "mode": "the most frequent {column} of {rows}",
    "proportion": "the share of {rows} with {column} = {share}",
}


@dataclass(frozen=True)
class Sentence:
    """What a test says where it holds, and where it does not."""

    success: str
    failure: str


def sentence_of(scope: Scope, literals: Sequence[Literal]) -> Sentence:
    """A test behind the query of a scope, in words."""
    told = _told(scope, literals)
    return Sentence(visible(told.success), visible(told.failure))


def _told(scope: Scope, literals: Sequence[Literal]) -> Sentence:
    if not all(relation.keys for relation in scope.database.relations.values()):
        text = " and ".join(map(str, literals))
        return Sentence(text, f"not: {text}" if len(literals) > 1 else f"no {text}")
    teller = Teller(scope, literals)
    for literal in literals:
        teller.tell(literal)
    return teller.sentence()


@dataclass
class Clause:
    """What is said of one row: of which, how it is told apart, and what it has."""

    noun: str
    name: str = ""
    link: str = ""
    properties: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def text(self, is_named: bool = True, is_alone: bool = False) -> str:
        subject = f"{self.noun}{self.name if is_named else ''}{self.link}"
        has = f" has {' and '.join(self.properties)}" if self.properties else ""
        if is_named and self.names:
            subject += f", with {' and '.join(self.names)}"
            has = f",{has}" if has else ""
        elif not has:
            is_alone = True
        return f"there is {subject}" if is_alone and not has and self.noun.startswith("some ") else subject + has

    @property
    def is_empty(self) -> bool:
        """Whether nothing is said of a row that was known before."""
        return not (self.properties or self.names or self.noun.startswith("some "))


class Teller:
    """Collects what a test says, row by row."""

    def __init__(self, scope: Scope, literals: Sequence[Literal]) -> None:
        self.scope, self.n_known, self.known = scope, len(scope.relations), set(scope.variables)
        self.asked = {one for literal in literals if not isinstance(literal, Atom) for one in literal.variables}
        self.clauses: dict[int, Clause] = {}
        self.functions: list[str] = []

    def sentence(self) -> Sentence:
        """All clauses as one sentence."""
        clauses = [clause for clause in self.clauses.values() if not clause.is_empty] or [*self.clauses.values()]
        is_alone = len(clauses) + len(self.functions) == 1
        texts = [clause.text(is_alone=is_alone) for clause in clauses] + self.functions
        success = texts[0] + (f", where {' and '.join(texts[1:])}" if len(texts) > 1 else "")
        failed = clauses[0].text(is_named=False, is_alone=True) if is_alone and clauses else success
        for word, no in (("there is some ", "there is no "), ("some ", "no "), ("that ", "no such ")):
            if failed.startswith(word):
                return Sentence(success, no + failed.removeprefix(word))
        return Sentence(success, f"not: {failed}")

    def tell(self, literal: Literal) -> None:
        """One literal more."""
        if isinstance(literal, Atom):
            self._atom(literal)
        elif isinstance(literal, Comparison):
            self._comparison(literal)
        else:
            self.functions.append(self._aggregation(literal))

    # -- atoms ----------------------------------------------------------------------------------------------

    def _atom(self, atom: Atom) -> None:
        step, after = self.scope.join(atom)
        before, relation = self.scope, self.scope.database.relation(atom.relation)
        row = step.row if step.is_same else len(before.relations)
        if row not in self.clauses:
            self.clauses[row] = self._known_row(row) if step.is_same else self._new_row(relation, step, after, row)
        clause = self.clauses[row]
        if step.is_same:
            clause.properties += self._agreeing(relation, equalities(step), row)
        self.scope = after
        clause.properties += _fixed(relation, step)
        key = {place for places in relation.keys for place in places}
        for column, term in enumerate(arguments_of(relation, atom)):
            is_new = isinstance(term, Variable) and not term.is_anonymous and term not in before.places
            if is_new and column not in key and term not in self.asked:
                clause.names.append(f"{relation.columns[column].name} {term}")

    def _known_row(self, row: int) -> Clause:
        return Clause(self._noun(row), self._label(row))

    def _new_row(self, relation: Relation, step: Step, after: Scope, row: int) -> Clause:
        name, bound = label(after, row), equalities(step)
        known = {column for _, column in bound}
        key = next((key for key in relation.keys if known.issuperset(key)), None)
        if key is None:
            return Clause(f"some {relation.name}", name, self._link(relation, bound))
        place = next(place for place, column in bound if column == key[0])
        if place[0] == 0:
            clause = Clause(f"the {self._pointer(place, relation.name)}", name, f" of {self._subject(0)}")
        else:
            clause = Clause(f"{'that ' if place[0] < self.n_known else ''}{relation.name}", name)
        clause.properties += self._agreeing(relation, [one for one in bound if one[1] not in key], row)
        return clause

    def _agreeing(self, relation: Relation, bound: list[tuple[Place, int]], row: int) -> list[str]:
        """Columns of a known row that have a value, or the value of another place."""
        key = {column for key in relation.keys for column in key}
        found = []
        for place, column in bound:
            name = relation.columns[column].name
            if place != (row, column):
                found.append(f"{name} = {self._row_at(place) or self._described(place)}")
            elif column not in key:
                found.append(name)
        return found

    def _link(self, relation: Relation, bound: list[tuple[Place, int]]) -> str:
        """Which rows of a relation are meant: those that belong to a row of the query."""
        links, of, told = self._links(relation.name), "", []
        for place, column in bound:
            name = relation.columns[column].name
            link = next((one for one in links if name in one.columns), None)
            is_only = (
                link is not None
                and link.to_table != relation.name
                and [one.to_table for one in links].count(link.to_table) == 1
            )
            owner = self._row_at(place)
            if is_only and owner and not of:
                of = f" of {owner}"
            else:
                told.append(f"{name} is {owner or self._described(place)}")
        return of + (f" whose {' and whose '.join(told)}" if told else "")

    # -- comparisons ----------------------------------------------------------------------------------------

    def _comparison(self, literal: Comparison) -> None:
        place = self.scope.places[literal.left][0]
        right = literal.right
        if isinstance(right, Variable):
            there = self.scope.places[right][0]
            other = self._row_at(there) or self._described(there)
        else:
            column = self.scope.relation(place[0]).columns[place[1]]
            other = _value(right, column, literal.operator)
        operator = OPERATORS.get(literal.operator, literal.operator)
        clause = self.clauses.setdefault(place[0], self._known_row(place[0]))
        clause.properties.append(f"{self._column(place)} {operator} {other}")

    # -- functions over rows --------------------------------------------------------------------------------

    def _aggregation(self, literal: Aggregation) -> str:
        step, _ = self.scope.join(literal.atom)
        relation = self.scope.database.relation(literal.atom.relation)
        bound = equalities(step)
        rows = plural(relation.name) + self._link(relation, bound)
        fixed = _fixed(relation, step)
        rows += f" with {' and '.join(fixed)}" if fixed else ""
        column = None
        if literal.variable is not None:
            terms = arguments_of(relation, literal.atom)
            column = relation.columns[terms.index(literal.variable)]
        share = "" if literal.share is None else _value(literal.share, column)
        name = "" if column is None else column.name
        name += " (days since 1970)" if literal.function == "sum" and column is not None and column.is_date else ""
        text = FUNCTIONS[literal.function].format(rows=rows, column=name, share=share)
        operator = OPERATORS.get(literal.operator, literal.operator)
        value = _value(literal.value, column if literal.function in OF_DATES else None, literal.operator)
        return f"{text} {'is ' if literal.function == 'proportion' else ''}{operator} {value}"

    # -- rows and places ------------------------------------------------------------------------------------

    def _links(self, table: str) -> list[ForeignKey]:
        return [link for link in self.scope.database.foreign_keys if link.table == table]

    def _column(self, place: Place) -> str:
        return self.scope.relation(place[0]).columns[place[1]].name

    def _noun(self, row: int) -> str:
        if row == 0:
            return f"the {self.scope.relations[0]}"
        return f"that {self.scope.relations[row]}" if row < self.n_known else self.scope.relations[row]

    def _label(self, row: int) -> str:
        return "" if row == 0 else label(self.scope, row)

    def _subject(self, row: int) -> str:
        return self._noun(row) + self._label(row)

    def _row_at(self, place: Place) -> str:
        """The row that a value at a place stands for, where it is the whole key of one or points to one."""
        named = [one for one, places in self.scope.places.items() if place in places and one != EXAMPLE]
        for row, column in (place, *(there for one in named for there in self.scope.places[one])):
            if (column,) in self.scope.relation(row).keys:
                return self._subject(row)
        links = self._links(self.scope.relations[place[0]])
        to_table = next((one.to_table for one in links if one.columns == (self._column(place),)), None)
        if to_table is None or not named:
            return ""
        if place[0] == 0:
            return f"the {self._pointer(place, to_table)} of {self._subject(0)}"
        return f"{'that ' if named[0] in self.known else ''}{to_table} ({named[0]})"

    def _pointer(self, place: Place, table: str) -> str:
        """What a row is to the example that points to it: its table, or the column where that would not tell which."""
        links = [link for link in self._links(self.scope.relations[0]) if link.to_table == table]
        return table if len(links) == 1 and table != self.scope.relations[0] else self._column(place)

    def _described(self, place: Place) -> str:
        return f"{self._column(place)} of {self._subject(place[0])}"


def label(scope: Scope, row: int) -> str:
    """The variables that stand for the key of a row, in brackets."""
    for key in scope.relation(row).keys:
        named = [next((one for one, places in scope.places.items() if (row, at) in places), None) for at in key]
        if all(named):
            return f" ({', '.join(str(one) for one in named)})"
    return ""


def _fixed(relation: Relation, step: Step) -> list[str]:
    """The columns that have a value."""
    return [f"{relation.columns[at].name} = {_value(one, relation.columns[at])}" for at, one in step.constants]


def _value(constant: Constant, column: RelationColumn | None, operator: str = "=") -> str:
    """A value as a column shows it that is compared with it."""
    if isinstance(constant.value, str):
        return constant.value
    return date_text(operator, constant.value) if column is not None and column.is_date else quoted(constant.value)
