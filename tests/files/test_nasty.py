"""Small files as people have them, beside what a person would say they hold (nasty/expected.json)."""

from __future__ import annotations

import gzip
import io
import json
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.files.tables import write

import petree
from petree.files import FileTable
from petree.inputs import Table, table_of

NASTY = Path(__file__).parent / "nasty"
EXPECTED: dict[str, dict[str, Any]] = json.loads((NASTY / "expected.json").read_text(encoding="utf-8"))
REFUSED = {name: expected for name, expected in EXPECTED.items() if "refused" in expected}
READ = {name: expected for name, expected in EXPECTED.items() if name not in REFUSED}
LIBRARIES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


def kind_of(table: Table, name: str) -> str:
    """What a person would call a column."""
    column = next(column for column in table.columns if column.name == name)
    if column in table.empty_columns():
        return "nothing"
    return column.quantity or column.kind


def cells_of(values: np.ndarray[Any, Any]) -> list[Any]:
    """Values as JSON has them: moments as text, None where missing."""
    if values.dtype.kind == "M":
        return [None if np.isnat(value) else str(value) for value in values]
    plain = [None if value is None or value != value else value for value in values.tolist()]
    return [value if value is None or isinstance(value, (str, float)) else str(value) for value in plain]


def test_every_file_is_small_and_expected() -> None:
    names = {path.name for path in NASTY.iterdir()} - {"expected.json"}
    assert names == set(EXPECTED)
    assert len(names) >= 40
    assert max(path.stat().st_size for path in NASTY.iterdir() if path.name in names) < 1000


@pytest.mark.parametrize("name", READ)
def test_files_are_read_as_a_person_reads_them(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(NASTY)
    expected = READ[name]
    table = petree.read(name, **expected.get("how", {}))
    assert table.n_rows == expected["rows"]
    read = table_of(table)
    assert {column: kind_of(read, column) for column in table} == expected["columns"]
    assert {column: cells_of(table[column]) for column in expected["cells"]} == expected["cells"]
    for words in expected.get("notes", []):
        assert any(words in note for note in table.notes), table.notes
    if expected.get("silent"):
        assert table.notes == []


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_person_can_read_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(NASTY)
    with pytest.raises(ValueError, match=r"[.]$") as refusal:
        table_of(petree.read(name, **REFUSED[name].get("how", {})))
    assert REFUSED[name]["refused"] in str(refusal.value)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", READ)
def test_the_same_tables_as_data_frames(name: str, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(NASTY)
    table = petree.read(name, **READ[name].get("how", {}))
    columns = {column: values if values.dtype.kind != "O" else values.tolist() for column, values in table.items()}
    same_tables(table_of(LIBRARIES[library](columns)), table_of(table))


def same_tables(one: Table, other: Table) -> None:
    assert one.columns == other.columns
    for values, others in zip(one.arrays, other.arrays, strict=True):
        np.testing.assert_array_equal(values, others)


# -- encodings, which git might change ----------------------------------------------------------------------------

TEXT = "name;größe\nZoë;1,5\nÅsa;2\n"
ENCODED: dict[str, tuple[str, bytes, str | None]] = {
    "utf-8": ("a.csv", TEXT.encode(), None),
    "mark": ("a.csv", TEXT.encode("utf-8-sig"), None),
    "utf-16": ("a.csv", TEXT.encode("utf-16"), None),
    "utf-16, big ends first": ("a.csv", b"\xfe\xff" + TEXT.encode("utf-16-be"), None),
    "windows": ("a.csv", TEXT.encode("cp1252"), None),
    "told": ("a.csv", TEXT.encode("mac-roman"), "mac-roman"),
    "windows lines": ("a.csv", TEXT.replace("\n", "\r\n").encode(), None),
    "old lines": ("a.csv", TEXT.replace("\n", "\r").encode(), None),
    "gzip": ("a.csv.gz", gzip.compress(TEXT.encode("cp1252")), None),
}


@pytest.mark.parametrize("case", ENCODED)
def test_encodings(case: str, tmp_path: Path) -> None:
    name, content, encoding = ENCODED[case]
    table = petree.read(write(tmp_path / name, content), encoding=encoding)
    assert table["name"].tolist() == ["Zoë", "Åsa"]
    assert table["größe"].tolist() == [1.5, 2.0]
    assert any("cp1252" in note for note in table.notes) == (case in ("windows", "gzip"))


@pytest.mark.parametrize("encoding", ["klingon", "base64", "utf-8\0"])
def test_encodings_that_are_none(encoding: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="There is no encoding"):
        petree.read(write(tmp_path / "a.csv", TEXT), encoding=encoding)


def test_a_told_encoding_that_does_not_fit(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is not ascii text; save it as UTF-8, or name its encoding"):
        petree.read(write(tmp_path / "a.csv", TEXT), encoding="ascii")


def test_the_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode("cp1252"))))
    table = petree.read("-")
    assert table["name"].tolist() == ["Zoë", "Åsa"]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(ValueError, match="standard input is empty"):
        petree.read("-")


# -- what a user may say --------------------------------------------------------------------------------------------


def three(tmp_path: Path) -> Path:
    return write(tmp_path / "a.csv", "a,b,c\n1,x,2\n3,y,4\n")


def test_columns_are_chosen(tmp_path: Path) -> None:
    assert list(petree.read(three(tmp_path), columns=["c", "a"])) == ["a", "c"]
    assert list(petree.read(three(tmp_path), ignore=["b"])) == ["a", "c"]
    table = petree.read(three(tmp_path))
    assert list(table.without("b")) == ["a", "c"]
    assert repr(table) == f"<table of 2 rows from {tmp_path}/a.csv: a, b, c>"


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"columns": ["z"]}, "has no column 'z'"),
        ({"ignore": ["z"]}, "has no column 'z'"),
        ({"types": {"z": "number"}}, "has no column 'z'"),
        ({"types": {"a": "integer"}}, "Column 'a' cannot be of type 'integer'; the types are number, nominal, date"),
        ({"types": {"b": "time"}}, "Column 'b' must hold times, but line 2 of .* has 'x'"),
        ({"types": {"b": "date-dmy"}}, "Column 'b' must hold dates, but line 2"),
    ],
)
def test_what_cannot_be(tmp_path: Path, said: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        dict(petree.read(three(tmp_path), **said))
    with pytest.raises(TypeError, match="missing_values must be a list of words"):
        petree.read(three(tmp_path), missing_values="NA")


def test_an_order_of_day_and_month_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(NASTY)
    first = [
        str(petree.read("day_or_month_first.csv", types={"day": f"date-{order}"})["day"][0]) for order in ("dmy", "mdy")
    ]
    assert first == ["2024-02-01T00:00:00.000000", "2024-01-02T00:00:00.000000"]
    with pytest.raises(ValueError, match="may have the day or the month first; choose by --types day=date-dmy"):
        dict(petree.read("day_or_month_first.csv", types={"day": "date"}))


@pytest.mark.parametrize(
    ("name", "column", "told"),
    [
        ("two_ways_to_write_numbers.csv", "n", "number"),
        ("neither_day_nor_month_first.csv", "day", "date"),
    ],
)
def test_values_that_are_written_in_several_ways(name: str, column: str, told: str) -> None:
    table = petree.read(NASTY / name, types={column: told})
    with pytest.raises(ValueError, match=f"'{column}' of .* must hold {told}s, which are not all written in one way"):
        table.column(column)


def test_a_model_of_a_file() -> None:
    table = petree.read(NASTY / "a_few_words_told_to_be_missing.csv", missing_values=["about 7"])
    assert isinstance(table, FileTable)
    model = petree.ProbabilityTreeClassifier().fit(table.without("y"), table["y"])
    assert model.predict(table).shape == (41,)


# -- types that only frames have --------------------------------------------------------------------------------------

NATIVE: dict[str, list[Any]] = {
    "day": [date(2024, 3, 1), None, date(2023, 1, 1)],
    "moment": [datetime(2024, 3, 1, 12), None, datetime(2023, 1, 1)],
    "zoned": [datetime(2024, 3, 1, 12, tzinfo=UTC), None, datetime(2023, 1, 1, tzinfo=UTC)],
    "price": [Decimal("1.5"), None, Decimal("2.25")],
    "flag": [True, None, False],
    "whole": [1, None, 3],
    "nothing": [None, None, None],
    "word": ["a", None, "b"],
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_types_that_only_frames_have(library: str) -> None:
    same_tables(table_of(LIBRARIES[library](NATIVE)), table_of(NATIVE))


def test_types_of_pandas_and_polars() -> None:
    grades = ["low", "high"]
    frames = [
        pd.DataFrame(
            {"grade": pd.Categorical(["high", None], grades, ordered=True), "n": pd.array([1, None], "Int64")}
        ),
        pl.DataFrame({"grade": pl.Series(["high", None], dtype=pl.Enum(grades)), "n": [1, None]}),
        pa.table(
            {
                "grade": pa.DictionaryArray.from_arrays(pa.array([1, None], pa.int8()), pa.array(grades), ordered=True),
                "n": pa.array([1, None], pa.int32()),
            }
        ),
    ]
    for frame in frames[1:]:
        same_tables(table_of(frame), table_of(frames[0]))
