"""Mode files of Aleph and Popper."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from petree.relational.bias.modes import CONSTANT, EITHER, INPUT, Argument, Bias, Mode
from petree.relational.prolog.rules.facts import arguments_of, predicate_of
from petree.relational.prolog.syntax.clauses import Clause, read_clauses
from petree.relational.prolog.syntax.terms import Compound, Operation, Parsed, chained
from petree.relational.queries.terms import Constant, Predicate

TypesOfModes = dict[Predicate, tuple[str | None, ...]]

# An output of Aleph and Popper may also be a variable that is there already.
ALEPH_KINDS = {"+": INPUT, "-": EITHER, "#": CONSTANT}
POPPER_KINDS = {"in": INPUT, "out": EITHER}
MOST_ARGUMENTS = 1000


def read_modes(path: str | Path) -> tuple[Bias, TypesOfModes]:
    """Modes and types from a file of Aleph, or of Popper, which says ``body_pred`` where that has directives."""
    heads = (one.head for one in read_clauses(path, skip_directives=True) if one.head is not None)
    is_popper = any(isinstance(one, Compound) and one.name == "body_pred" for one in heads)
    return read_popper_bias(path) if is_popper else read_aleph_modes(path)


def read_aleph_modes(path: str | Path) -> tuple[Bias, TypesOfModes]:
    """Modes and types from the ``modeh``, ``modeb`` and ``determination`` directives of a file; all else is ignored.

    The recall of a mode bounds answers, which trees never enumerate, and so it bounds nothing here. Where there are
    determinations only predicates that they name are used.
    """
    modes: list[Mode] = []
    types: TypesOfModes = {}
    determined: set[Predicate] = set()
    for clause in read_clauses(path):
        name = predicate_of(clause.body, clause).name if clause.head is None else ""
        if name in ("modeh", "modeb"):
            predicate, terms = declared(arguments_of(clause.body), clause)
            signs = [aleph_argument(term, clause) for term in terms]
            types[predicate] = tuple(type_name for _, type_name in signs)
            if name == "modeb":
                modes.append(Mode(predicate[0], tuple(Argument(kind, one.capitalize()) for kind, one in signs)))
        elif name == "determination":
            determined.add(determination(arguments_of(clause.body), clause))
    used = [mode for mode in modes if not determined or mode.predicate in determined]
    return Bias(checked(used, path)), types


def read_popper_bias(path: str | Path) -> tuple[Bias, TypesOfModes]:
    """Modes and types from ``body_pred``, ``head_pred``, ``type`` and ``direction``; all else is ignored.

    Where no direction is given an argument may be any variable.
    """
    body: list[Predicate] = []
    declared: dict[str, dict[str, list[str]]] = {"type": {}, "direction": {}}
    for clause in read_clauses(path, skip_directives=True):
        name = predicate_of(clause.head, clause).name
        arguments = arguments_of(clause.head)
        if name == "body_pred" and len(arguments) == 2:
            body.append(named(arguments, clause))
        elif name in declared and len(arguments) == 2:
            declared[name][str(arguments[0])] = [str(part) for part in chained(arguments[1])]
    types: TypesOfModes = {Predicate(name, len(names)): tuple(names) for name, names in declared["type"].items()}
    modes = [popper_mode(predicate, declared["direction"], types, path) for predicate in body]
    return Bias(checked(modes, path)), types


def declared(arguments: Sequence[Parsed], clause: Clause) -> tuple[Predicate, tuple[Parsed, ...]]:
    """``modeb(recall, p(arguments))``, or ``modeb(recall, p, (arguments))``: the predicate and its arguments."""
    if len(arguments) == 3:
        terms = tuple(chained(arguments[2]))
        return Predicate(str(arguments[1]), len(terms)), terms
    if len(arguments) != 2:
        raise ValueError(f"{clause.where}: a mode has a recall and a literal; write modeb(*, predicate(+type, -type)).")
    return predicate_of(arguments[1], clause), arguments_of(arguments[1])


def aleph_argument(term: Parsed, clause: Clause) -> tuple[str, str]:
    """The kind and the type of ``+type``, ``-type`` or ``#type``."""
    match term:
        case Operation(sign, (inside,)) if sign in ALEPH_KINDS:
            return ALEPH_KINDS[sign], str(inside)
    raise ValueError(f"{clause.where}: {term} says nothing of an argument; write +type, -type or #type.")


def determination(arguments: Sequence[Parsed], clause: Clause) -> Predicate:
    """The second predicate of ``determination(p/n, q/m)``, or of ``determination(p/n, q, m)``."""
    match arguments:
        case (_, Operation("/", parts)):
            return named(parts, clause)
    return named(arguments[1:], clause)


def named(parts: Sequence[Parsed], clause: Clause) -> Predicate:
    """A predicate from its name and its number of arguments."""
    match parts:
        case (name, Constant(int(arity))):
            if not 0 <= arity <= MOST_ARGUMENTS:
                raise ValueError(f"{clause.where}: a predicate has 0 to {MOST_ARGUMENTS} arguments, not {arity}.")
            return Predicate(str(name), arity)
    raise ValueError(f"{clause.where}: a predicate is named by its name and number of arguments; write name/number.")


def popper_mode(predicate: Predicate, directions: dict[str, list[str]], types: TypesOfModes, path: str | Path) -> Mode:
    """The mode of a predicate, with the directions of its arguments."""
    name, arity = predicate
    signs = directions.get(name, ["out"] * arity)
    if len(signs) != arity or not set(signs) <= set(POPPER_KINDS):
        raise ValueError(f"{path}: direction({name}, ...) must say in or out for each of {arity} arguments.")
    names = types.get(predicate, ("variable",) * arity)
    arguments = (Argument(POPPER_KINDS[sign], str(one).capitalize()) for sign, one in zip(signs, names, strict=True))
    return Mode(name, tuple(arguments))


def checked(modes: Sequence[Mode], path: str | Path) -> tuple[Mode, ...]:
    """The modes, of which there must be some."""
    if not modes:
        raise ValueError(f"{path} declares no modes; give a file with modeb or body_pred lines.")
    return tuple(dict.fromkeys(modes))
