"""Tables of all libraries give the same relations."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.relational.decoded import rows

from petree.relational.database import Database
from petree.relational.relations import KEY, NOMINAL, NUMBER

COLUMNS: dict[str, list[Any]] = {
    "id": [3, 1, 2],
    "colour": ["red", None, "blue"],
    "weight": [1.5, None, -2.0],
    "is_new": [True, False, None],
    "number": [7, 5, 7],
}
FRAMES: list[Callable[[dict[str, list[Any]]], Any]] = [dict, pd.DataFrame, pl.DataFrame, pa.table]


@pytest.mark.parametrize("frame", FRAMES)
def test_every_library_gives_the_same_relation(frame: Callable[..., Any]) -> None:
    database = Database({"thing": frame(COLUMNS)}, keys={"thing": "id"})
    assert rows(database, "thing") == list(zip(*COLUMNS.values(), strict=True))
    columns = database.relation("thing").columns
    assert [column.kind for column in columns] == [KEY, NOMINAL, NUMBER, NOMINAL, NUMBER]
    assert [list(column.domain.values) for column in columns] == [
        [1, 2, 3],
        ["blue", "red"],
        [-2.0, 1.5],
        [False, True],
        [5, 7],
    ]


@pytest.mark.parametrize(
    "values",
    [
        pd.Categorical(["b", None, "a"], categories=["c", "b", "a"]),
        pl.Series(["b", None, "a"], dtype=pl.Enum(["c", "b", "a"])),
    ],
    ids=["pandas", "polars"],
)
def test_declared_categories_keep_their_order(values: Any) -> None:
    series = pd.Series(values) if isinstance(values, pd.Categorical) else values
    column = Database({"thing": {"size": series}}).relation("thing").columns[0]
    assert list(column.domain.values) == ["c", "b", "a"]
    assert column.codes.tolist() == [1, -1, 2]


MOMENTS = [datetime(1970, 1, 2, 12), None, datetime(2000, 1, 1)]
DAYS = [1.5, None, (date(2000, 1, 1) - date(1970, 1, 1)).days]
EAST = timezone(timedelta(hours=3))


@pytest.mark.parametrize(
    "values",
    [
        MOMENTS,
        np.array(MOMENTS, "datetime64[ns]"),
        np.array(MOMENTS, object),
        pd.Series(MOMENTS),
        pd.Series(MOMENTS, dtype=object),
        pl.Series(MOMENTS),
        pa.chunked_array([MOMENTS]),
        [moment and moment.replace(tzinfo=UTC).astimezone(EAST) for moment in MOMENTS],
        pl.Series(MOMENTS).dt.replace_time_zone("UTC").dt.convert_time_zone("Asia/Tokyo"),
        pd.Series(MOMENTS).dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo"),
    ],
    ids=lambda values: type(values).__module__ + str(getattr(values, "dtype", "")),
)
def test_dates_become_days(values: Any) -> None:
    database = Database({"visit": {"at": values}}, time={"visit": "at"})
    assert rows(database, "visit") == [(day,) for day in DAYS]
    relation = database.relation("visit")
    assert relation.time == 0
    assert relation.columns[0].kind == NUMBER


def test_days_of_plain_dates() -> None:
    dates = [date(1970, 1, 1), date(1969, 12, 31), None]
    for values in (dates, pl.Series(dates), pd.Series(dates)):
        assert rows(Database({"visit": {"at": values}}), "visit") == [(0,), (-1,), (None,)]


def test_times_without_values_are_numbers() -> None:
    database = Database({"visit": {"at": [None, None]}}, time={"visit": "at"})
    times = database.relation("visit").times
    assert times is not None
    assert np.isnan(times).all()


def test_empty_and_missing_columns() -> None:
    tables = {"molecule": {"id": [1, 2]}, "atom": {"molecule": [], "element": []}, "ring": {"molecule": [None, None]}}
    database = Database(tables, ["atom.molecule -> molecule.id", "ring.molecule -> molecule.id"])
    assert database.relation("atom").n_rows == 0
    assert rows(database, "ring") == [(None,), (None,)]
    one, other = (database.relation(name).columns[0].domain for name in ("molecule", "atom"))
    assert one is other


@pytest.mark.parametrize(
    ("frame", "error", "message"),
    [
        (np.zeros((2, 2)), TypeError, "Table 'thing': a ndarray has no named columns"),
        (
            pd.DataFrame([[1, 2]], columns=["a", "a"]),
            ValueError,
            "Table 'thing': The column name 'a' occurs more than once",
        ),
        ({"a": [1, 2], "b": [1]}, ValueError, "Table 'thing': Column 'b' has 1 rows"),
        ({"a": [1, "x"]}, TypeError, "Table 'thing': Column 'a' mixes values"),
        ({"a": [1.0, np.inf]}, ValueError, "Table 'thing': Column 'a' holds an infinite value"),
        ({"a": [[1], [2]]}, (TypeError, ValueError), "Table 'thing': Column 'a'"),
        ({}, ValueError, "Table 'thing': The table has no columns"),
    ],
)
def test_bad_tables_are_refused(frame: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        Database({"thing": frame})
