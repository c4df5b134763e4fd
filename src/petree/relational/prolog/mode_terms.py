"""Modes and lookaheads as they are written in settings."""

from __future__ import annotations

from petree.relational.bias.modes import CONSTANT, EITHER, IGNORED, INPUT, NAMED, OUTPUT, Argument, Lookahead, Mode
from petree.relational.prolog.syntax.literals import literal
from petree.relational.prolog.syntax.terms import Compound, ListTerm, Operation, Parsed, as_constant, chained
from petree.relational.queries.terms import Atom, Constant, Variable

SIGNS = (INPUT, OUTPUT, EITHER)


def mode_of(term: Parsed, where: str, named: tuple[str, ...] = ()) -> Mode:
    """``literal`` or ``most_uses: literal``; the literal may be ``(literal, Variable < #)``.

    Variables without a sign must be among those that are `named` already.
    """
    most_uses: int | None = None
    if isinstance(term, Operation) and term.operator == ":" and isinstance(term.arguments[0], Constant):
        most_uses = uses_of(term.arguments[0], where)
        term = term.arguments[1]
    parts = chained(term)
    relation, terms = callable_of(parts[0], where)
    arguments = tuple(argument_of(one, where, named) for one in terms)
    return Mode(relation, arguments, most_uses, compared_place(parts[1:], arguments, where))


def uses_of(number: Constant, where: str) -> int:
    """How often a mode may be used."""
    try:
        return int(number.value)
    except ValueError:
        raise ValueError(f"{where}: {number} does not say how often a mode may be used; write a number.") from None


def callable_of(term: Parsed, where: str) -> tuple[str, tuple[Parsed, ...]]:
    """Name and arguments of a literal in a declaration."""
    match term:
        case Compound():
            return term.name, term.arguments
        case Constant(str(name)):
            return name, ()
    raise ValueError(f"{where}: {term} is no literal that a mode can declare; write relation(arguments).")


def compared_place(parts: list[Parsed], arguments: tuple[Argument, ...], where: str) -> int | None:
    """The argument that ``Variable < #`` compares with thresholds."""
    names = [argument.name for argument in arguments]
    match parts:
        case []:
            return None
        case [Operation("<", (variable, Constant("#")))] if str(variable) in names:
            return names.index(str(variable))
    raise ValueError(f"{where}: a mode has one literal, or (literal, Variable < #); write lookaheads for more.")


def argument_of(term: Parsed, where: str, named: tuple[str, ...]) -> Argument:
    """What may stand at a place: ``+X``, ``-X``, ``+-X``, ``#``, ``#[a, b]``, a value, ``_``, or a named variable."""
    match term:
        case Variable("_"):
            return Argument(IGNORED)
        case Variable(name) if name in named:
            return Argument(NAMED, name)
        case Variable():
            raise ValueError(f"{where}: {term} has no sign; write +{term}, -{term} or +-{term}.")
        case Constant("#"):
            return Argument(CONSTANT)
        case Constant(sign) if sign in SIGNS:
            return Argument(str(sign))
        case Constant():
            return Argument(CONSTANT, constants=(term,))
        case Operation("#", (inside,)):
            return Argument(CONSTANT, constants=constants_of(inside, where))
        case Operation(sign, (Variable() | Constant() as inside,)) if sign in SIGNS:
            return Argument(sign, str(inside))
    raise ValueError(f"{where}: {term} says nothing of an argument; write +X, -X, +-X, #, #[values], _ or a value.")


def constants_of(term: Parsed, where: str) -> tuple[Constant, ...] | None:
    """The constants to try; None after a type or a variable, which list none."""
    if not isinstance(term, ListTerm):
        return None
    constants = []
    for item in term.items:
        constant = as_constant(item)
        if constant is None:
            raise ValueError(f"{where}: {item} is no constant; list names and numbers after #.")
        constants.append(constant)
    return tuple(constants)


def read_lookahead(arguments: tuple[Parsed, ...], where: str) -> Lookahead:
    """``lookahead(literal, mode)``; the mode names variables of the literal."""
    if len(arguments) != 2:
        raise ValueError(f"{where}: a lookahead has two arguments; write lookahead(literal, literal).")
    first = literal(arguments[0], where)
    if not isinstance(first, Atom):
        raise ValueError(f"{where}: a lookahead starts with {first}, which is no literal of a relation; write one.")
    return Lookahead(first, mode_of(arguments[1], where, tuple(one.name for one in first.variables)))
