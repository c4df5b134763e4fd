"""Files that are none, or not what their name says, and numbers that float64 cannot hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.files.tables import plain, write

from petree.files import Reading, read_table
from petree.files.table import LARGEST_WHOLE
from petree.inputs import values


def arff(value: str) -> str:
    return f"@attribute id numeric\n@data\n1\n{value}\n"


@pytest.mark.parametrize("value", ["9007199254740993", "-9007199254740993", " +0009007199254740993", "9" * 5000])
@pytest.mark.parametrize(("name", "line"), [("a.csv", 3), ("a.arff", 4)])
def test_whole_numbers_beyond_exactness_are_refused(tmp_path: Path, name: str, line: int, value: str) -> None:
    content = f"id,b\n1,2\n{value},2\n" if name == "a.csv" else arff(value)
    with pytest.raises(ValueError, match=rf"'id' holds a whole number beyond 2\*\*53 in line {line} of .*{name}"):
        read_table(write(tmp_path / name, content)).select(["id"])


def test_columns_that_nobody_asks_for_hold_whole_numbers_of_any_size(tmp_path: Path) -> None:
    table = read_table(write(tmp_path / "a.csv", "id,b\n123456789012345678,2\n"))
    assert table.select(["b"])["b"].tolist() == [2]


@pytest.mark.parametrize("value", ["9007199254740992", "-9007199254740992", "1e20", "90071992547409930.5", "+00001"])
def test_other_large_numbers_are_read(tmp_path: Path, value: str) -> None:
    assert read_table(write(tmp_path / "a.csv", f"a,b\n{value},2\n")).columns[0].tolist() == [float(value)]


def test_text_columns_hold_numbers_of_any_length(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "a,b\n9007199254740993,2\n")
    assert plain(read_table(path, Reading({"a": "nominal"})))["a"] == ["9007199254740993"]


def test_files_and_arrays_have_one_bound() -> None:
    assert LARGEST_WHOLE == values.LARGEST_WHOLE


@pytest.mark.parametrize("kind", ["int64", "uint64", "decimal128(30)", "dictionary"])
def test_whole_numbers_beyond_exactness_in_parquet(tmp_path: Path, kind: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    kinds = {"int64": pyarrow.int64(), "uint64": pyarrow.uint64(), "decimal128(30)": pyarrow.decimal128(30)}
    for number, is_read in ((2**53, True), (2**53 + 1, False)):
        column = pyarrow.array([1, None, number], kinds.get(kind, pyarrow.int64()))
        column = column.dictionary_encode() if kind == "dictionary" else column
        parquet.write_table(pyarrow.table({"id": column}), tmp_path / "a.parquet")
        if is_read:
            np.testing.assert_array_equal(read_table(tmp_path / "a.parquet").columns[0], [1, np.nan, 2**53])
        else:
            with pytest.raises(ValueError, match=r"'id' holds a whole number beyond 2\*\*53 in row 3 of .*a\.parquet"):
                read_table(tmp_path / "a.parquet").column("id")


def test_parquet_text_that_is_not_utf_8(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    broken = pyarrow.StringArray.from_buffers(1, pyarrow.py_buffer(b"\0\0\0\0\1\0\0\0"), pyarrow.py_buffer(b"\xff"))
    parquet.write_table(pyarrow.table({"word": broken}), tmp_path / "a.parquet")
    with pytest.raises(ValueError, match=r"Column 'word' of .*a\.parquet cannot be read"):
        read_table(tmp_path / "a.parquet")


@pytest.mark.parametrize("name", ["a.csv", "a.arff", "a.csv.gz"])
def test_a_folder_is_no_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(ValueError, match=f"{name} is a folder"):
        read_table(tmp_path / name)


@pytest.mark.parametrize("name", ["a.csv", "a.arff", "a.parquet"])
def test_a_file_that_is_not_there(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileNotFoundError, match=name):
        read_table(tmp_path / name)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\xff\xfea\0,", r"is not utf-16 text; save it as UTF-8, or name its encoding"),
        (b"a,b\n1,\x81\xff\n", r"is not UTF-8 or cp1252 text; save it as UTF-8, or name its encoding"),
        ("a,b\n1,2\n".encode("utf-16-le"), r"Line 1 of .* holds a zero byte"),
        (b"a,b\n1,2\n3,\x004\n", r"Line 3 of .* holds a zero byte, so it is no text"),
        (b"\x89PNG\r\n\x1a\n\0\0", r"Line 3 of .* holds a zero byte"),
        (b"\xef\xbb\xbf", r"is empty; it needs a header"),
    ],
    ids=["half utf-16", "no text of windows", "utf-16 without mark", "zero byte", "picture", "mark alone"],
)
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        read_table(write(tmp_path / "a.csv", content))


def test_the_line_of_a_wrong_number_is_the_first_of_them(tmp_path: Path) -> None:
    rows = [str(i) for i in range(1000)]
    rows[700] = "x"
    rows[900] = "y"
    with pytest.raises(ValueError, match=r"line 703 of .*a\.arff has 'x'"):
        read_table(write(tmp_path / "a.arff", "@attribute a numeric\n@data\n" + "\n".join(rows)))


def test_of_very_many_columns_a_message_lists_some(tmp_path: Path) -> None:
    table = read_table(write(tmp_path / "a.csv", ",".join(f"c{j}" for j in range(1000)) + "\n" + ",".join("1" * 1000)))
    with pytest.raises(ValueError, match="c48, c49 and 950 more"):
        table.column("x")


def test_names_of_any_characters_are_shown_as_text(tmp_path: Path) -> None:
    table = read_table(write(tmp_path / "a.csv", "a\x1b[2J,b\n1,2\n"))
    with pytest.raises(ValueError, match=r"its columns are a\\x1b\[2J, b\.$"):
        table.column("x")
