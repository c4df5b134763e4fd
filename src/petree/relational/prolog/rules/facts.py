"""Clauses sorted into facts and rules, and facts as rows of codes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.relational.prolog.syntax.clauses import Clause
from petree.relational.prolog.syntax.terms import Compound, Parsed, as_constant
from petree.relational.queries.terms import Constant, Predicate, Variable
from petree.relational.row_keys import row_keys

# Directives that change nothing about what the clauses say.
HARMLESS_DIRECTIVES = {"style_check", "discontiguous", "dynamic", "multifile", "table", "use_module", "set"}


class Symbols:
    """All values of a program, of whatever type; the code of one is its place. Equal numbers are one value."""

    def __init__(self) -> None:
        self.codes: dict[Any, int] = {}
        self._numbers: NDArray[np.float64] = np.empty(0)

    def encode(self, values: Iterable[Any]) -> NDArray[np.int32]:
        """Codes of values; those not seen before get new ones."""
        codes = self.codes
        return np.fromiter((codes.setdefault(value, len(codes)) for value in values), np.int32)

    def encode_rows(self, rows: list[tuple[Any, ...]]) -> NDArray[np.int32]:
        """Codes of some rows of values, of which there must be one."""
        return self.encode(value for row in rows for value in row).reshape(len(rows), len(rows[0]))

    @property
    def values(self) -> list[Any]:
        return list(self.codes)

    @property
    def numbers(self) -> NDArray[np.float64]:
        """The values as numbers; NaN for names."""
        if len(self._numbers) < len(self.codes):
            self._numbers = np.array([np.nan if isinstance(value, str) else value for value in self.codes], np.float64)
        return self._numbers


@dataclass(frozen=True, eq=False)
class Rows:
    """Distinct rows of a predicate as codes; where they are those `of_models` the first column is the model."""

    codes: NDArray[np.int32]
    of_models: bool = False

    def for_models(self, models: NDArray[np.int32]) -> Rows:
        """The rows as those of models: what holds outside of all holds in each."""
        if self.of_models:
            return self
        first = np.repeat(models, len(self.codes))[:, np.newaxis]
        return Rows(np.hstack((first, np.tile(self.codes, (len(models), 1)))), of_models=True)


def distinct(codes: NDArray[np.int32]) -> NDArray[np.int32]:
    """The rows without those that were there before, in order."""
    if codes.shape[1] == 0:
        return codes[:1]
    bounds, rows = row_keys(list(codes.T)).index()
    return codes[np.sort(rows[bounds[1:-1][np.diff(bounds[1:]) > 0]])]


def union(parts: Sequence[Rows], models: NDArray[np.int32]) -> Rows:
    """All rows, each once; those of models if any are."""
    of_models = any(part.of_models for part in parts)
    if of_models:
        parts = [part.for_models(models) for part in parts]
    return Rows(distinct(np.concatenate([part.codes for part in parts])), of_models)


@dataclass(frozen=True)
class Fact:
    """A fact, and the model that it stands in, if any."""

    clause: Clause
    model: Any = None


@dataclass
class Program:
    """Facts and rules by predicate, and the lines where models begin."""

    facts: dict[Predicate, list[Fact]] = field(default_factory=dict)
    rules: dict[Predicate, list[Clause]] = field(default_factory=dict)
    models: dict[Any, Clause] = field(default_factory=dict)

    def add(self, clauses: Iterable[Clause]) -> Program:
        """Take in the clauses of one file."""
        begun: Clause | None = None
        model: Any = None
        for clause in clauses:
            edge = model_edge(clause)
            if edge is not None:
                begun, model = self._cross(clause, *edge, begun, model)
            elif clause.body is None and is_ground(clause.head):
                self.facts.setdefault(predicate_of(clause.head, clause), []).append(Fact(clause, model))
            elif begun is not None:
                raise ValueError(f"{clause.where}: a model holds facts without variables; write rules in the .bg file.")
            elif clause.head is None:
                check_directive(clause)
            else:
                self.rules.setdefault(predicate_of(clause.head, clause), []).append(clause)
        if begun is not None:
            raise ValueError(f"{begun.where}: model {model} has no end; write end(model({model})) after its facts.")
        return self

    def _cross(
        self, clause: Clause, edge: str, key: Any, begun: Clause | None, model: Any
    ) -> tuple[Clause | None, Any]:
        """Go into a model or out of it."""
        if edge == "begin" and begun is None:
            if key in self.models:
                raise ValueError(
                    f"{clause.where}: model {key} has begun before, in {self.models[key].where}; rename one."
                )
            self.models[key] = clause
            return clause, key
        if edge == "end" and begun is not None and key == model:
            return None, None
        open_model = "no model is open" if begun is None else f"model {model} is open"
        raise ValueError(f"{clause.where}: {clause.head} does not fit, as {open_model}; pair each begin with its end.")

    @property
    def predicates(self) -> list[Predicate]:
        """All that have facts or rules."""
        return list(dict.fromkeys((*self.facts, *self.rules)))

    def knows(self, predicate: Predicate) -> bool:
        """Whether it has facts or rules."""
        return predicate in self.facts or predicate in self.rules

    def rows(self, predicate: Predicate, symbols: Symbols) -> list[Rows]:
        """The facts of a predicate: those outside of models, and those inside."""
        facts = self.facts.get(predicate, [])
        outside = [values_of(fact.clause) for fact in facts if fact.model is None]
        inside = [(fact.model, *values_of(fact.clause)) for fact in facts if fact.model is not None]
        parts = ((outside, False), (inside, True))
        return [Rows(symbols.encode_rows(rows), of_models) for rows, of_models in parts if rows]


def model_edge(clause: Clause) -> tuple[str, Any] | None:
    """``begin(model(key))`` or ``end(model(key))``: which of the two, and the key."""
    head = clause.head
    if not isinstance(head, Compound) or head.name not in ("begin", "end") or clause.body is not None:
        return None
    match head.arguments[0]:
        case Compound("model", (Constant(key), *_)):
            return head.name, key
    return None


def predicate_of(term: Parsed | None, clause: Clause) -> Predicate:
    """Name and number of arguments of a head or of a part of a body."""
    match term:
        case Compound(name, arguments):
            return Predicate(name, len(arguments))
        case Constant(str(name)):
            return Predicate(name, 0)
    raise ValueError(f"{clause.where}: {term} is no predicate with arguments; write name(argument, ...).")


def arguments_of(term: Parsed | None) -> tuple[Parsed, ...]:
    """Arguments of a head or of a part of a body."""
    return term.arguments if isinstance(term, Compound) else ()


def is_ground(term: Parsed | None) -> bool:
    """Whether it is a head without variables as arguments."""
    return isinstance(term, (Compound, Constant)) and not any(isinstance(one, Variable) for one in arguments_of(term))


def values_of(clause: Clause) -> tuple[Any, ...]:
    """The arguments of a fact, which must be names and numbers."""
    values = []
    for argument in arguments_of(clause.head):
        constant = argument if isinstance(argument, Constant) else as_constant(argument)
        if constant is None:
            raise ValueError(
                f"{clause.where}: {argument} is no name or number; write one fact for each item of a list."
            )
        values.append(constant.value)
    return tuple(values)


def check_directive(clause: Clause) -> None:
    """Refuse a directive that may change what the file says."""
    name = predicate_of(clause.body, clause)[0]
    if name not in HARMLESS_DIRECTIVES:
        raise ValueError(f"{clause.where}: the directive {name} is not supported; leave it out if it may be.")
