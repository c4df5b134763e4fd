"""Rows that make the body of a rule true."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from petree.relational.comparisons import ComparisonRule
from petree.relational.links import TooManyRowsError
from petree.relational.prolog.rules.facts import Rows, Symbols, arguments_of, distinct, predicate_of
from petree.relational.prolog.rules.joins import MODEL, Bindings, either, join
from petree.relational.prolog.syntax.clauses import Clause
from petree.relational.prolog.syntax.terms import Operation, Parsed, as_constant, chained
from petree.relational.queries.terms import Constant, Predicate, Variable

# Rows that a rule may make on the way: so many, or so many for each fact of the program, whichever is more.
MOST_ROWS = 5_000_000
MOST_ROWS_OF_A_FACT = 200

COMPARISONS = {
    "<": np.less,
    ">": np.greater,
    "=<": np.less_equal,
    ">=": np.greater_equal,
    "=:=": np.equal,
    "=\\=": np.not_equal,
}
EQUALITIES = {"=": True, "==": True, "\\=": False, "\\==": False}


@dataclass(eq=False)
class Knowledge:
    """What is known so far: rows by predicate, predicates that only compare, and how many rows a rule may make."""

    symbols: Symbols
    models: NDArray[np.int32]
    most_rows: int = MOST_ROWS
    rows: dict[Predicate, Rows] = field(default_factory=dict)
    conditions: dict[Predicate, ComparisonRule] = field(default_factory=dict)


@dataclass(eq=False)
class Solver:
    """Solves the body of one clause, part by part from the left; `rows_left` is how many rows it may still make."""

    knowledge: Knowledge
    clause: Clause
    rows_left: int = field(init=False)

    def __post_init__(self) -> None:
        self.rows_left = self.knowledge.most_rows

    def rows(self) -> Rows:
        """The rows that the clause gives for its head."""
        body = self.clause.body
        bindings = Bindings() if body is None else self.solve(body, Bindings())
        columns = [self.codes(argument, bindings) for argument in arguments_of(self.clause.head)]
        of_models = MODEL in bindings.columns
        if of_models:
            columns.insert(0, bindings.columns[MODEL])
        codes = np.stack(columns, axis=1) if columns else np.empty((bindings.n_rows, 0), np.int32)
        return Rows(distinct(codes), of_models)

    def solve(self, term: Parsed, bindings: Bindings) -> Bindings:
        """Return the bindings that satisfy a part of the body: facts and comparisons joined by , and ;"""
        match term:
            case Operation(",", (_, _)):
                for part in chained(term):
                    bindings = self.solve(part, bindings)
                return bindings
            case Operation(";", (_, _)):
                return self.either([self.solve(part, bindings) for part in chained(term, ";")])
            case Operation(operator, (left, right)) if operator in EQUALITIES:
                return self.equate(operator, left, right, bindings)
            case Operation(operator, (left, right)) if operator in COMPARISONS:
                compared = COMPARISONS[operator](self.numbers(left, bindings), self.numbers(right, bindings))
                return bindings.take(np.broadcast_to(compared, bindings.n_rows))
            case Operation(operator, _):
                raise self.error(f"{operator} is not supported in rules; write the facts that the rule would give")
        return self.call(term, bindings)

    def call(self, term: Parsed, bindings: Bindings) -> Bindings:
        """Rows of a predicate that fit; those of a comparison where it stands for one."""
        if term == Constant("true"):
            return bindings
        if term in (Constant("fail"), Constant("false")):
            return bindings.take(np.zeros(bindings.n_rows, bool))
        predicate = predicate_of(term, self.clause)
        arguments = arguments_of(term)
        if (condition := self.knowledge.conditions.get(predicate)) is not None:
            return self.solve(Operation(condition.comparison.operator, condition.sides(arguments)), bindings)
        terms = [one if isinstance(one, Variable) else self.code(one) for one in arguments]
        try:
            joined = join(bindings, self.knowledge.rows[predicate], terms, self.rows_left)
        except TooManyRowsError as error:
            raise self.too_many(error.n_rows) from None
        self.make(joined.n_rows)
        return joined

    def either(self, parts: list[Bindings]) -> Bindings:
        """The bindings of all parts of a disjunction."""
        in_models = any(MODEL in part.columns for part in parts)
        self.make(sum(self.n_rows(part, in_models) for part in parts))
        return either(parts, self.knowledge.models)

    def n_rows(self, bindings: Bindings, in_models: bool) -> int:
        """How many rows bindings have, each in every model where it has none yet and should."""
        return bindings.n_rows * (len(self.knowledge.models) if in_models and MODEL not in bindings.columns else 1)

    def make(self, n_rows: int) -> None:
        """Note rows that are made, and refuse them where there are too many."""
        if n_rows > self.rows_left:
            raise self.too_many(n_rows)
        self.rows_left -= n_rows

    def too_many(self, n_rows: int) -> ValueError:
        return self.error(
            f"this rule of {predicate_of(self.clause.head, self.clause)} makes {n_rows} more rows, but a rule may make "
            f"{MOST_ROWS}, or {MOST_ROWS_OF_A_FACT} a fact; let its goals share variables, or write facts instead"
        )

    def equate(self, operator: str, left: Parsed, right: Parsed, bindings: Bindings) -> Bindings:
        """Compare two values, or give a variable that has none the value of the other side."""
        for one, other in ((left, right), (right, left)):
            if operator == "=" and isinstance(one, Variable) and one not in bindings.columns:
                return bindings if one.is_anonymous else bindings.bind(one, self.codes(other, bindings))
        is_equal = self.codes(left, bindings) == self.codes(right, bindings)
        return bindings.take(is_equal == EQUALITIES[operator])

    def codes(self, term: Parsed, bindings: Bindings) -> NDArray[np.int32]:
        """Codes of a value in every row."""
        if not isinstance(term, Variable):
            return np.full(bindings.n_rows, self.code(term), np.int32)
        if term not in bindings.columns:
            raise self.error(f"{term} has no value here; let a fact or = give it one before, in every part of a ;")
        return bindings.columns[term]

    def code(self, term: Parsed) -> int:
        constant = as_constant(term)
        if constant is None:
            raise self.error(
                f"{term} is no name, number or variable; lists, compounds and arithmetic are not supported"
            )
        return int(self.knowledge.symbols.encode([constant.value])[0])

    def numbers(self, term: Parsed, bindings: Bindings) -> NDArray[np.float64]:
        """Return the number that a variable or a constant stands for in every row."""
        codes = self.codes(term, bindings)
        numbers = self.knowledge.symbols.numbers[codes]
        if np.isnan(numbers).any():
            name = self.knowledge.symbols.values[codes[np.isnan(numbers)][0]]
            raise self.error(f"{term} can be {name!r}, which is no number; compare names with == and \\==")
        return numbers

    def error(self, problem: str) -> ValueError:
        return ValueError(f"{self.clause.where}: {problem}.")
