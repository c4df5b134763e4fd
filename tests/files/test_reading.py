"""The door to all formats: names, packing and columns by name."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tests.files.tables import plain, write

from petree.files import read_table


def test_gzip(tmp_path: Path) -> None:
    table = read_table(write(tmp_path / "a.csv.gz", gzip.compress(b"a,b\n1,x\n")))
    assert plain(table) == {"a": [1.0], "b": ["x"]}


@pytest.mark.parametrize("content", [gzip.compress(b"a,b\n1,2\n" * 1000)[:-20], b"a,b\n1,2\n"], ids=["cut", "plain"])
def test_broken_gzip_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ValueError, match=r"a\.csv\.gz is not a whole gzip file"):
        read_table(write(tmp_path / "a.csv.gz", content))


@pytest.mark.parametrize("name", ["a.xlsx", "a", "a.parquet.gz"])
def test_unknown_format_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=r"no known format; its name must end in one of \.csv, .*\.parquet"):
        read_table(write(tmp_path / name, "a,b\n1,2\n"))


def test_unknown_column_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    table = read_table(write(tmp_path / "a.csv", "colour,size\nred,1\n"))
    with pytest.raises(
        ValueError, match=r"no column 'color' \(did you mean 'colour'\?\); its columns are colour, size"
    ):
        table.column("color")
    assert list(table.select(["size", "colour"])) == ["size", "colour"]
    with pytest.raises(ValueError, match=r"no column 'kind'; its columns are 'size colour kind'\."):
        read_table(write(tmp_path / "b.csv", "size colour kind\n1 2 3 4\n")).column("kind")


@pytest.mark.parametrize("other", ["0.956", "-0.006"])
def test_points_between_thousands_do_not_follow_a_nought(tmp_path: Path, other: str) -> None:
    table = read_table(write(tmp_path / "table.csv", f"a;x\n4.739,14;1.234\n2,5;{other}\n"))
    assert table["a"].tolist() == [4739.14, 2.5]
    assert table["x"].tolist() == [1.234, float(other)]
    assert any("'x' holds numbers with a decimal point" in note for note in table.notes)


@pytest.mark.parametrize(("first", "written"), [("-0.29", "1,243.5"), ("+7", "1,200"), (".5", "2,000.25")])
def test_the_example_of_a_note_shows_the_way_of_writing(first: str, written: str, tmp_path: Path) -> None:
    """A text that Python reads as a number is no example of numbers with signs between thousands."""
    (note,) = read_table(write(tmp_path / "amounts.csv", f'x,y\n{first},a\n"{written}",b\n')).notes
    assert f"{written!r} is {float(written.replace(',', '')):.15g}" in note
