"""What a relational tree can learn from tables that stay in their database; all else is refused at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from petree.binning import resolve_binning
from petree.relational.bias.modes import CONSTANT, AggregateMode, Bias
from petree.relational.database import Database
from petree.relational.queries.terms import COMPLEX

if TYPE_CHECKING:
    from petree.estimators.relational.learner import ExampleLearner

# Functions whose values databases compute in orders of their own.
ROUNDED = ("sum", "mean")
IN_MEMORY = "read the tables into memory (Database.from_url without in_database)"


def check_in_database(model: ExampleLearner, sample_weight: object) -> None:
    """Refuse what cannot be learned in a database, in a sentence."""
    if model._database().server is None:
        return
    if sample_weight is not None:
        raise ValueError(
            f"sample_weight cannot be followed in a database; leave it out, set class_weight, or {IN_MEMORY}."
        )
    if vars(type(resolve_binning(model.binning))).get("looks_at_classes", True):
        raise ValueError(
            f"binning={model.binning!r} looks at classes, which a database does not know; set 'quantile' or 'exact'."
        )
    if isinstance(model.bias, Bias):
        for aggregate in model.bias.aggregates:
            _check_function(aggregate)
        return
    _check_names(model.aggregates)
    if len(model.windows):
        raise ValueError(f"windows= cannot be asked in a database; leave it out, or {IN_MEMORY}.")


def _check_names(functions: Sequence[str]) -> None:
    for name in functions:
        if name in (*ROUNDED, COMPLEX):
            raise ValueError(
                f"The aggregate {name!r} cannot be asked in a database; choose among 'count', 'min', 'max', 'mode' and "
                f"'proportion', or {IN_MEMORY}."
            )


def _check_function(aggregate: AggregateMode) -> None:
    """Refuse functions over rows that fit conditions, or of some time, and sums."""
    _check_names([aggregate.function])
    places = enumerate(aggregate.mode.arguments)
    has_constants = any(one.kind == CONSTANT and place != aggregate.place for place, one in places)
    has_more = aggregate.where is not None or aggregate.window is not None or bool(aggregate.conditions)
    if has_constants or has_more or aggregate.mode.compared is not None:
        raise ValueError(f"{aggregate} is over rows that fit conditions; leave it out of the bias, or {IN_MEMORY}.")


def refuse_repeated(rows: NDArray[np.intp], database: Database) -> None:
    """Refuse examples that stand in X twice, since a database knows each of them once."""
    if database.server is not None and len(np.unique(rows)) < len(rows):
        order = np.argsort(rows, kind="stable")
        place = int(order[1:][rows[order[1:]] == rows[order[:-1]]].min())
        raise ValueError(
            f"The key at place {place} of X stands there a second time; in a database each example may stand once: "
            f"drop it, or {IN_MEMORY}."
        )
