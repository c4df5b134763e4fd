"""A program, types and modes made into a database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from petree.relational.bias.modes import Bias, Mode
from petree.relational.database import Database
from petree.relational.prolog.conversion.column_types import declared_kinds, inferred_types
from petree.relational.prolog.conversion.typed_columns import CLASS, MODEL, Target, relation_names, relations_of
from petree.relational.prolog.rules.background import Types, derive
from petree.relational.prolog.rules.facts import Program, Rows
from petree.relational.prolog.rules.solver import Knowledge
from petree.relational.queries.terms import Atom, Predicate

T = TypeVar("T", Atom, Mode)


def make_database(
    program: Program,
    wanted: Sequence[Predicate],
    types: Types,
    target: Target | None,
    classes: Sequence[Any] | None = None,
    bias: Bias | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Database:
    """A database of the wanted predicates of a program.

    Parameters
    ----------
    program : Program
    wanted : sequence of Predicate
    types : mapping
        Types of the arguments of predicates, as far as they are declared.
    target : Target or None
        None where the examples are models.
    classes : sequence, optional
        With models: names of the facts that say which class a model has.
    bias : Bias, optional
    settings : mapping, optional
        What else the database should remember.
    """
    class_facts = [Predicate(str(one), 0) for one in classes or ()] if program.models else []
    wanted = [predicate for predicate in wanted if predicate not in class_facts]
    types = inferred_types(types, program)
    knowledge = derive(program, wanted, types)
    if program.models:
        target = add_models(knowledge, program, target, classes)
        types = types | {Predicate(MODEL, 2): (MODEL, None), Predicate(MODEL, 1): (MODEL,)}
    kinds = None if bias is None else declared_kinds(bias, types, knowledge.conditions)
    names = relation_names((*knowledge.rows, *knowledge.conditions))
    relations = relations_of(knowledge.rows, names, types, knowledge.symbols, target, kinds)
    unused = [predicate for predicate in program.predicates if predicate not in names and predicate not in class_facts]
    found = [] if target is None else relations[names[target.predicate]].columns[target.class_place].domain.values
    return Database.from_relations(
        relations,
        conditions={names[predicate]: condition for predicate, condition in knowledge.conditions.items()},
        target=None if target is None else f"{names[target.predicate]}.{CLASS}",
        bias=None if bias is None else renamed(bias, names),
        settings={**(settings or {}), "classes": list(found), "unused": list(map(str, unused))},
    )


def add_models(
    knowledge: Knowledge, program: Program, target: Target | None, classes: Sequence[Any] | None
) -> Target | None:
    """Add a relation of the models and their classes, which are the examples."""
    taken = [predicate for predicate in knowledge.rows if predicate.name == MODEL]
    if target is not None or taken:
        raise ValueError(
            "The examples are models, as facts stand inside of them; leave out predict and facts of model."
        )
    if classes is None:
        knowledge.rows[Predicate(MODEL, 1)] = Rows(knowledge.models[:, np.newaxis])
        return None
    found = knowledge.symbols.encode(model_classes(program, classes))
    knowledge.rows[Predicate(MODEL, 2)] = Rows(np.stack((knowledge.models, found), axis=1))
    return Target(Predicate(MODEL, 2), 1, tuple(classes))


def model_classes(program: Program, classes: Sequence[Any]) -> list[Any]:
    """The class of each model, which is the only one of them that it holds as a fact."""
    held: dict[Any, set[Any]] = {model: set() for model in program.models}
    for name in classes:
        for fact in program.facts.get(Predicate(str(name), 0), []):
            if fact.model is None:
                raise ValueError(f"{fact.clause.where}: the class {name} stands outside of models; put it into one.")
            held[fact.model].add(name)
    for model, names in held.items():
        if len(names) != 1:
            listed = " and ".join(map(str, sorted(names, key=str))) or "none"
            raise ValueError(
                f"{program.models[model].where}: model {model} must hold one of the classes "
                f"{', '.join(map(str, classes))} as a fact, but holds {listed}; correct it, or the list of classes."
            )
    return [names.pop() for names in held.values()]


def renamed(bias: Bias, names: Mapping[Predicate, str]) -> Bias:
    """The bias with the names of relations."""

    def rename(one: T) -> T:
        if one.predicate not in names:
            raise ValueError(f"A mode asks for {one.predicate}, which is a class or not there; leave the mode out.")
        return replace(one, relation=names[one.predicate])

    lookaheads = (replace(one, first=rename(one.first), second=rename(one.second)) for one in bias.lookaheads)
    return replace(bias, modes=tuple(map(rename, bias.modes)), lookaheads=tuple(lookaheads))
