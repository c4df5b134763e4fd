"""Queries over lists of facts by plain backtracking: no arrays, no indexes, one example at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from petree.relational.queries.terms import Aggregation, Atom, Comparison, Constant, Literal, Term, Variable

# What the variables of a query stand for, by their names; None where a value is missing.
Values = dict[str, Any]
Row = tuple[Any, ...]


@dataclass(frozen=True)
class Facts:
    """Rows of every relation, None where a value is missing or points nowhere.

    Parameters
    ----------
    rows : dict
        Lists of tuples by the name of the relation.
    target : str
        The relation of the examples.
    named : dict
        Variables of the empty query, and the columns of the example's row that they stand for.
    of_examples : frozenset of str
        Relations whose rows start with the example that they belong to, which queries do not write.
    times : dict
        The column of a relation that says since when a row is known.
    """

    rows: dict[str, list[Row]]
    target: str
    named: dict[str, int]
    of_examples: frozenset[str] = frozenset()
    times: dict[str, int] = field(default_factory=dict)

    def without(self, column: int) -> Facts:
        """The same without a column of the examples' own relation, such as the class."""
        rows = {**self.rows, self.target: [(*row[:column], *row[column + 1 :]) for row in self.rows[self.target]]}
        named = {name: place - (place > column) for name, place in self.named.items()}
        times = dict(self.times)
        if self.target in times:
            times[self.target] -= times[self.target] > column
        return replace(self, rows=rows, named=named, times=times)

    def start(self, example: int) -> Values:
        """What the empty query knows of an example."""
        return {name: self.rows[self.target][example][column] for name, column in self.named.items()}

    def visible(self, relation: str, example: int) -> Iterator[Row]:
        """The arguments of the rows that an example may see."""
        own = self.rows[self.target][example]
        for place, row in enumerate(self.rows[relation]):
            is_own = relation == self.target and place == example
            if not is_own and self.is_late(relation, row, own):
                continue
            if relation not in self.of_examples:
                yield row
            elif row[0] == own[0]:
                yield row[1:]

    def is_late(self, relation: str, row: Row, own: Row) -> bool:
        """Whether a row was not known at the time of the example."""
        if relation not in self.times or self.target not in self.times:
            return False
        since, until = row[self.times[relation]], own[self.times[self.target]]
        return since is None or until is None or since > until


def answers(facts: Facts, example: int, literals: Sequence[Literal], known: Values | None = None) -> Iterator[Values]:
    """All ways to make a conjunction true."""
    known = facts.start(example) if known is None else known
    if not literals:
        yield known
        return
    for found in solutions(facts, example, literals[0], known):
        yield from answers(facts, example, literals[1:], found)


def covers(facts: Facts, example: int, literals: Sequence[Literal]) -> bool:
    """Whether there is an answer."""
    return next(answers(facts, example, literals), None) is not None


def solutions(facts: Facts, example: int, literal: Literal, known: Values) -> Iterator[Values]:
    """All ways to make one literal true, given what is known."""
    if isinstance(literal, Atom):
        for row in facts.visible(literal.relation, example):
            found = match(literal.arguments, row, known)
            if found is not None:
                yield found
    elif isinstance(literal, Comparison):
        if compare(known[literal.left.name], literal.operator, less(value_of(literal.right, known), literal.less)):
            yield known
    elif compare(aggregate(facts, example, literal, known), literal.operator, literal.value.value):
        yield known


def match(arguments: Sequence[Term], row: Row, known: Values) -> Values | None:
    """What is known once a row fits an atom; a missing value fits nothing but a new variable."""
    found = dict(known)
    for term, value in zip(arguments, row, strict=True):
        if isinstance(term, Variable) and (term.is_anonymous or term.name not in found):
            if not term.is_anonymous:
                found[term.name] = value
        elif value is None or value != value_of(term, found):
            return None
    return found


def value_of(term: Term, known: Values) -> Any:
    return term.value if isinstance(term, Constant) else known[term.name]


def less(value: Any, number: float) -> Any:
    """A value less a number, which may be missing."""
    return value - number if number and value is not None else value


def compare(left: Any, operator: str, right: Any) -> bool:
    """Whether a comparison holds; it does not of what is missing or undefined."""
    if left is None or right is None:
        return False
    if operator in ("=", "\\="):
        return bool((left == right) == (operator == "="))
    return bool({"<": left < right, ">": left > right, "=<": left <= right, ">=": left >= right}[operator])


def aggregate(facts: Facts, example: int, literal: Aggregation, known: Values) -> Any:
    """The function of an aggregation, None where it is undefined."""
    rows = list(answers(facts, example, literal.chain, known))
    rows = [row for row in rows if next(answers(facts, example, literal.conditions, row), None) is not None]
    if literal.function == "count":
        return len(rows)
    assert literal.variable is not None
    values = [row[literal.variable.name] for row in rows if row[literal.variable.name] is not None]
    if literal.function == "sum":
        return sum(values)
    return FUNCTIONS[literal.function](values, literal.share) if values else None


def mode(values: list[Any]) -> Any:
    times = Counter(values)
    return min(times, key=lambda value: (-times[value], value))


FUNCTIONS = {
    "min": lambda values, _: min(values),
    "max": lambda values, _: max(values),
    "mean": lambda values, _: sum(values) / len(values),
    "mode": lambda values, _: mode(values),
    "proportion": lambda values, share: values.count(share.value) / len(values),
}
