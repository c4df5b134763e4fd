"""Tables that are small enough are read into memory, and nothing else changes."""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from typing import Any

import pytest
from tests.relational.random_databases import MadeTables, nominal, random_tables

from petree import RelationalTreeClassifier
from petree.pruning import Rand

pytest.importorskip("sqlalchemy")

from tests.relational.in_database.made import (
    assert_models_from_elsewhere_predict,
    assert_same,
    both_ways,
    fitted,
    write,
)
from tests.relational.in_database.test_same_trees import everywhere, in_duckdb, in_sqlite, timed_tables

from petree.relational.in_database.session import Session

BOUND = "petree.relational.in_database.small.MOST_VALUES"


def n_values(made: MadeTables) -> int:
    return sum(len(values) for columns in made.tables.values() for values in columns.values())


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> None:
    """All tables are small enough, and none is asked for numbers of its examples."""
    monkeypatch.setattr(BOUND, 1_000_000)
    monkeypatch.setattr(Session, "numbers", refuse)


def refuse(session: Session, query: str) -> None:
    raise AssertionError(f"asked in SQL: {query}")


@in_sqlite
def test_the_bound_counts_the_values_of_all_tables(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = random_tables(1, 16)
    write(made, address)
    monkeypatch.setattr(Session, "numbers", refuse)
    monkeypatch.setattr(BOUND, n_values(made))
    assert_same(made, address, max_depth=2)
    monkeypatch.setattr(BOUND, n_values(made) - 1)
    with pytest.raises(AssertionError, match="asked in SQL"):
        assert_same(made, address, max_depth=2)


@everywhere
@pytest.mark.usefixtures("read")
def test_random_tables(address: str) -> None:
    made = random_tables(8, 20)
    write(made, address)
    assert_same(made, address, slice(3, 17), aggregates=("count", "min", "max", "mode", "proportion", "two_links"))


@in_sqlite
@pytest.mark.usefixtures("read")
@pytest.mark.parametrize("seed", range(12))
def test_random_tables_in_sqlite(address: str, seed: int) -> None:
    made = random_tables(seed, 20)
    write(made, address)
    assert_same(made, address)


@in_duckdb
@pytest.mark.usefixtures("read")
@pytest.mark.parametrize("seed", [1, 2])
def test_times_dates_truth_values_and_numbers_that_are_none(address: str, seed: int) -> None:
    made = timed_tables(seed)
    write(made, address)
    assert_same(made, address)


@in_duckdb
@pytest.mark.usefixtures("read")
def test_the_default_with_its_inner_folds(address: str) -> None:
    made = random_tables(11, 40)
    write(made, address)
    assert_same(made, address, pruning="default", smoothing="default", class_weight="balanced")


@in_sqlite
@pytest.mark.usefixtures("read")
def test_examples_that_stand_anywhere_and_rows_without_a_key(address: str) -> None:
    numbers = random.Random(3)
    n = 40
    places = [(one, other) for one in "abcde" for other in range(8)]
    numbers.shuffle(places)
    thing: dict[str, list[Any]] = {
        "town": [one for one, _ in places],
        "number": [other for _, other in places],
        "colour": nominal(numbers, n),
        "class": [numbers.choice("yn") for _ in range(n)],
    }
    rooms = [numbers.choice(places) for _ in range(3 * n)]
    room = {"town": [one for one, _ in rooms], "number": [one for _, one in rooms], "kind": nominal(numbers, 3 * n)}
    for name, value in (("town", None), ("number", 3), ("colour", "r"), ("class", "y")):
        thing[name].insert(5, value)
    links = ["room(town, number) -> thing(town, number)"]
    made = MadeTables({"thing": thing, "room": room}, links, {"thing": ("town", "number")})
    write(made, address)
    memory, inside = both_ways(made, address)
    keys = [tuple(place) for place in sorted(places)]
    expected, found = fitted(memory, keys), fitted(inside, keys)
    assert found.tree_.n_nodes > 1
    assert found.export_text(style="prolog") == expected.export_text(style="prolog")
    assert (found.apply(keys) == expected.apply(keys)).all()


@in_sqlite
@pytest.mark.usefixtures("read")
def test_models_of_memory_and_of_files_predict(address: str, tmp_path: Path) -> None:
    assert_models_from_elsewhere_predict(address, tmp_path)


@in_sqlite
@pytest.mark.usefixtures("read")
def test_keys_that_dangle_are_told_of_once(address: str) -> None:
    made = random_tables(3, 20)
    write(made, address)
    _, inside = both_ways(made, address)
    assert any(one.n_dangling for one in inside.checks)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".* dangle")
        RelationalTreeClassifier(inside, "thing.class", pruning="none", max_depth=2).fit(inside.keys("thing"))


@in_sqlite
@pytest.mark.usefixtures("read")
def test_pruning_that_deals_values_anew(address: str) -> None:
    made = random_tables(3, 14)
    write(made, address)
    assert_same(made, address, pruning=Rand(randomise="attributes"), max_links=1, max_depth=3)
