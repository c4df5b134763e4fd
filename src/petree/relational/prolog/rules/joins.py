"""Values of variables row by row, and joins with the rows of predicates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from petree.relational.links import make_link
from petree.relational.prolog.rules.facts import Rows, distinct
from petree.relational.queries.terms import Variable
from petree.relational.relations import Domain, RelationColumn

# Stands for the model of a row; no clause can write such a name.
MODEL = Variable("model of the row")
NO_DOMAIN = Domain("code", ())


@dataclass(frozen=True, eq=False)
class Bindings:
    """Codes of variables, one row for each way to make a part of a body true."""

    n_rows: int = 1
    columns: dict[Variable, NDArray[np.int32]] = field(default_factory=dict)

    def take(self, rows: NDArray[np.integer] | NDArray[np.bool_]) -> Bindings:
        """Some of the rows."""
        columns = {variable: codes[rows] for variable, codes in self.columns.items()}
        return Bindings(int(rows.sum()) if rows.dtype == np.bool_ else len(rows), columns)

    def bind(self, variable: Variable, codes: NDArray[np.int32]) -> Bindings:
        """With one variable more."""
        return Bindings(self.n_rows, self.columns | {variable: codes})

    def with_models(self, models: NDArray[np.int32]) -> Bindings:
        """Every row in every model, unless rows have a model already."""
        if MODEL in self.columns:
            return self
        repeated = self.take(np.repeat(np.arange(self.n_rows), len(models)))
        return repeated.bind(MODEL, np.tile(models, self.n_rows))


def join(bindings: Bindings, rows: Rows, arguments: Sequence[Variable | int], most: float = math.inf) -> Bindings:
    """Bindings that agree with some row in the arguments, which are variables or codes; `most` bounds their number."""
    codes, places = matching(rows.codes, [MODEL, *arguments] if rows.of_models else list(arguments))
    shared = [variable for variable in places if variable in bindings.columns]
    link = make_link(
        [as_column(bindings.columns[variable]) for variable in shared],
        [as_column(codes[:, places[variable]]) for variable in shared],
        bindings.n_rows,
        len(codes),
    )
    came_from, matched = link.follow(np.arange(bindings.n_rows, dtype=np.int32), most)
    joined = bindings.take(came_from)
    for variable, place in places.items():
        joined.columns[variable] = codes[matched, place]
    return joined


def matching(
    codes: NDArray[np.int32], terms: Sequence[Variable | int]
) -> tuple[NDArray[np.int32], dict[Variable, int]]:
    """Rows that have the given codes and equal ones for a variable that stands twice; a column for each variable."""
    fits = np.ones(len(codes), bool)
    places: dict[Variable, int] = {}
    for place, term in enumerate(terms):
        if isinstance(term, int):
            fits &= codes[:, place] == term
        elif term in places:
            fits &= codes[:, place] == codes[:, places[term]]
        elif not term.is_anonymous:
            places[term] = place
    kept = distinct(codes[fits][:, list(places.values())])
    return kept, {variable: column for column, variable in enumerate(places)}


def either(parts: Sequence[Bindings], models: NDArray[np.int32]) -> Bindings:
    """The rows of all; variables that one of them lacks are lost."""
    if any(MODEL in part.columns for part in parts):
        parts = [part.with_models(models) for part in parts]
    shared = [variable for variable in parts[0].columns if all(variable in part.columns for part in parts)]
    columns = {variable: np.concatenate([part.columns[variable] for part in parts]) for variable in shared}
    return Bindings(sum(part.n_rows for part in parts), columns)


def as_column(codes: NDArray[np.int32]) -> RelationColumn:
    return RelationColumn("", NO_DOMAIN, codes)
