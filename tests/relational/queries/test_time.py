"""No test sees a row that was not known yet at the time of its example."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.relational.oracles.queries import covers
from tests.relational.queries.test_answers import asked, check
from tests.relational.random_databases import MadeTables, nominal, quarters, random_tables
from tests.relational.random_queries import Queries

from petree import RelationalTreeClassifier
from petree.relational import Database
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.terms import text_of

FUNCTIONS = ("count", "min", "max", "sum", "mean", "mode", "proportion")


def timed(made: MadeTables, seed: int) -> MadeTables:
    """The made with a time in every table but rooms and openings; things always have one, the others mostly."""
    numbers = random.Random(seed)
    tables, times = {}, {}
    for name, columns in made.tables.items():
        tables[name] = dict(columns)
        if name not in ("room", "opening"):
            tables[name]["since"] = [
                None if name != "thing" and numbers.random() < 0.1 else numbers.randrange(5)
                for _ in next(iter(columns.values()))
            ]
            times[name] = "since"
    return replace(made, tables=tables, time=times)


@pytest.mark.parametrize("seed", range(8))
def test_answers_are_of_rows_known_by_then(seed: int) -> None:
    made = timed(random_tables(seed), seed)
    database, facts = made.database(), made.facts()
    queries, n_changed = Queries(database, "thing", seed), 0
    later = replace(facts, times={})
    for _ in range(40):
        literals = queries.query(queries.numbers.randint(1, 3))
        found = check(database, facts, literals).covered.tolist()
        n_changed += found != [covers(later, k, literals) for k in range(len(found))]
    assert n_changed > 2


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        ("part(A, _, _, _)", [True, False, True, False]),
        ("count(part(A, _, _, _)) >= 2", [False, False, True, False]),
        ("sum(X, part(A, X, _, _)) = 5", [False, False, True, False]),
        ("max(X, part(A, X, _, _)) >= 3", [False, False, True, False]),
        ("thing(A, C, _), C < 9", [True, True, True, False]),  # its own row is known at all times
        ("thing(B, C, _), B = A, C >= 5", [False, False, True, False]),
    ],
)
def test_worked_cases(text: str, covered: list[bool]) -> None:
    made = MadeTables(
        {
            "thing": {"id": [1, 2, 3, 4], "since": [1, 1, 5, None], "class": ["y", "n", "y", "n"]},
            "part": {"thing": [1, 1, 2, 3, 3, 4, 3], "size": [1, 3, 1, 2, 3, 1, 9], "at": [1, 2, 3, 4, 5, 0, None]},
        },
        ["part.thing -> thing.id"],
        {"thing": "id"},
        {"thing": "since", "part": "at"},
    )
    literals = list(parse_literals(text))
    assert asked(made.database(), "thing", literals).covered.tolist() == covered, text_of(literals)
    assert [covers(made.facts(), k, literals) for k in range(4)] == covered


def parts_and_things(seed: int, when: Any) -> MadeTables:
    numbers = random.Random(seed)
    n, m = 40, 160
    kinds, owners = nominal(numbers, m, "uvw"), [numbers.randrange(n) for _ in range(m)]
    has = [any(kind == "u" and owner == k for kind, owner in zip(kinds, owners, strict=True)) for k in range(n)]
    return MadeTables(
        {
            "thing": {
                "id": list(range(n)),
                "since": [when(numbers) for _ in range(n)],
                "class": ["y" if one != (numbers.random() < 0.2) else "n" for one in has],
            },
            "part": {
                "thing": owners,
                "kind": kinds,
                "weight": quarters(numbers, m),
                "since": [numbers.randrange(6) for _ in range(m)],
            },
        },
        ["part.thing -> thing.id"],
        {"thing": "id"},
        {"thing": "since", "part": "since"},
    )


def without_rows(made: MadeTables, table: str, gone: set[int]) -> MadeTables:
    kept = {name: [one for k, one in enumerate(values) if k not in gone] for name, values in made.tables[table].items()}
    return replace(made, tables={**made.tables, table: kept})


@pytest.mark.parametrize("binning", ["entropy", "quantile", "exact"])
@pytest.mark.parametrize("seed", range(3))
def test_trees_learn_nothing_from_later_rows(seed: int, binning: str) -> None:
    """Constants and thresholds included: the tree is the same where those rows are not there at all."""
    made = parts_and_things(seed, lambda _: 3)
    late = {k for k, since in enumerate(made.tables["part"]["since"]) if since > 3}
    assert 20 < len(late) < 140
    trees = []
    for one in (made, without_rows(made, "part", late)):
        model = RelationalTreeClassifier(
            one.database(), "thing.class", pruning="none", aggregates=FUNCTIONS, binning=binning, min_samples_leaf=2
        )
        trees.append(model.fit(np.arange(40)).tree_)
    assert list(map(str, trees[0].conditions)) == list(map(str, trees[1].conditions))
    np.testing.assert_array_equal(trees[0].counts, trees[1].counts)
    np.testing.assert_array_equal(trees[0].n_tests, trees[1].n_tests)


@pytest.mark.parametrize("seed", range(3))
def test_predictions_do_not_hang_on_later_rows(seed: int) -> None:
    made = parts_and_things(seed, lambda numbers: numbers.randrange(6))
    model = RelationalTreeClassifier(
        made.database(), "thing.class", pruning="none", smoothing="laplace", aggregates=FUNCTIONS
    ).fit(np.arange(40))
    assert model.tree_.n_leaves > 3
    for key in range(0, 40, 5):
        until = made.tables["thing"]["since"][key]
        late = {k for k, since in enumerate(made.tables["part"]["since"]) if since > until}
        other = without_rows(made, "part", late).database()
        np.testing.assert_array_equal(model.predict_proba([key], database=other), model.predict_proba([key]))


def test_times_that_hide_nothing_are_refused() -> None:
    tables = {
        "customer": {"id": np.arange(4), "left": ["no", "no", "yes", "yes"]},
        "orders": {"customer": np.arange(4), "day": np.arange(4)},
    }
    database = Database(tables, ["orders.customer -> customer.id"], time={"orders": "day"})
    model = RelationalTreeClassifier(database, "customer.left")
    with pytest.raises(
        ValueError, match=r"The time of orders\.day hides no rows, because .*'?customer.* constant date"
    ):
        model.fit(np.arange(4))
