"""One column that cannot be read does not keep the others from being read."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from petree.relational import Database

LARGE = [2**60 + 1, 2**60 + 2, 3]


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ([1.0, np.inf, 2.0], "infinite"),
        ([1, "a", 2], "mixes values"),
        (np.array([1, 2, 3], "timedelta64[s]"), "durations"),
        (LARGE, rf"{2**60 + 1} in row 0: .* beyond 2\*\*53\. Divide them, or pass them as floats"),
        (pd.Series([None, *LARGE[:2]], dtype="Int64"), rf"{2**60 + 1} in row 1: .*beyond 2"),
    ],
)
def test_the_error_says_how_to_go_on(values: Any, problem: str) -> None:
    tables = {"thing": {"id": [1, 2, 3], "odd": values, "kind": ["a", "b", "a"]}}
    told = rf"'?odd'? .*{problem}|thing\.odd'.*{problem}"
    with pytest.raises((TypeError, ValueError), match=told) as raised:
        Database(tables, keys={"thing": "id"})
    assert "leave_out=['thing.odd']" in str(raised.value)
    database = Database(tables, keys={"thing": "id"}, leave_out=["thing.odd"])
    assert database.relation("thing").names == ["id", "kind"]


@pytest.mark.parametrize("made", [list, pd.Series])
def test_a_bad_date_is_named_by_its_own_row(made: Any) -> None:
    days: list[Any] = [date(2024, 1, 1 + number) for number in range(20)]
    days[5] = "2024-13-45"
    told = r"Table 'visit': Column 'day' holds dates, but '2024-13-45' \(text\) in row 5; .* leave_out=\['visit\.day'\]"
    with pytest.raises(TypeError, match=told):
        Database({"visit": {"patient": range(20), "day": made(days)}})


@pytest.mark.parametrize(
    ("declared", "needed"),
    [
        ({"links": ["part.thing -> thing.id"]}, r"the link 'part\.thing -> thing\.id'"),
        ({"keys": {"part": "thing"}}, "the key of 'part'"),
        ({"time": {"part": "thing"}}, "the time of 'part'"),
    ],
)
def test_the_error_advises_nothing_that_would_be_refused(declared: Any, needed: str) -> None:
    tables = {"thing": {"id": [1, 2]}, "part": {"thing": [1, "1"]}}
    told = f"'thing' mixes .*; make all of them text or .* It cannot be left out, since {needed} needs it"
    with pytest.raises(TypeError, match=told) as raised:
        Database(tables, **declared)
    assert "leave_out" not in str(raised.value)


@pytest.mark.parametrize(
    ("leave_out", "problem"),
    [
        ("thing.id", "leave_out must be a sequence of columns"),
        (["thing.size"], "Table 'thing' has no column 'size'"),
        (["thong.id"], "The database has no table 'thong'"),
    ],
)
def test_what_is_not_there_cannot_be_left_out(leave_out: Any, problem: str) -> None:
    with pytest.raises((TypeError, ValueError), match=problem):
        Database({"thing": {"id": [1]}}, leave_out=leave_out)


@pytest.mark.parametrize("made", [list, np.array, pd.Series, pl.Series, lambda values: np.array(values, object)])
def test_keys_of_64_bits_are_exact(made: Any) -> None:
    """As floats the first two would be the same."""
    tables = {"thing": {"id": made(LARGE)}, "part": {"thing": made([LARGE[1], LARGE[0], LARGE[1]])}}
    database = Database(tables, ["part.thing -> thing.id"])
    assert database.keys("thing").tolist() == LARGE
    assert database.rows("thing", made([LARGE[1], LARGE[0]])).tolist() == [1, 0]
    assert database.rows("thing", [3]).tolist() == [2]
    part, thing = database.relation("part"), database.relation("thing")
    link = database.link("part", [part.place("thing")], "thing", [thing.place("id")])
    assert link.rows[link.starts].tolist() == [1, 0, 1]
    with pytest.raises(ValueError, match=r"no row with thing\.id = 1152921504606846979"):
        database.rows("thing", made([2**60 + 3]))


def test_missing_keys_of_64_bits_stay_missing() -> None:
    tables = {"thing": {"id": LARGE}, "part": {"thing": pd.Series([LARGE[1], None, 3], dtype="Int64")}}
    database = Database(tables, ["part.thing -> thing.id"])
    assert [database.relation("part").columns[0].value(row) for row in range(3)] == [LARGE[1], None, 3]
    assert database.checks[0].n_missing == 1


def test_small_numbers_may_point_to_large_ones() -> None:
    tables = {"thing": {"id": LARGE}, "part": {"thing": [3.0, np.nan, 3.0]}}
    database = Database(tables, ["part.thing -> thing.id"])
    assert [database.relation("part").columns[0].value(row) for row in range(3)] == [3, None, 3]


def test_a_time_must_be_exact() -> None:
    with pytest.raises(ValueError, match=r"time column 'thing\.at' holds whole numbers beyond 2\*\*53"):
        Database({"thing": {"id": [1, 2, 3], "at": LARGE}}, time={"thing": "at"})


@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Brussels"])
def test_a_datetime_index_is_a_column_of_dates(zone: str | None) -> None:
    days = pd.date_range("2001-01-01", periods=3, tz=zone)
    column = Database({"thing": {"id": [1, 2, 3], "day": days}}).relation("thing").columns[1]
    assert column.is_date
    assert column.domain.numbers[0] == pytest.approx(11323 - (1 / 24 if zone == "Europe/Brussels" else 0))


@pytest.mark.parametrize("url", ["sqlite://", "duckdb:///:memory:"])
def test_databases_keep_keys_exact_and_leave_columns_and_their_links_out(url: str) -> None:
    sa = pytest.importorskip("sqlalchemy")
    if url.startswith("duckdb"):
        pytest.importorskip("duckdb_engine")
    engine = sa.create_engine(url, poolclass=sa.pool.StaticPool)
    links = ["part.thing -> thing.id"]
    Database({"thing": {"id": LARGE}, "part": {"thing": LARGE, "kind": list("abc")}}, links).to_sql(engine)
    assert sorted(Database.from_url(engine, links=links).keys("thing").tolist()) == sorted(LARGE)
    fewer = Database.from_url(engine, leave_out=["part.thing"])
    assert fewer.foreign_keys == ()
    assert fewer.relation("part").names[0] == "kind"
