"""Rows of predicates as relations: a domain for each type, and columns with names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from petree.relational.prolog.rules.background import Types, declared_types
from petree.relational.prolog.rules.facts import Rows, Symbols
from petree.relational.queries.terms import Predicate
from petree.relational.relations import KEY, MISSING, NOMINAL, NUMBER, Domain, Relation, RelationColumn

T = TypeVar("T")

# Columns of the class and of the model, and the type of names that have none.
CLASS = "class"
MODEL = "model"
ANY_NAME = "value"


@dataclass(frozen=True)
class Target:
    """The predicate whose rows are the examples, the place of the class, and the classes in order, if known."""

    predicate: Predicate
    class_place: int
    classes: tuple[Any, ...] | None = None

    @property
    def key_places(self) -> tuple[int, ...]:
        return tuple(place for place in range(self.predicate.arity) if place != self.class_place)


@dataclass(frozen=True, eq=False)
class ColumnCells:
    """A column on its way: whose it is, where it stands (-1: the model), its name and type, and codes of symbols."""

    predicate: Predicate
    place: int
    name: str
    type: str
    codes: NDArray[np.int32]


def relations_of(
    rows: Mapping[Predicate, Rows],
    names: Mapping[Predicate, str],
    types: Types,
    symbols: Symbols,
    target: Target | None = None,
    kinds: Mapping[str, str] | None = None,
) -> dict[str, Relation]:
    """Relations of the rows of predicates.

    Parameters
    ----------
    rows : mapping
    names : mapping
        What the relations are called.
    types : mapping
        The type of each argument of a predicate. Columns of one type share a domain. Without a type names share one,
        and a column of numbers has its own; the first column shares that of the target's key where it holds no more.
    symbols : Symbols
        What the codes of the rows stand for.
    target : Target, optional
        Its class gets a domain of its own.
    kinds : mapping, optional
        What the columns of some types are; by default those whose names stand first in some relation are keys.
    """
    columns = [
        column for predicate in rows for column in typed_columns(predicate, rows[predicate], types, symbols, target)
    ]
    columns = join_keys(columns, target, types)
    values = symbols.values
    domains = {
        name: class_domain(target, columns, values)
        if target is not None and name == class_type(target)
        else domain_of(name, of_type, values)
        for name, of_type in grouped(columns, lambda column: column.type).items()
    }
    found_kinds = kinds_of(columns, domains, target, kinds)
    recoded = recodings(columns, domains, symbols)
    made: dict[Predicate, list[RelationColumn]] = {predicate: [] for predicate in rows}
    for column, codes, kind in zip(columns, recoded, found_kinds, strict=True):
        made[column.predicate].append(RelationColumn(column.name, domains[column.type], codes, kind))
    relations = {}
    for predicate, of_predicate in made.items():
        keys = (target.key_places,) if target is not None and target.predicate == predicate else ()
        found = rows[predicate]
        name = names[predicate]
        relations[name] = Relation(name, tuple(of_predicate), len(found.codes), keys, found.of_models)
    return relations


def grouped(items: Iterable[T], key: Callable[[T], str]) -> dict[str, list[T]]:
    """Items that share something, by what they share."""
    groups: dict[str, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def relation_names(predicates: Iterable[Predicate]) -> dict[Predicate, str]:
    """What relations are called: by their predicate's name, with the number of arguments where two share it."""
    predicates = list(predicates)
    times = Counter(name for name, _ in predicates)
    return {one: one.name if times[one.name] == 1 else str(one) for one in predicates}


def class_type(target: Target) -> str:
    return f"{target.predicate.name}.{CLASS}"


def typed_columns(
    predicate: Predicate, rows: Rows, types: Types, symbols: Symbols, target: Target | None
) -> list[ColumnCells]:
    """The columns of a predicate with their types, the model's included."""
    codes = list(rows.codes.T)
    columns = [ColumnCells(predicate, -1, MODEL, MODEL, codes.pop(0))] if rows.of_models else []
    declared = declared_types(types, predicate)
    for place, (one, name) in enumerate(zip(codes, declared, strict=True)):
        if target is not None and (predicate, place) == (target.predicate, target.class_place):
            columns.append(ColumnCells(predicate, place, CLASS, class_type(target), one))
        else:
            found = name or untyped(predicate, place, one, symbols)
            columns.append(ColumnCells(predicate, place, name or f"argument{place + 1}", found, one))
    return numbered(columns)


def untyped(predicate: Predicate, place: int, codes: NDArray[np.int32], symbols: Symbols) -> str:
    """The type of a column that has none declared."""
    holds_names = len(codes) == 0 or np.isnan(symbols.numbers[codes]).any()
    return ANY_NAME if holds_names else f"{predicate.name}.{place + 1}"


def numbered(columns: list[ColumnCells]) -> list[ColumnCells]:
    """Columns whose names differ: those that share one are numbered; the model and the class keep theirs."""
    times = Counter(column.name for column in columns)
    seen: Counter[str] = Counter()
    renamed = []
    for column in columns:
        if column.place >= 0 and not column.type.endswith(f".{CLASS}"):
            seen[column.name] += 1
            number = seen[column.name] if times[column.name] > 1 else ""
            column = replace(column, name=f"{column.name}{number}")
        renamed.append(column)
    return renamed


def join_keys(columns: list[ColumnCells], target: Target | None, types: Types) -> list[ColumnCells]:
    """Give first columns of numbers without a type the target's key as type where they hold nothing else."""
    keys = [one for one in columns if target is not None and (one.predicate, one.place) == (target.predicate, 0)]
    if target is None or not keys or target.class_place == 0:
        return columns
    key = keys[0]
    is_typed = {(predicate, place) for predicate, names in types.items() for place, name in enumerate(names) if name}
    return [
        replace(one, type=key.type)
        if one.place == 0 and (one.predicate, 0) not in is_typed and np.isin(one.codes, key.codes).all()
        else one
        for one in columns
    ]


def domain_of(name: str, columns: Iterable[ColumnCells], values: list[Any]) -> Domain:
    """All values of the columns of a type: numbers in order, then names in order."""
    codes = np.unique(np.concatenate([column.codes for column in columns]))
    found = sorted((values[code] for code in codes), key=lambda value: (isinstance(value, str), value))
    return Domain(name, found, is_number=bool(found) and not isinstance(found[-1], str))


def class_domain(target: Target, columns: Iterable[ColumnCells], values: list[Any]) -> Domain:
    """The classes, in the declared order or sorted; no example may have another one, or two."""
    name = class_type(target)
    found = domain_of(name, [column for column in columns if column.type == name], values)
    if target.classes is not None:
        for value in found.values:
            if value not in target.classes:
                known = ", ".join(map(str, target.classes))
                raise ValueError(
                    f"{target.predicate.name} has examples of class {value!r}, but the classes are {known}; add it."
                )
    of_target = [column for column in columns if column.predicate == target.predicate]
    keys = np.stack([column.codes for column in of_target if column.place != target.class_place], axis=1)
    distinct, times = np.unique(keys, axis=0, return_counts=True)
    if (times > 1).any():
        twice = ", ".join(str(values[code]) for code in distinct[times > 1][0])
        raise ValueError(f"Example {twice} of {target.predicate.name} has more than one class; leave all but one out.")
    return Domain(name, found.values if target.classes is None else target.classes)


def kinds_of(
    columns: list[ColumnCells], domains: Mapping[str, Domain], target: Target | None, kinds: Mapping[str, str] | None
) -> list[str]:
    """What each column is: a key, nominal, or a number."""
    known = dict(kinds or {}) | {MODEL: KEY}
    if target is not None:
        known |= {one.type: KEY for one in columns if one.predicate == target.predicate}
        known |= {class_type(target): NOMINAL}
    is_first = [kinds is None and found for found in stand_first(columns, domains)]
    return [
        known.get(one.type) or (KEY if first else NUMBER if domains[one.type].is_number else NOMINAL)
        for one, first in zip(columns, is_first, strict=True)
    ]


def stand_first(columns: list[ColumnCells], domains: Mapping[str, Domain]) -> list[bool]:
    """Which columns hold names that are found in the first column of some relation."""
    firsts = [one.codes for one in columns if one.place == 0 and not domains[one.type].is_number]
    codes = np.unique(np.concatenate([np.empty(0, np.int32), *firsts]))
    return [not domains[one.type].is_number and bool(np.isin(one.codes, codes).any()) for one in columns]


def recodings(columns: list[ColumnCells], domains: Mapping[str, Domain], symbols: Symbols) -> list[NDArray[np.int32]]:
    """The codes of each column in its domain, by one table of all symbols that each domain fills in."""
    table = np.full(len(symbols.codes), MISSING, np.int32)
    recoded: dict[int, NDArray[np.int32]] = {}
    for name, places in grouped(range(len(columns)), lambda place: columns[place].type).items():
        known = [
            (symbols.codes[value], code) for code, value in enumerate(domains[name].values) if value in symbols.codes
        ]
        filled = np.array(known, np.int32).reshape(-1, 2)
        table[filled[:, 0]] = filled[:, 1]
        recoded |= {place: table[columns[place].codes] for place in places}
        table[filled[:, 0]] = MISSING
    return [recoded[place] for place in range(len(columns))]
