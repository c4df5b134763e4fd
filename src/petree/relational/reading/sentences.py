"""Tests of a tree as sentences about rows of tables.

A row that a test finds is named by the variable that stands for its key: "some atom (B) of the molecule has charge <
-0.2". Below the branch where that succeeds, "that atom (B)" is one that was found so. Facts of Prolog programs, which
have no keys and links, stay in Prolog's notation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from petree.relational.queries.scope import Place, Scope, Step, arguments_of
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
from petree.relational.reading.chain_words import rows_behind
from petree.relational.reading.phrases import (
    ALWAYS_DEFINED,
    FUNCTIONS,
    RowPhrase,
    fixed_columns,
    label,
    that,
    value_text,
)
from petree.relational.reading.row_words import RowWords
from petree.relational.relations import Relation
from petree.words import named, visible

OPERATORS = {"\\=": "!=", "=<": "<="}
# How phrases about rows begin, and how they do where there is no such row.
NEGATIONS = {
    "there is some ": "there is no ",
    "there are some ": "there are no ",
    "some ": "no ",
    "that ": "no such ",
    "those ": "no such ",
}
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


def asks_for_value(literal: Comparison | Aggregation) -> bool:
    """Whether it is compared with itself what is missing or has a value: only a value is equal to itself."""
    return isinstance(literal, Comparison) and (literal.left, "=", 0) == (literal.right, literal.operator, literal.less)


class SentenceWriter(RowWords):
    """Collects what a test says, row by row; the first `n_known` rows were known before: all, unless told."""

    def __init__(self, scope: Scope, literals: Sequence[Literal], n_known: int | None = None) -> None:
        super().__init__(scope, len(scope.relations) if n_known is None else n_known)
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
        for word, no in NEGATIONS.items():
            if failed.startswith(word):
                return Sentence(success, no + failed.removeprefix(word))
        return Sentence(success, f"not: {failed}")

    def _opposite(self) -> str | None:
        """A single comparison the other way round, where that is all that its failure says."""
        last = self.literals[-1]
        if isinstance(last, Atom) or (last.operator not in OPPOSITES and not asks_for_value(last)):
            return None
        if isinstance(last, Comparison) and asks_for_value(last):
            return self._of_own_row(f"no {named(self.scope.column_of(last.left).name)}")
        opposite = replace(last, operator=OPPOSITES[last.operator])
        if isinstance(opposite, Aggregation):
            if len(self.literals) > 1 or not self._is_of_example(opposite):
                return None
            return self._aggregation(opposite) + ("" if opposite.function in ALWAYS_DEFINED else " or there is none")
        if isinstance(opposite.right, Variable):
            return None
        return self._of_own_row(f"{self._compared(opposite)} or none")

    def _of_own_row(self, has: str) -> str | None:
        """What the only row has that is told of, where it is the example's own or one that this points to."""
        told = {row: phrase for row, phrase in self.phrases.items() if not phrase.is_empty}
        row, phrase = next(iter(told.items()))
        is_one = phrase.noun.startswith("the ") and len(phrase.properties) == 1 and not phrase.names
        in_time = "" if row == 0 else self.in_time(self.scope.relation(row))
        if len(told) > 1 or self.functions or not is_one or in_time:
            return None
        return f"{phrase.noun}{phrase.link} {phrase.verb} {has}"

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
                phrase.names.append(f"{named(relation.columns[column].name)} {term}")

    def _known_row(self, row: int) -> RowPhrase:
        return RowPhrase(self.noun(row), self.label(row))

    def _new_row(self, relation: Relation, step: Step, after: Scope, row: int) -> RowPhrase:
        name = label(after, row)
        bound = step.equalities
        key = self._pointed_to(relation, {column for _, column in bound})
        in_time = f" with {told}" if (told := self.in_time(relation)) else ""
        if key is None:
            return RowPhrase(f"some {named(relation.called)}", name, self.link(relation, bound) + in_time)
        place = next(place for place, column in bound if column == key[0])
        if place[0] == 0:
            phrase = RowPhrase(f"the {self.pointer(place, relation.name)}", name, f" of {self.subject(0)}{in_time}")
        else:
            phrase = RowPhrase((that if place[0] < self.n_known else named)(relation.called), name, in_time)
        phrase.properties += self._agreeing(relation, [one for one in bound if one[1] not in key], row)
        return phrase

    def _pointed_to(self, relation: Relation, known: set[int]) -> tuple[int, ...] | None:
        """The key by which other rows point to the one that is found; none where it is found by what it points to."""
        own = {relation.places(link.columns) for link in self.scope.database.keys_of(relation.name)}
        return next((key for key in relation.keys if known.issuperset(key) and key not in own), None)

    def _agreeing(self, relation: Relation, bound: list[tuple[Place, int]], row: int) -> list[str]:
        """Columns of a known row that have a value, or the value of another place."""
        found = []
        for place, column in bound:
            name = named(relation.columns[column].name)
            if place != (row, column):
                found.append(f"{name} = {self.described(place)}")
            elif not self._has_value(relation, place):
                found.append(name)
        return found

    def _has_value(self, relation: Relation, place: Place) -> bool:
        """Whether a place is known to have a value: that of a key, or one that another place has as well."""
        is_key = any(place[1] in key for key in relation.keys)
        return is_key or any(place in places and len(places) > 1 for places in self.scope.places.values())

    # -- comparisons ----------------------------------------------------------------------------------------

    def _comparison(self, literal: Comparison) -> None:
        place = self.scope.place_of(literal.left)
        phrase = self.phrases.setdefault(place[0], self._known_row(place[0]))
        phrase.properties.append(self._compared(literal))

    def _compared(self, literal: Comparison) -> str:
        """The column of a row, and what it is compared with."""
        column = self.scope.column_of(literal.left)
        if asks_for_value(literal):
            return named(column.name)
        if isinstance(literal.right, Variable):
            other = self.described(self.scope.place_of(literal.right))
        else:
            other = value_text(literal.right, column, literal.operator)
        return f"{named(column.name)} {OPERATORS.get(literal.operator, literal.operator)} {other}"

    # -- functions over rows --------------------------------------------------------------------------------

    def _aggregation(self, literal: Aggregation) -> str:
        step, _ = self.scope.extend(literal.through).join(literal.atom)
        relation = self.scope.database.relation(literal.atom.relation)
        more = self._which(literal, relation, step)
        rows = rows_behind(self, literal.chain, more)
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
        is_long = literal.function == "proportion" or literal.through or more
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
        return f" in the last {length} up to {self.own_time()}"

    def _which(self, literal: Aggregation, relation: Relation, step: Step) -> str:
        """What the rows of a function have, since when they are known, and what is said of others beside them."""
        window = self._window(literal, relation)
        conditions = literal.conditions[:-2] if window else literal.conditions
        before = self.scope.extend(literal.through)
        row = step.row if step.is_same else len(before.relations)
        writer = SentenceWriter(before.join(literal.atom)[1], conditions, len(before.relations))
        own = writer.phrases.pop(row, RowPhrase(""))
        has = [*fixed_columns(relation, step), *own.properties]
        if not window and not step.is_same and (in_time := self.in_time(relation)):
            has.append(in_time)
        found = f" with {' and '.join(has)}" if has else ""
        others = [phrase.text(is_alone=True) for phrase in writer.phrases.values()]
        if not others:
            return found + window
        names = self._names_inside(literal, relation, conditions)
        told = f", with {' and '.join(names)}" if names else ""
        return f"{found}{window}{told}, for which {' and '.join(others)},"

    def _names_inside(self, literal: Aggregation, relation: Relation, conditions: Sequence[Literal]) -> list[str]:
        """What the columns of a function's rows are called that other rows are told by."""
        used = {one for condition in conditions if isinstance(condition, Atom) for one in condition.variables}
        terms = named_variables(arguments_of(relation, literal.atom))
        return [
            f"{named(relation.columns[column].name)} {term}"
            for column, term in terms
            if term in used and term not in self.scope.places
        ]
