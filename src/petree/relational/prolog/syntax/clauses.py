"""Prolog text as terms: clauses of files, and the literals of queries.

The subset that data and background knowledge are written in: facts, rules, directives, lists, quoted names, comments,
and the operators of `petree.relational.prolog.syntax.parser`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from petree.relational.prolog.syntax.parser import Compound, Operation, Parsed, Parser, conjuncts
from petree.relational.prolog.syntax.tokens import Text, number, skip_space
from petree.relational.queries.terms import (
    FUNCTIONS,
    OPERATORS,
    Aggregation,
    Atom,
    Comparison,
    Constant,
    Literal,
    Term,
    Variable,
)

PLAIN_ARGUMENT = r"(?:[a-z][A-Za-z0-9_]*|-?[0-9]+(?:\.[0-9]+)?|'[^'\\\n,]*')"
PLAIN_FACT = re.compile(
    rf"([a-z][A-Za-z0-9_]*)\(\s*({PLAIN_ARGUMENT}(?:\s*,\s*{PLAIN_ARGUMENT})*)\s*\)\s*\.(?=\s|%|\Z)"
)


@dataclass(frozen=True)
class Clause:
    """A fact (no body), a rule, or a directive (no head), and where it starts."""

    head: Parsed | None
    body: Parsed | None
    line: int
    source: str

    @property
    def where(self) -> str:
        return f"{self.source}, line {self.line}"


def parse_clauses(text: str, source: str = "text", *, skip_directives: bool = False) -> list[Clause]:
    """All clauses of a text, in order.

    Parameters
    ----------
    text : str
    source : str
        What the text is called in messages: the name of its file.
    skip_directives : bool
        Leave out what starts with ``:-`` without reading it.
    """
    whole, clauses, constants = Text(text, source), [], PlainConstants()
    position, line, counted = skip_space(text, 0), 1, 0
    while position < len(text):
        line, counted = line + text.count("\n", counted, position), position
        if fact := PLAIN_FACT.match(text, position):
            try:
                arguments = tuple([constants[one.strip()] for one in fact[2].split(",")])
            except ValueError as error:
                raise whole.error(position, str(error)) from None
            clauses.append(Clause(Compound(fact[1], arguments), None, line, source))
            position = fact.end()
        else:
            tokens = whole.tokens(position)
            position = tokens[-1].stop
            if not (skip_directives and tokens[0].value == ":-"):
                clauses.append(Clause(*Parser(whole, tokens).clause(), line, source))
        position = skip_space(text, position)
    return clauses


class PlainConstants(dict[str, Constant]):
    """Constants of plain facts by their text, each made once."""

    def __missing__(self, text: str) -> Constant:
        if text[0] == "'":
            self[text] = Constant(text[1:-1])
        else:
            self[text] = Constant(number(text) if text[0] == "-" or text[0].isdigit() else text)
        return self[text]


def parse_literals(text: str, source: str = "query") -> tuple[Literal, ...]:
    """The literals of a conjunction, as `petree.relational.queries.terms.text_of` writes them."""
    if not text.strip():
        return ()
    whole = Text(f"{text} .", source, math.inf)  # thresholds may be large; they are float64 already
    tokens = whole.tokens(0)
    if tokens[-1].stop < len(whole.text):
        raise whole.error(tokens[-1].start, "a query has no full stop inside; put commas between its literals.")
    head, body = Parser(whole, tokens).clause()
    if head is None or body is not None:
        raise whole.error(0, "a query has no ':-'; write its literals alone.")
    return tuple(literal(part, f"{source}: {part}") for part in conjuncts(head))


def literal(term: Parsed, where: str) -> Literal:
    """A term as a literal; `where` says in messages what could not be read."""
    if isinstance(term, Operation) and term.operator in OPERATORS and len(term.arguments) == 2:
        return comparison(term, where)
    if isinstance(term, Constant) and isinstance(term.value, str):
        return Atom(term.value, ())
    if isinstance(term, Compound):
        return Atom(term.name, tuple(simple(argument, where) for argument in term.arguments))
    raise ValueError(f"{where} is no literal; write relation(arguments), or a comparison that starts with a variable.")


def comparison(term: Operation, where: str) -> Comparison | Aggregation:
    """A comparison of a variable, or of a function over the rows that an atom matches."""
    left, right = term.arguments[0], simple(term.arguments[1], where)
    if isinstance(left, Variable):
        return Comparison(left, term.operator, right)
    if not isinstance(left, Compound) or left.name not in FUNCTIONS or isinstance(right, Variable):
        raise ValueError(
            f"{where} is no comparison; put a variable on the left, or one of {', '.join(FUNCTIONS)} of an atom."
        )
    atom = literal(left.arguments[-1], where)
    if not isinstance(atom, Atom) or len(left.arguments) > 2:
        raise ValueError(f"{where} is no aggregate; write {left.name}(variable, relation(arguments)).")
    variable, share = of_what(left.arguments[:-1], where)
    return Aggregation(left.name, variable, atom, term.operator, right, share)


def of_what(arguments: tuple[Parsed, ...], where: str) -> tuple[Variable | None, Constant | None]:
    """The variable of an aggregate, and the value whose share is asked for."""
    what: Parsed | None = arguments[0] if arguments else None
    share: Parsed | None = None
    if isinstance(what, Operation) and what.operator == "=":
        what, share = what.arguments
    if (what is None or isinstance(what, Variable)) and (share is None or isinstance(share, Constant)):
        return what, share
    raise ValueError(f"{where}: an aggregate is of a variable, or of variable = value; {arguments[0]} is neither.")


def simple(term: Parsed, where: str) -> Term:
    """A term that is a variable or a value."""
    if isinstance(term, (Variable, Constant)):
        return term
    raise ValueError(
        f"{where} holds {term}, but arguments are names, numbers or variables; write one column for each part."
    )
