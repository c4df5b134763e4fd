"""CSV files and their relatives."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.files.tables import plain, write

from petree.files import Reading, read_table, text
from petree.files.first_lines.separators import LINES_TO_SNIFF


def test_columns_are_numbers_or_text(tmp_path: Path) -> None:
    table = read_table(write(tmp_path / "a.csv", "n,t,flag\n1,x,true\n-2.5e3,7,false\n"))
    assert plain(table) == {"n": [1.0, -2500.0], "t": ["x", "7"], "flag": ["true", "false"]}
    assert [values.dtype for values in table.columns] == [np.float64, object, object]


@pytest.mark.parametrize("word", ["", "?", "NA", "NaN", "nan", "null", "None"])
def test_missing_values_of_numbers_and_text(tmp_path: Path, word: str) -> None:
    table = read_table(write(tmp_path / "a.csv", f"n,t\n1,x\n{word},{word}\n"))
    assert plain(table) == {"n": [1.0, None], "t": ["x", None]}
    assert np.isnan(table.columns[0][1])
    assert table.columns[1][1] is None


@pytest.mark.parametrize("value", ["absent", "1_000", "0x1f", "1,5.5", "n/b", "1 2"])
def test_what_is_no_number_and_not_missing_is_text(tmp_path: Path, value: str) -> None:
    assert plain(read_table(write(tmp_path / "a.csv", f'n,m\n1,1\n"{value}",2\n'))) == {
        "n": ["1", value],
        "m": [1.0, 2.0],
    }


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_delimiter_is_found(tmp_path: Path, delimiter: str) -> None:
    content = "a b|c\n1|x, y; z\n2|u\n".replace("x, y; z", '"x, y; z\tw"').replace("|", delimiter)
    assert plain(read_table(write(tmp_path / "a.csv", content))) == {"a b": [1.0, 2.0], "c": ["x, y; z\tw", "u"]}


def test_semicolons_beside_commas_inside_values(tmp_path: Path) -> None:
    table = read_table(write(tmp_path / "a.csv", "size, in cm;kind\n1;a, b\n2;c\n"))
    assert plain(table) == {"size, in cm": [1.0, 2.0], "kind": ["a, b", "c"]}


def test_delimiter_is_found_when_the_head_ends_inside_a_quoted_field(tmp_path: Path) -> None:
    rows = ["1;2,x,3"] * (LINES_TO_SNIFF - 2) + ['1;2,"many\n\nlines",3']
    table = read_table(write(tmp_path / "a.csv", "\n".join(["a;b,c,d", *rows])))
    assert table.names == ["a;b", "c", "d"]
    assert table.n_rows == LINES_TO_SNIFF - 1
    assert table.column("c")[-1] == "many\n\nlines"


def test_spaces_are_no_delimiter_where_a_first_line_says_so(tmp_path: Path) -> None:
    table = read_table(write(tmp_path / "a.csv", "sep=,\nyour full name\nAnna Maria Bell\n"))
    assert plain(table) == {"your full name": ["Anna Maria Bell"]}


def test_a_line_of_other_length_between_spaces_is_named(tmp_path: Path) -> None:
    lines = ["a b c", *["1 2 3"] * LINES_TO_SNIFF, "1 2 3 4"]
    with pytest.raises(ValueError, match=f"Line {len(lines)} of .* is broken: expected 3 fields, found 4"):
        read_table(write(tmp_path / "a.csv", "\n".join(lines)))


def test_quotes_between_spaces_are_characters_like_others(tmp_path: Path) -> None:
    lines = ["a b c", *["1 2 x"] * LINES_TO_SNIFF, '3 4 5"']
    assert plain(read_table(write(tmp_path / "a.csv", "\n".join(lines))))["c"][-1] == '5"'


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_newlines_byte_order_mark_blank_lines_and_spaces(tmp_path: Path, newline: str) -> None:
    content = newline.join(["\ufeffname, n", "Zoë, 1", "", "Åsa, ?", ""])
    table = read_table(write(tmp_path / "a.csv", content))
    assert plain(table) == {"name": ["Zoë", "Åsa"], "n": [1.0, None]}
    assert [table.place(row) for row in (0, 1)] == [f"line 2 of {tmp_path}/a.csv", f"line 4 of {tmp_path}/a.csv"]


def test_text_columns_stay_text(tmp_path: Path) -> None:
    table = read_table(write(tmp_path / "a.csv", "a,b,c\n1,1,\n?,2,\n"), Reading({"a": "nominal", "c": "nominal"}))
    assert plain(table) == {"a": ["1", None], "b": [1.0, 2.0], "c": [None, None]}


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_numbers_are_read_exactly(tmp_path_factory: pytest.TempPathFactory, values: list[float]) -> None:
    path = tmp_path_factory.mktemp("exact") / "a.csv"
    table = read_table(write(path, "a,b\n" + "".join(f"{value!r},x\n" for value in values)))
    np.testing.assert_array_equal(table.columns[0], values)


def test_many_blocks_are_one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "ROWS_AT_ONCE", 3)
    path = write(tmp_path / "a.csv", "a,b\n" + "".join(f"{i},v{i}\n" for i in range(10)))
    table = read_table(path)
    assert plain(table) == {"a": list(range(10)), "b": [f"v{i}" for i in range(10)]}
    assert table.lines is not None
    assert table.lines.tolist() == list(range(2, 12))
    with path.open("a") as stream:
        stream.write("1,2,3\n")
    with pytest.raises(ValueError, match=r"Line 12 of .*expected 2 fields, found 3"):
        read_table(path)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("a,b\n1,2\n1,2,3\n", r"Line 3 of .*a\.csv is broken: expected 2 fields, found 3\."),
        ("a,b\n1,2\n1\n", r"Line 3 of .*expected 2 fields, found 1\."),
        ('a,b\n1,"x\ny\nz"\n\n1\n', r"Line 6 of .*expected 2 fields, found 1\."),
        ('a,b\n1,2\n3,"x\n4,5\n', r"Line 3 of .*a\.csv is broken: unexpected end of data\."),
        ("", r"a\.csv is empty; it needs a header"),
        ("\n\n", r"a\.csv is empty; it needs a header"),
        ("a,b\n", r"a\.csv has no rows of data"),
        ("a,b,a\n1,2,3\n", r"a\.csv has two columns named 'a'"),
        (",a\n5,2\n", r"Column 1 of .*a\.csv has no name"),
    ],
)
def test_bad_csv_is_refused(tmp_path: Path, content: str | bytes, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        read_table(write(tmp_path / "a.csv", content))


def test_a_very_long_field_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("a,b\n" + "x" * 200_000 + ",1\n")
    assert [len(value) for value in read_table(path).columns[0]] == [200_000]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_first_line_may_name_the_separator(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "excel.csv"
    path.write_bytes(f"sep={delimiter}\r\nsize{delimiter}word\r\n1.5{delimiter}red\r\n".encode())
    table = read_table(path)
    assert (list(table), table["size"].tolist(), table["word"].tolist()) == (["size", "word"], [1.5], ["red"])
    assert table.place(0) == f"line 3 of {path}"


def test_a_column_may_be_called_like_a_separator(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("sep=x,word\n1,a\n")
    assert list(read_table(path)) == ["sep=x", "word"]
