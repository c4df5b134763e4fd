"""Parquet files."""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import pytest
from tests.files.tables import plain, write

from petree.files import read_table
from petree.inputs import table_of


def test_parquet(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {
        "whole": [1, None, 3],
        "real": [0.1, 2.0, None],
        "text": ["a", None, ""],
        "truth": [True, None, False],
        "category": pyarrow.array(["u", "v", None]).dictionary_encode(),
        "nothing": pyarrow.nulls(3),
    }
    parquet.write_table(pyarrow.table(columns), tmp_path / "a.parquet")
    table = read_table(tmp_path / "a.parquet")
    assert plain(table) == {
        "whole": [1.0, None, 3.0],
        "real": [0.1, 2.0, None],
        "text": ["a", None, ""],
        "truth": ["true", None, "false"],
        "category": ["u", "v", None],
        "nothing": [None, None, None],
    }
    assert [values.dtype.kind for values in table.columns] == list("ffOOOf")
    assert table.place(1) == f"row 2 of {tmp_path}/a.parquet"


def test_parquet_refuses_other_kinds_of_columns_where_they_are_asked_for(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table({"parts": [[1, 2]], "size": [2.5]}), tmp_path / "a.parquet")
    table = read_table(tmp_path / "a.parquet")
    assert table.column("size").tolist() == [2.5]
    with pytest.raises(ValueError, match=r"Column 'parts' of .*a\.parquet is of type list"):
        table.column("parts")


def test_parquet_with_moments(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {
        "day": [date(2020, 1, 1), None],
        "moment": [datetime(2020, 1, 1, 12), None],
        "zoned": pyarrow.array([datetime(2020, 1, 1, 12, tzinfo=UTC), None]),
        "time": [time(12), None],
        "length": [timedelta(days=2), None],
    }
    parquet.write_table(pyarrow.table(columns), tmp_path / "a.parquet")
    table = read_table(tmp_path / "a.parquet")
    quantities = {column.name: column.quantity for column in table_of(table).columns}
    assert list(quantities.values()) == ["date", "date", "zoned date", "time", "duration"]
    assert table["zoned"].tolist() == [datetime(2020, 1, 1, 12, tzinfo=UTC), None]


def test_broken_parquet_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    with pytest.raises(ValueError, match=r"a\.parquet cannot be read as Parquet"):
        read_table(write(tmp_path / "a.parquet", "a,b\n1,2\n"))


def test_parquet_without_pyarrow_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install 'petree\[parquet\]'"):
        read_table(write(tmp_path / "a.parquet", ""))
