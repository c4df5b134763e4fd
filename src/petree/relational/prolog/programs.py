"""A database from files of Prolog facts."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack

from petree.relational.bias.modes import Bias
from petree.relational.database import Database
from petree.relational.prolog.conversion.assembly import make_database
from petree.relational.prolog.conversion.typed_columns import CLASS, MODEL, Target
from petree.relational.prolog.rules.background import declared_types, named_in_rules
from petree.relational.prolog.rules.facts import Program, arguments_of, predicate_of
from petree.relational.prolog.syntax.clauses import Clause, read_clauses
from petree.relational.prolog.syntax.terms import Compound, Parsed
from petree.relational.queries.terms import Constant, Predicate

File = str | Path
Files = File | Sequence[File]
Examples = Mapping[Any, File] | File


class Options(TypedDict, total=False):
    """What may be declared of a program; `read_prolog` tells what it means."""

    examples: Examples | None
    classes: Sequence[Any] | None
    types: Mapping[Any, Sequence[str | None]] | None
    modes: Bias | None


def read_prolog(paths: Files, target: str, **options: Unpack[Options]) -> Database:
    """A database of facts, and of rules without recursion.

    Parameters
    ----------
    paths : path or sequence of paths
        Files of facts and rules.
    target : str
        The predicate whose facts are the examples; ``"model"`` where examples are models. Its last argument is the
        class, unless there are `examples`.
    examples : dict or path, optional
        For each class the file of its examples (``active(d1).``), or one file where examples stand inside of their
        class: ``pos(active(d1)).``
    classes : sequence, optional
        The classes in order; by default those found, sorted. With models: facts that say the class of one.
    types : dict, optional
        For each predicate, by its name, the types of its arguments; only values of one type are compared.
    modes : Bias, optional
        The literals that a tree may use. Predicates that neither it nor a rule names are left out.
    """
    name = target.removesuffix(f".{CLASS}")
    classes = options.get("classes")
    program = Program()
    for path in [paths] if isinstance(paths, (str, Path)) else paths:
        program.add(read_clauses(path))
    declared = options.get("modes")
    typed = types_of(options.get("types") or {})
    without: set[Predicate] = set()
    if (examples := options.get("examples")) is not None:
        labelled = list(read_examples(examples, name))
        without = {Predicate(name, len(arguments_of(clause.head)) - 1) for clause in labelled}
        program.add(labelled)
        typed |= {Predicate(name, one.arity + 1): (*declared_types(typed, one), None) for one in without}
    modes = None if declared is None else with_facts(declared, program)
    found = None if name == MODEL and program.models else target_of(name, program, without, classes)
    return make_database(program, wanted(program, modes, found, without), typed, found, classes, modes)


def types_of(declared: Mapping[Any, Sequence[str | None]]) -> dict[Predicate, tuple[str | None, ...]]:
    """Types by predicates, which may be declared by their names alone."""
    named = ((key[0] if isinstance(key, tuple) else key, tuple(types)) for key, types in declared.items())
    return {Predicate(name, len(types)): types for name, types in named}


def read_examples(examples: Examples, name: str) -> Iterable[Clause]:
    """Examples as facts of the target, with their class as the last argument."""
    if isinstance(examples, Mapping):
        for label, path in examples.items():
            for clause in read_clauses(path):
                yield labelled(clause.head, Constant(label), clause, name)
        return
    for clause in read_clauses(examples):
        inside = arguments_of(clause.head)
        yield labelled(
            inside[0] if len(inside) == 1 else None, Constant(predicate_of(clause.head, clause)[0]), clause, name
        )


def labelled(example: Parsed | None, label: Constant, clause: Clause, name: str) -> Clause:
    """A fact of the target with the class behind."""
    if not isinstance(example, Compound) or example.name != name or clause.body is not None:
        raise ValueError(f"{clause.where}: {clause.head} is no example of {name}; write one as {name}(key).")
    return Clause(Compound(name, (*example.arguments, label)), None, clause.line, clause.source)


def target_of(name: str, program: Program, without: set[Predicate], classes: Sequence[Any] | None) -> Target:
    """The target by its name."""
    found = [predicate for predicate in program.predicates if predicate.name == name and predicate not in without]
    if len(found) != 1 or found[0].arity < 2:
        shown = ", ".join(map(str, found)) or "none"
        raise ValueError(
            f"The target {name!r} must be one predicate with a key and a class, but there is {shown}; name another, or "
            "give its examples by class."
        )
    return Target(found[0], found[0].arity - 1, None if classes is None else tuple(classes))


def wanted(program: Program, modes: Bias | None, target: Target | None, without: set[Predicate]) -> list[Predicate]:
    """Predicates to keep: all, or those that modes, rules or the target name."""
    if modes is None:
        return [predicate for predicate in program.predicates if predicate not in without]
    named = {*modes.predicates, *named_in_rules(program)}
    named |= set() if target is None else {target.predicate}
    return [predicate for predicate in program.predicates if predicate in named]


def with_facts(modes: Bias, program: Program, where: Mapping[Predicate, str] | None = None) -> Bias:
    """What of a bias can be asked; a warning names the predicates without facts and rules, and where they stand."""
    unknown = [predicate for predicate in modes.predicates if not program.knows(predicate)]
    if not unknown:
        return modes
    listed = ", ".join(f"{one} ({where[one]})" if where else str(one) for one in unknown)
    kept = modes.about(set(modes.predicates).difference(unknown))
    if not kept.modes and not kept.aggregates:
        raise ValueError(
            f"No mode can be asked for: {listed} have no facts and no rules; correct the names, or add some."
        )
    warnings.warn(f"Modes without facts and rules are left out: {listed}.", stacklevel=4)
    return kept
