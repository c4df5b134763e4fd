"""Text files that begin otherwise than with a line of names between commas."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.files.tables import plain, write

from petree.files import FileTable, read_table
from petree.files.first_lines.comments import MOST_LINES
from petree.files.first_lines.separators import LINES_TO_SNIFF


def read(folder: Path, content: str) -> FileTable:
    return read_table(write(folder / "a.csv", content))


def notes_of(table: FileTable, words: str) -> list[str]:
    return [note for note in table.notes if words in note]


# -- words between spaces -------------------------------------------------------------------------------------------

PEOPLE = {"name": ["Anna Bell", "Ben", "Cy"], "city": ["Paris", "New York", "Rome"], "age": [30.0, 40.0, 50.0]}


@pytest.mark.parametrize("quote", ['"', "'"])
@pytest.mark.parametrize("is_header_quoted", [True, False])
def test_words_in_quotes_between_spaces(tmp_path: Path, quote: str, is_header_quoted: bool) -> None:
    head = '"name" "city"  "age"' if is_header_quoted else "name city age"
    text = f'{head}\n"Anna Bell" Paris   30 \n"Ben" "New York" 40\n\n  Cy "Rome" 50\n'
    table = read(tmp_path, text.replace('"', quote))
    assert plain(table) == PEOPLE
    assert notes_of(table, f"separated by spaces, and words that hold spaces stand between {quote}.")
    assert table.place(2).startswith("line 5 of")


def test_two_columns_of_quoted_words(tmp_path: Path) -> None:
    assert plain(read(tmp_path, '"a" "b"\n"x y" 1\n"z" 2\n')) == {"a": ["x y", "z"], "b": [1.0, 2.0]}


def test_names_of_rows_that_r_writes_without_a_name_above_them(tmp_path: Path) -> None:
    table = read(tmp_path, '"size" "kind"\n"1" 5.1 "se tosa"\n"2" 4.9 "virginica"\n')
    assert plain(table) == {"size": [5.1, 4.9], "kind": ["se tosa", "virginica"]}
    assert notes_of(table, "column 1 has no name and holds nothing but the numbers of rows")
    with pytest.raises(ValueError, match=r"Column 1 of .* has no name"):
        read(tmp_path, '"size" "kind"\n"ann" 5.1 "se tosa"\n"bob" 4.9 "virginica"\n')


def test_a_quote_that_is_not_closed_is_named(tmp_path: Path) -> None:
    lines = ['"a" "b"', *['"x y" 1'] * LINES_TO_SNIFF, '"x 1']
    with pytest.raises(ValueError, match=rf"Line {len(lines)} of .*a\.csv is broken: unexpected end of data"):
        read(tmp_path, "\n".join(lines))


@pytest.mark.parametrize("comment", ["", "# a comment\n"])
def test_a_quote_that_is_not_closed_where_spaces_are_told(tmp_path: Path, comment: str) -> None:
    with pytest.raises(ValueError, match=r"is broken: unexpected end of data"):
        read(tmp_path, f'sep= \n{comment}a b\n1 "x\n')
    with pytest.raises(ValueError, match=r"is broken: unexpected end of data"):
        read(tmp_path, f'sep= \n{comment}"a b\n')


def test_quoted_words_that_do_not_make_columns_are_told_of(tmp_path: Path) -> None:
    table = read(tmp_path, 'said\nyes "of course"\nnothing\n')
    assert plain(table) == {"said": ['yes "of course"', "nothing"]}
    assert notes_of(table, "is read as one column, though words in it stand in quotes; if spaces separate columns")


def test_a_word_more_on_each_line_is_told_of(tmp_path: Path) -> None:
    """As R writes it without quotes."""
    table = read(tmp_path, "a b c\n1 1.5 x 2\n2 2.5 z 3\n")
    assert table.names == ["a b c"]
    assert notes_of(table, "each line has one word more than the first; if spaces separate")
    assert not notes_of(read(tmp_path, "a name\none red hat\nno hat\n"), "one word more")


def test_lines_that_all_begin_with_a_mark_are_told_of(tmp_path: Path) -> None:
    table = read(tmp_path, "# a\n# b\n")
    assert notes_of(table, "begins with '#', and is taken for the names of the columns; if it is a comment")


def test_a_first_line_may_say_that_spaces_separate(tmp_path: Path) -> None:
    assert plain(read(tmp_path, "sep= \na b\n1 2\n3 4\n")) == {"a": [1.0, 3.0], "b": [2.0, 4.0]}
    assert plain(read(tmp_path, 'sep= \na b\n1 "x y"\n3 z\n')) == {"a": [1.0, 3.0], "b": ["x y", "z"]}


# -- comments ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mark", ["#", "%", "//", "!"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "  "])
def test_comments_above_a_table_are_left_out_and_told(tmp_path: Path, mark: str, delimiter: str) -> None:
    rows = "a|b|c\n1|2|x\n3|4|y\n".replace("|", delimiter)
    table = read(tmp_path, f'{mark} made by the lab\'s "tool"\n\n{mark}\n{rows}')
    assert plain(table) == {"a": [1.0, 3.0], "b": [2.0, 4.0], "c": ["x", "y"]}
    assert notes_of(table, f"the first 3 lines of {table.path} are comments, since they begin with {mark!r}")
    assert table.place(0).startswith("line 5 of")


def test_a_comment_that_has_as_many_fields_as_the_names_below_it(tmp_path: Path) -> None:
    table = read(tmp_path, "# x, y, z\na,b,c\n1,2,x\n3,4,y\n")
    assert plain(table) == {"a": [1.0, 3.0], "b": [2.0, 4.0], "c": ["x", "y"]}
    assert notes_of(table, f"the first line of {table.path} is a comment")
    assert plain(read(tmp_path, "# one column\nx\n1\n2\n")) == {"x": [1.0, 2.0]}


@pytest.mark.parametrize("n_lines", [LINES_TO_SNIFF, 3 * LINES_TO_SNIFF + 7])
def test_many_comments(tmp_path: Path, n_lines: int) -> None:
    table = read(tmp_path, "# a line, of words\n" * n_lines + "a;b\n" + "1;2\n" * 200)
    assert (table.names, table.n_rows) == (["a", "b"], 200)


def test_very_many_comments_are_none(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is broken"):
        read(tmp_path, "# a line, of words\n" * (MOST_LINES + 2 * LINES_TO_SNIFF) + "a,b,c\n1,2,3\n")


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("#a,b,c\n1,2,x\n3,4,y\n", ["#a", "b", "c"]),
        ("#,name,age\n1,ann,3\n2,bob,4\n", ["#", "name", "age"]),
        ("#chrom\tpos\tref\nchr1\t1\tA\nchr2\t2\tC\n", ["#chrom", "pos", "ref"]),
        ("#a b c\n1 2 3\n4 5 6\n", ["#a", "b", "c"]),
        ("# b c\n1 2 3\n4 5 6\n", ["#", "b", "c"]),
        ("# a b c\n1 2 3\n4 5 6\n", ["a", "b", "c"]),
    ],
)
def test_names_behind_a_mark_are_names(tmp_path: Path, content: str, names: list[str]) -> None:
    table = read(tmp_path, content)
    assert (table.names, table.n_rows) == (names, 2)
    assert not notes_of(table, "comment")
    behind_comments = read(tmp_path, f"# these are some, of many words\n{content}")
    assert (behind_comments.names, behind_comments.n_rows) == (names, 2)
    assert notes_of(behind_comments, "is a comment")


# "unknown" stands above numbers as a name does, but it is a value.
NAMED = "#id,val\na,unknown\nb,2\nc,3\n"


def test_a_text_above_numbers_does_not_make_names_of_a_row(tmp_path: Path) -> None:
    table = read(tmp_path, NAMED)
    assert (table.names, table.n_rows) == (["#id", "val"], 3)


@pytest.mark.parametrize(
    "content", ["# x,y\nname,city\nann,rome\n", "#t,u\n#v,w\nx,y\n", "# words\nred\nblue\n", NAMED]
)
def test_what_may_be_a_comment_or_names_is_told_of(tmp_path: Path, content: str) -> None:
    table = read(tmp_path, content)
    assert table.names == content.splitlines()[0].split(",")
    [note] = notes_of(table, f"line 1 of {table.path} begins with '#'")
    assert note.endswith("is taken for the names of the columns; if it is a comment, take it away.")


# -- names of columns -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        "5.1,3.5,setosa\n4.9,3.0,setosa\n6.0,2.9,virginica\n",
        "?,1.5,a\n4,2.5,b\n7,8.5,a\n",
        "1,1,3\n4,5,6\n7,8,9\n",
        "red,yes,b\nred,no,a\nblue,yes,b\n",
        "5.1 3.5 setosa\n4.9 3.0 setosa\n",
        "% words\n5.1,3.5,setosa\n4.9,3.0,setosa\n",
    ],
)
def test_a_first_line_that_is_surely_a_row_is_one(tmp_path: Path, content: str) -> None:
    table = read(tmp_path, content)
    assert table.names == ["x0", "x1", "x2"]
    rows = [line for line in content.splitlines() if not line.startswith("%")]
    assert table.n_rows == len(rows)
    [note] = notes_of(table, "is read as a row")
    assert "the columns have no names, and are called x0 to x2. Write a line of names above it" in note


@pytest.mark.parametrize(
    "content",
    ["1,2\n4,5\n", "country,2019\nfr,1.5\n", "2024-01-01,1.5\n2024-01-02,2.5\n", "red,small\nred,large\n", "7\n8\n"],
)
def test_a_first_line_that_may_be_a_row_is_told_of(tmp_path: Path, content: str) -> None:
    table = read(tmp_path, content)
    assert table.names == content.splitlines()[0].split(",")
    assert notes_of(
        table, "is taken for the names of the columns, though it could be a row; if it is one, write a line"
    )


@pytest.mark.parametrize(
    "content", ["2019,kind\n1,2\n", "a,b\nx,y\n", ",a\n0,x\n1,y\n", "a,b\n,\n", "only\nx\n", "a,b\n?,1\n"]
)
def test_of_other_first_lines_nothing_is_said(tmp_path: Path, content: str) -> None:
    assert not notes_of(read(tmp_path, content), "line 1 of")


def test_a_large_file_without_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petree.files.delimited.LARGE", 0)
    table = read(tmp_path, "5.1,setosa\n4.9,setosa\n")
    assert plain(table) == {"x0": [5.1, 4.9], "x1": ["setosa", "setosa"]}
