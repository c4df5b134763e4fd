"""Tests of a tree as sentences about rows of tables.

A row that a test finds is named by the variable that stands for its key: "some atom (B) of the molecule has charge <
-0.2". Below the branch where that succeeds, "that atom (B)" is one that was found so. Facts of Prolog programs, which
have no keys and links, stay in Prolog's notation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from petree.relational.queries.scope import EXAMPLE, Place, Scope, Step, arguments_of
from petree.relational.queries.terms import (
    OF_DATES,
    Aggregation,
    Atom,
    Comparison,
    Literal,
    Variable,
    named_variables,
    quoted,
)
from petree.relational.reading.phrases import ALWAYS_DEFINED, FUNCTIONS, RowPhrase, fixed_columns, label, value_text
from petree.relational.reading.timed import time_of
from petree.relational.relations import Relation
from petree.words import named, plural, visible

OPERATORS = {"\\=": "!=", "=<": "<="}
OPPOSITES = {"<": ">=", ">=": "<", ">": "=<", "=<": ">"}


@dataclass(frozen=True)
class Sentence:
    """What a test says where it holds, and where it does not."""

    success: str
    failure: str


def sentence_of(scope: Scope, literals: Sequence[Literal]) -> Sentence:
    """A test behind the query of a scope, in words."""
    if all(relation.keys for relation in scope.database.relations.values()):
        sentence = SentenceWriter(scope, literals).sentence()
    else:
        text = " and ".join(map(str, literals))
        sentence = Sentence(text, f"not: {text}" if len(literals) > 1 else f"no {text}")
    return Sentence(visible(sentence.success), visible(sentence.failure))


class SentenceWriter:
    """Collects what a test says, row by row; the first `n_known` rows were known before: all, unless told."""

    def __init__(self, scope: Scope, literals: Sequence[Literal], n_known: int | None = None) -> None:
        self.scope = scope
        self.n_known = len(scope.relations) if n_known is None else n_known
        self.known = set(scope.variables)
        self.asked = {one for literal in literals if not isinstance(literal, Atom) for one in literal.variables}
        self.phrases: dict[int, RowPhrase] = {}
        self.functions: list[str] = []
        self.literals = tuple(literals)
        for literal in literals:
            self._add(literal)

    def sentence(self) -> Sentence:
        """All phrases as one sentence."""
        phrases = [phrase for phrase in self.phrases.values() if not phrase.is_empty] or [*self.phrases.values()]
        is_alone = len(phrases) + len(self.functions) == 1
        texts = [phrase.text(is_alone=is_alone) for phrase in phrases] + self.functions
        success = texts[0] + (f", where {' and '.join(texts[1:])}" if len(texts) > 1 else "")
        if (failure := self._opposite()) is not None:
            return Sentence(success, failure)
        failed = phrases[0].text(is_named=False, is_alone=True) if is_alone and phrases else success
        for word, no in (("there is some ", "there is no "), ("some ", "no "), ("that ", "no such ")):
            if failed.startswith(word):
                return Sentence(success, no + failed.removeprefix(word))
        return Sentence(success, f"not: {failed}")

    def _opposite(self) -> str | None:
        """A single comparison the other way round, where that is all that its failure says."""
        last = self.literals[-1]
        if isinstance(last, Atom) or last.operator not in OPPOSITES:
            return None
        opposite = replace(last, operator=OPPOSITES[last.operator])
        if isinstance(opposite, Aggregation):
            if len(self.literals) > 1 or not self._is_of_example(opposite):
                return None
            return self._aggregation(opposite) + ("" if opposite.function in ALWAYS_DEFINED else " or there is none")
        told = {row: phrase for row, phrase in self.phrases.items() if not phrase.is_empty}
        row, phrase = next(iter(told.items()))
        is_one = phrase.noun.startswith("the ") and len(phrase.properties) == 1 and not phrase.names
        in_time = "" if row == 0 else self._in_time(self.scope.relation(row))
        if isinstance(opposite.right, Variable) or len(told) > 1 or self.functions or not is_one or in_time:
            return None
        return f"{phrase.noun}{phrase.link} has {self._compared(opposite)} or none"

    def _is_of_example(self, literal: Aggregation) -> bool:
        """Whether the rows of a function are those of the example, and not of one of the rows that a query found."""
        places = [self.scope.places[one] for one in literal.variables if one in self.scope.places]
        return all(any(row == 0 for row, _ in own) for own in places)

    def _add(self, literal: Literal) -> None:
        """One literal more."""
        match literal:
            case Atom():
                self._atom(literal)
            case Comparison():
                self._comparison(literal)
            case Aggregation():
                self.functions.append(self._aggregation(literal))

    # -- atoms ----------------------------------------------------------------------------------------------

    def _atom(self, atom: Atom) -> None:
        step, after = self.scope.join(atom)
        before = self.scope
        relation = before.database.relation(atom.relation)
        row = step.row if step.is_same else len(before.relations)
        if row not in self.phrases:
            self.phrases[row] = self._known_row(row) if step.is_same else self._new_row(relation, step, after, row)
        phrase = self.phrases[row]
        if step.is_same:
            phrase.properties += self._agreeing(relation, step.equalities, row)
        self.scope = after
        phrase.properties += fixed_columns(relation, step)
        key = {place for places in relation.keys for place in places}
        for column, term in named_variables(arguments_of(relation, atom)):
            if term not in before.places and column not in key and term not in self.asked:
                phrase.names.append(f"{relation.columns[column].name} {term}")

    def _known_row(self, row: int) -> RowPhrase:
        return RowPhrase(self._noun(row), self._label(row))

    def _new_row(self, relation: Relation, step: Step, after: Scope, row: int) -> RowPhrase:
        name = label(after, row)
        bound = step.equalities
        known = {column for _, column in bound}
        key = next((key for key in relation.keys if known.issuperset(key)), None)
        in_time = self._in_time(relation)
        if key is None:
            return RowPhrase(f"some {relation.called}", name, self._link(relation, bound) + in_time)
        place = next(place for place, column in bound if column == key[0])
        if place[0] == 0:
            phrase = RowPhrase(f"the {self._pointer(place, relation.name)}", name, f" of {self._subject(0)}{in_time}")
        else:
            phrase = RowPhrase(f"{'that ' if place[0] < self.n_known else ''}{relation.called}", name, in_time)
        phrase.properties += self._agreeing(relation, [one for one in bound if one[1] not in key], row)
        return phrase

    def _agreeing(self, relation: Relation, bound: list[tuple[Place, int]], row: int) -> list[str]:
        """Columns of a known row that have a value, or the value of another place."""
        key = {column for key in relation.keys for column in key}
        found = []
        for place, column in bound:
            name = relation.columns[column].name
            if place != (row, column):
                found.append(f"{name} = {self._described(place)}")
            elif column not in key:
                found.append(name)
        return found

    def _link(self, relation: Relation, bound: list[tuple[Place, int]]) -> str:
        """Which rows of a relation are meant: those that belong to a row of the query."""
        of = ""
        told = []
        for place, column in bound:
            name = relation.columns[column].name
            owner = self._row_at(place)
            is_either = relation.both_ways is not None and name in relation.both_ways[1:]
            if owner and not of and (is_either or self._is_only_link(relation.name, name)):
                of = f" of {owner}"
            else:
                told.append(f"{name} is {self._described(place)}")
        return of + (f" whose {' and whose '.join(told)}" if told else "")

    def _in_time(self, relation: Relation) -> str:
        """That rows of a later time than the example's are not meant, where both have one."""
        place = time_of(self.scope, relation.name)
        target = self.scope.relation(0)
        if place is None or target.time is None:
            return ""
        since = named(relation.columns[place].name)
        return f" with {since} <= {named(target.columns[target.time].name)} of the {target.name}"

    def _is_only_link(self, table: str, column: str) -> bool:
        """Whether the link of a column is the only one between two tables."""
        links = self.scope.database.keys_of(table)
        to_table = next((one.to_table for one in links if column in one.columns), table)
        return to_table != table and [one.to_table for one in links].count(to_table) == 1

    # -- comparisons ----------------------------------------------------------------------------------------

    def _comparison(self, literal: Comparison) -> None:
        place = self.scope.place_of(literal.left)
        phrase = self.phrases.setdefault(place[0], self._known_row(place[0]))
        phrase.properties.append(self._compared(literal))

    def _compared(self, literal: Comparison) -> str:
        """The column of a row, and what it is compared with."""
        column = self.scope.column_of(literal.left)
        if isinstance(literal.right, Variable):
            other = self._described(self.scope.place_of(literal.right))
        else:
            other = value_text(literal.right, column, literal.operator)
        return f"{named(column.name)} {OPERATORS.get(literal.operator, literal.operator)} {other}"

    # -- functions over rows --------------------------------------------------------------------------------

    def _aggregation(self, literal: Aggregation) -> str:
        step, _ = self.scope.join(literal.atom)
        relation = self.scope.database.relation(literal.atom.relation)
        rows = plural(relation.called) + self._link(relation, step.equalities)
        window = self._window(literal, relation)
        rows += window or ("" if step.is_same else self._in_time(relation))
        rows += self._inside(
            replace(literal, conditions=literal.conditions[:-2]) if window else literal, relation, step
        )
        column = None
        if literal.variable is not None:
            terms = arguments_of(relation, literal.atom)
            column = relation.columns[terms.index(literal.variable)]
        share = "" if literal.share is None else value_text(literal.share, column)
        name = "" if column is None else named(column.name)
        name += " (days since 1970)" if literal.function == "sum" and column is not None and column.is_date else ""
        text = FUNCTIONS[literal.function].format(rows=rows, column=name, share=share)
        operator = OPERATORS.get(literal.operator, literal.operator)
        value = value_text(literal.value, column if literal.function in OF_DATES else None, literal.operator)
        is_long = literal.function == "proportion" or literal.conditions
        return f"{text} {'is ' if is_long else ''}{operator} {value}"

    def _window(self, literal: Aggregation, relation: Relation) -> str:
        """The time before that of the example that rows of a function are from, where the last conditions say so."""
        target = self.scope.relation(0)
        if len(literal.conditions) < 2 or relation.time is None or target.time is None:
            return ""
        own, last = literal.conditions[-2:]
        if not isinstance(own, Atom) or not isinstance(last, Comparison) or own.relation != target.name:
            return ""
        times = (literal.atom.arguments[relation.time], ">", own.arguments[target.time])
        if (last.left, last.operator, last.right) != times or not last.less:
            return ""
        length = quoted(last.less) + (" days" if relation.columns[relation.time].is_date else "")
        return f" in the last {length} up to {named(target.columns[target.time].name)} of the {target.name}"

    def _inside(self, literal: Aggregation, relation: Relation, step: Step) -> str:
        """What the rows of a function have, and what is said of others beside them."""
        after = self.scope.join(literal.atom)[1]
        row = step.row if step.is_same else len(self.scope.relations)
        writer = SentenceWriter(after, literal.conditions, len(self.scope.relations))
        own = writer.phrases.pop(row, RowPhrase(""))
        has = [*fixed_columns(relation, step), *own.properties]
        others = [phrase.text(is_alone=True) for phrase in writer.phrases.values()]
        found = f" with {' and '.join(has)}" if has else ""
        return found + (f", for which {' and '.join(others)}," if others else "")

    # -- rows and places ------------------------------------------------------------------------------------

    def _noun(self, row: int) -> str:
        if row == 0:
            return f"the {self.scope.relations[0]}"
        called = self.scope.relation(row).called
        return f"that {called}" if row < self.n_known else called

    def _label(self, row: int) -> str:
        return "" if row == 0 else label(self.scope, row)

    def _subject(self, row: int) -> str:
        return self._noun(row) + self._label(row)

    def _row_at(self, place: Place) -> str:
        """The row that a value at a place stands for, where it is the whole key of one or points to one."""
        variables = [one for one, places in self.scope.places.items() if place in places and one != EXAMPLE]
        for row, column in (place, *(there for one in variables for there in self.scope.places[one])):
            if (column,) in self.scope.relation(row).keys:
                return self._subject(row)
        links = self.scope.database.keys_of(self.scope.relations[place[0]])
        name = self.scope.column_at(place).name
        to_table = next((one.to_table for one in links if one.columns == (name,)), None)
        if to_table is None or not variables:
            return ""
        if place[0] == 0:
            return f"the {self._pointer(place, to_table)} of {self._subject(0)}"
        return f"{'that ' if variables[0] in self.known else ''}{to_table} ({variables[0]})"

    def _pointer(self, place: Place, table: str) -> str:
        """What a row is to the example that points to it: its table, or the column where that would not tell which."""
        target = self.scope.relations[0]
        links = [link for link in self.scope.database.keys_of(target) if link.to_table == table]
        return table if len(links) == 1 and table != target else self.scope.column_at(place).name

    def _described(self, place: Place) -> str:
        """The row that a value stands for, or else its column and row."""
        return self._row_at(place) or f"{self.scope.column_at(place).name} of {self._subject(place[0])}"
