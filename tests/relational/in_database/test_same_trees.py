"""Trees of tables that stay in their database are those of the same tables in memory, node for node."""

from __future__ import annotations

import pickle
import random
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.relational.random_databases import MadeTables, nominal, pointers, quarters, random_tables

import petree
from petree.relational import automatic_bias
from petree.relational.bias.identifiers import identifiers

pytest.importorskip("sqlalchemy")

from tests.relational.in_database.made import (
    assert_models_from_elsewhere_predict,
    assert_same,
    both_ways,
    fitted,
    write,
)

FUNCTIONS = ("count", "min", "max", "mode", "proportion")


everywhere = pytest.mark.parametrize("address", ["sqlite", "postgres", "duckdb"], indirect=True)
in_duckdb = pytest.mark.parametrize("address", ["duckdb"], indirect=True)
in_sqlite = pytest.mark.parametrize("address", ["sqlite"], indirect=True)


def timed_tables(seed: int, n: int = 16) -> MadeTables:
    """Things with visits at days, booleans among them, numbers that are none, and rooms."""
    numbers = random.Random(seed)
    first = date(2004, 2, 27)
    days = [None if numbers.random() < 0.1 else first + timedelta(numbers.randrange(20)) for _ in range(4 * n)]
    tables = {
        "thing": {
            "id": list(range(n)),
            "until": [None if numbers.random() < 0.1 else first + timedelta(numbers.randrange(20)) for _ in range(n)],
            "inside": pointers(numbers, n, range(n), lost=99),
            "class": [numbers.choice("yn") for _ in range(n)],
        },
        "visit": {
            "thing": pointers(numbers, 4 * n, range(n), lost=99),
            "day": days,
            "is_first": [numbers.choice((True, False, None)) for _ in range(4 * n)],
            "cost": [float("nan") if one == 1 else one for one in quarters(numbers, 4 * n)],
            "room": pointers(numbers, 4 * n, "xyz", lost="lost"),
        },
        "room": {"name": list("xyz"), "floor": [0, 1, None], "kind": ["it's", "50% {0}", ":a"]},
    }
    links = ["visit.thing -> thing.id", "thing.inside -> thing.id", "visit.room -> room.name"]
    return MadeTables(tables, links, {"thing": "id"}, {"thing": "until", "visit": "day"} if seed % 2 else {})


@in_sqlite
@pytest.mark.parametrize("seed", range(4))
def test_random_tables_in_sqlite(address: str, seed: int) -> None:
    made = random_tables(seed, 20)
    write(made, address)
    assert_same(made, address)


@in_duckdb
@pytest.mark.parametrize("seed", range(4, 7))
def test_random_tables_in_duckdb(address: str, seed: int) -> None:
    made = random_tables(seed, 20)
    write(made, address)
    assert_same(made, address, slice(3, 17))


@everywhere
def test_all_functions_that_can_be_asked(address: str) -> None:
    made = random_tables(8, 16)
    write(made, address)
    assert_same(made, address, aggregates=(*FUNCTIONS, "two_links"), max_depth=2)


@in_sqlite
@pytest.mark.parametrize("last", ["y", "lost", None])
def test_rows_behind_two_links_are_counted_where_a_pointer_leads_nowhere(address: str, last: str | None) -> None:
    tables: dict[str, dict[str, list[Any]]] = {
        "thing": {"id": [1, 2], "class": ["y", "n"]},
        "visit": {"thing": [1, 2, 2], "room": ["x", "y", last]},
        "room": {"name": ["x", "y"], "floor": [0, 1]},
    }
    made = MadeTables(tables, ["visit.thing -> thing.id", "visit.room -> room.name"], {"thing": "id"}, {})
    write(made, address)
    for database in both_ways(made, address):
        bias = automatic_bias(database.hiding("thing", "class"), "thing", aggregates=("count", "two_links"))
        assert any("room(Room1" in str(one) for one in bias.aggregates) == (last != "y")


@in_duckdb
@pytest.mark.parametrize("seed", [1, 2])
def test_times_dates_truth_values_and_numbers_that_are_none(address: str, seed: int) -> None:
    made = timed_tables(seed)
    write(made, address)
    assert_same(made, address, aggregates=("count", "min", "max"), max_depth=4)


@in_duckdb
def test_the_default_with_its_inner_folds(address: str) -> None:
    made = random_tables(11, 40)
    write(made, address)
    assert_same(
        made, address, pruning="default", smoothing="default", class_weight="balanced", max_links=1, max_depth=3
    )


@in_sqlite
def test_pruning_by_permuted_classes(address: str) -> None:
    made = random_tables(3, 14)
    write(made, address)
    assert_same(made, address, pruning="rand", max_links=1, max_depth=3)


@in_duckdb
def test_rows_that_two_ways_lead_to_count_once(address: str) -> None:
    numbers = random.Random(5)
    n = 40
    tables = {
        "thing": {"id": list(range(n)), "class": [numbers.choice("yn") for _ in range(n)]},
        "part": {
            "thing": [numbers.randrange(n) for _ in range(3 * n)],
            "kind": [numbers.randrange(4) for _ in range(3 * n)],
        },
        "kind": {"id": list(range(4)), "weight": [0.5, 1.5, 2.5, 9.0], "name": nominal(numbers, 4, gaps=0)},
    }
    made = MadeTables(tables, ["part.thing -> thing.id", "part.kind -> kind.id"], {"thing": "id"})
    write(made, address)
    assert_same(made, address, binning=petree.binning.Quantile(max_bins=3))


@in_sqlite
def test_links_that_lead_to_too_many_rows_are_left_out(address: str) -> None:
    made = random_tables(2, 20)
    write(made, address)
    _, inside = both_ways(made, address)
    keys = inside.keys("thing")
    model = petree.RelationalTreeClassifier(inside, "thing.class", pruning="none", max_answers=25)
    with pytest.warns(UserWarning, match=r"too many to look at \(more than max_answers\)"):
        model.fit(keys)


# -- trees that were fitted elsewhere ---------------------------------------------------------------------------


@in_sqlite
def test_models_of_memory_and_of_files_predict_in_the_database(address: str, tmp_path: Path) -> None:
    assert_models_from_elsewhere_predict(address, tmp_path)


@in_sqlite
def test_a_fitted_model_can_be_pickled_and_stored(address: str, tmp_path: Path) -> None:
    made = random_tables(3, 20)
    write(made, address)
    memory, inside = both_ways(made, address)
    keys = memory.keys("thing")
    model = fitted(inside, keys, max_depth=4)
    expected = model.predict_proba(keys)
    assert (pickle.loads(pickle.dumps(model)).predict_proba(keys) == expected).all()
    petree.save(model, tmp_path / "model.json")
    assert (petree.load(tmp_path / "model.json", database=memory).predict_proba(keys) == expected).all()
    assert model.export_text() == fitted(memory, keys, max_depth=4).export_text()
    with pytest.warns(UserWarning, match="Dangling"):
        assert "\nWITH" in f"\n{model.to_sql(dialect='sqlite')}"


@in_duckdb
def test_functions_over_rows_of_a_time_behind_a_table_without_one(address: str) -> None:
    """Thresholds are those of the rows that examples see, whose own time counts."""
    numbers = random.Random(1)
    n = 60
    things = {
        "id": list(range(n)),
        "room": [numbers.choice("uvwxyz") for _ in range(n)],
        "day": [numbers.randrange(30) for _ in range(n)],
        "class": [numbers.choice("yn") for _ in range(n)],
    }
    tables = {"thing": things, "room": {"name": list("uvwxyz")}}
    made = MadeTables(tables, ["thing.room -> room.name"], {"thing": "id"}, {"thing": "day"})
    write(made, address)
    model = assert_same(made, address, max_depth=3)
    assert model.tree_.n_tests[0] == fitted(both_ways(made, address)[0], list(range(n)), max_depth=3).tree_.n_tests[0]


@everywhere
def test_numbers_of_rows_are_known(address: str) -> None:
    """Whole numbers close together that all differ are not asked for in either way."""
    n = 40
    columns: dict[str, list[Any]] = {
        "thing": [k % 20 for k in range(n)],
        "number": [n - k for k in range(n)],
        "with_gaps": [None if k % 7 == 0 else 3 * k // 2 for k in range(n)],
        "half": [k / 2 for k in range(n)],
        "far": [9 * k for k in range(n)],
        "large": [1e20] * n,
    }
    tables = {"thing": {"id": list(range(20)), "class": ["y", "n"] * 10}, "part": columns}
    made = MadeTables(tables, ["part.thing -> thing.id"], {"thing": "id"})
    write(made, address)
    found = [identifiers(database, "thing") for database in both_ways(made, address)]
    assert found == [[("part", "number"), ("part", "with_gaps")]] * 2
