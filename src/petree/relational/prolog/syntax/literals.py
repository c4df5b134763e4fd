"""Literals of queries from Prolog text."""

from __future__ import annotations

import math
from functools import lru_cache

from petree.relational.prolog.syntax.parser import Parser
from petree.relational.prolog.syntax.terms import Compound, Operation, Parsed, chained
from petree.relational.prolog.syntax.tokens import Text
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

# Stands where a literal should be.
ANY_NAME = Constant("_")
# Texts whose literals are kept: a fit sends examples down several trees with the same tests, each more than once.
MOST_TEXTS = 10_000


@lru_cache(MOST_TEXTS)
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
    return tuple(literal(part, f"{source}: {part}") for part in chained(head))


def literal(term: Parsed, where: str) -> Literal:
    """A term as a literal; `where` says in messages what could not be read."""
    match term:
        case Operation(operator, (_, _)) if operator in OPERATORS:
            return comparison(term, where)
        case Constant(str(name)):
            return Atom(name, ())
        case Compound():
            return Atom(term.name, tuple(simple(argument, where) for argument in term.arguments))
    raise ValueError(f"{where} is no literal; write relation(arguments), or a comparison that starts with a variable.")


def comparison(term: Operation, where: str) -> Comparison | Aggregation:
    """A comparison of a variable, or of a function over the rows that an atom matches."""
    left, other = term.arguments
    match other:
        case Operation("-", (Variable(), Constant(float() | int() as less))) if isinstance(left, Variable) and less:
            return Comparison(left, term.operator, simple(other.arguments[0], where), less)
    right = simple(other, where)
    if isinstance(left, Variable):
        return Comparison(left, term.operator, right)
    if not isinstance(left, Compound) or left.name not in FUNCTIONS or isinstance(right, Variable):
        raise ValueError(
            f"{where} is no comparison; put a variable on the left, or one of {', '.join(FUNCTIONS)} of an atom."
        )
    n_before = 0 if is_atom(left.arguments[0]) else 1
    rows, *others = left.arguments[n_before:] or [ANY_NAME]
    chain = [literal(one, where) for one in chained(rows)]
    atoms = tuple(one for one in chain if isinstance(one, Atom))
    conditions = [literal(one, where) for one in others]
    inside = tuple(one for one in conditions if not isinstance(one, Aggregation))
    if rows is ANY_NAME or len(atoms) < len(chain) or len(inside) < len(conditions):
        raise ValueError(f"{where} is no aggregate; write {left.name}(variable, relation(arguments), condition).")
    variable, share = of_what(left.arguments[:n_before], where)
    return Aggregation(left.name, variable, atoms[-1], term.operator, right, share, inside, atoms[:-1])


def is_atom(term: Parsed) -> bool:
    """Whether a term may be an atom, or several with commas between."""
    first = chained(term)[0]
    return isinstance(first, Compound) or (isinstance(first, Constant) and isinstance(first.value, str))


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
