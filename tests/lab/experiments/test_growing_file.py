"""A file that grows, of any heads; `test_results` has what interruptions do to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.experiments.growing_file import GrowingFile


class Sizes(GrowingFile):
    heads = ("name", "size")


def test_rows_come_back_with_the_lines_they_begin_at(tmp_path: Path) -> None:
    file = Sizes(tmp_path / "sizes.csv")
    file.append([("a", 1), ("two\nlines", 0.1)])
    Sizes(file.path).append([('b, "c"', 3)])
    assert list(file.rows()) == [(2, ["a", "1"]), (3, ["two\nlines", "0.1"]), (5, ['b, "c"', "3"])]


def test_files_of_other_heads_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "sizes.csv"
    path.write_text("name,length\n")
    with pytest.raises(ValueError, match=r"sizes\.csv is no file of results, or one of another version"):
        Sizes(path)
