"""Whether a column of the example has a value can be asked where some examples have none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from petree import RelationalOptionTreeClassifier, RelationalTreeClassifier
from petree.relational import Database
from petree.relational.bias.automatic import automatic_bias

N = 40


def database_of(values: list[Any]) -> Database:
    """Patients of whom something is known or not, and visits that tell nothing."""
    classes = ["well" if value is None else "ill" for value in values]
    tables: dict[str, dict[str, Any]] = {
        "patient": {"id": range(N), "class": classes, "told": values},
        "visit": {"patient": [number % N for number in range(2 * N)], "room": ["x", "y"] * N},
    }
    return Database(tables, ["visit.patient -> patient.id"])


@pytest.mark.parametrize("values", [[float(one) for one in range(5)], ["a", "b", "c"]])
def test_a_tree_asks_for_it(values: list[Any]) -> None:
    """A threshold puts a missing value to those above it, so that both ends would have to be asked for."""
    told = [None if number % 3 else values[number // 3 % len(values)] for number in range(N)]
    model = RelationalTreeClassifier(database_of(told), "patient.class", pruning="none", smoothing="laplace")
    model.fit(range(N))
    assert [line.partition("|- ")[2].partition(":")[0] for line in model.export_text().splitlines()[2:]] == [
        "the patient has told",
        "the patient has no told",
    ]
    assert "patient(A, B), B = B" in model.to_prolog()
    assert "% A variable compared with itself, as in B = B, asks for a value" in model.to_prolog()
    assert model.to_sql(0).endswith('WHERE t0."told" = t0."told"')
    assert model.tree_.n_tests[0] == 1 + n_tests_of_values(database_of(told))


def n_tests_of_values(database: Database) -> int:
    """How many tests the root has without those that ask whether there is a value."""
    whole = automatic_bias(database.hiding("patient", "class"), "patient")
    bias = replace(whole, modes=tuple(mode for mode in whole.modes if mode.known is None))
    model = RelationalTreeClassifier(database, "patient.class", bias=bias, pruning="none").fit(range(N))
    return int(model.tree_.n_tests[0])


def test_where_nothing_is_missing_it_is_not_asked() -> None:
    database = database_of([float(number % 5) for number in range(N)])
    model = RelationalTreeClassifier(database, "patient.class", pruning="none").fit(range(N), ["a", "b"] * (N // 2))
    assert not any(" = B" in str(one) for one in model.tree_.conditions)
    assert "compared with itself" not in model.to_prolog()


def test_option_trees_ask_for_it() -> None:
    told = [None if number % 3 else float(number % 5) for number in range(N)]
    model = RelationalOptionTreeClassifier(database_of(told), "patient.class").fit(range(N))
    assert model.summary(max_leaves=2).sentence(0) == "the patient has told"
    assert (model.predict(np.arange(N)) == np.where(np.arange(N) % 3, "well", "ill")).all()
