"""Results in a file: what is written is read, and what an interruption leaves behind does no harm."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from lab.experiments.measuring import MEASURES
from lab.experiments.results import HEADS, Key, ResultsFile

FIRST_LINE = ",".join(HEADS) + "\n"
KEYS = [Key("pets", "rand", "0123456789ab", 0, 0), Key('odd, "name"', "a.B(x=1, y=2)", "ba9876543210", 3, 4)]


def found(shift: float) -> dict[str, float]:
    """Every measure with a number of its own, one of them not defined."""
    return {name: place / 7 + shift for place, name in enumerate(MEASURES)} | {"auc": math.nan}


def filled(path: Path) -> ResultsFile:
    file = ResultsFile(path)
    file.add([(KEYS[0], found(0)), (KEYS[1], found(1))])
    return file


def test_what_is_written_is_read(tmp_path: Path) -> None:
    read = filled(tmp_path / "results.csv").read()
    assert list(read) == KEYS
    for key, shift in zip(KEYS, (0, 1), strict=True):
        np.testing.assert_array_equal(read[key], list(found(shift).values()))


def test_a_file_in_a_new_folder(tmp_path: Path) -> None:
    file = ResultsFile(tmp_path / "new" / "folder" / "results.csv")
    assert file.path.read_text() == FIRST_LINE
    assert file.read() == {}


def test_a_file_is_opened_again(tmp_path: Path) -> None:
    file = filled(tmp_path / "results.csv")
    before = file.path.read_bytes()
    again = ResultsFile(file.path)
    assert file.path.read_bytes() == before
    again.add([(KEYS[0]._replace(fold=7), found(2))])
    assert file.path.read_bytes().startswith(before)
    assert len(file.read()) == 3


def test_of_several_results_with_one_key_the_last_counts(tmp_path: Path) -> None:
    file = filled(tmp_path / "results.csv")
    file.add([(KEYS[0], found(5))])
    assert file.read()[KEYS[0]][1] == found(5)["log_likelihood"]
    assert len(file.read()) == 2


def test_a_file_cut_anywhere_keeps_its_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    whole = filled(path).path.read_bytes()
    ends = [place + 1 for place, byte in enumerate(whole) if byte == ord("\n")]
    for length in sorted({*range(0, len(whole), 7), *ends, *(end - 1 for end in ends)}):
        path.write_bytes(whole[:length])
        kept = list(ResultsFile(path).read())
        n_lines = sum(end <= length for end in ends)
        assert kept == KEYS[: max(n_lines - 1, 0)]
        assert path.read_bytes() == whole[: ends[max(n_lines, 1) - 1]]


@pytest.mark.parametrize(
    "content",
    [
        b"hello",
        b"a,b\n1,2\n",
        b"\n",
        b"\xff\xfe\x00binary",
        b"PK\x03\x04\n",
        FIRST_LINE.replace(",auc", "").encode(),
        FIRST_LINE.replace("\n", ",more\n").encode(),
        FIRST_LINE.replace("\n", "\r\n").encode(),
    ],
)
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "results.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"results.csv is no file of results, or one of another version; remove it or"):
        ResultsFile(path)
    assert path.read_bytes() == content


ONES = ["1"] * len(MEASURES)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "pets,rand",
        ",".join(["pets", "rand", "x", "0", "0", *ONES[1:]]),
        ",".join(["pets", "rand", "x", "0", "0", "1", *ONES]),
        ",".join(["pets", "rand", "x", "no", "0", *ONES]),
        ",".join(["pets", "rand", "x", "0", "0", "?", *ONES[1:]]),
    ],
)
def test_a_broken_line_in_the_middle_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "results.csv"
    lines = filled(path).path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:2], f"{line}\n", *lines[2:]]))
    with pytest.raises(ValueError, match=r"^Line 3 of .*results.csv is no result; remove it, and it is computed again"):
        ResultsFile(path).read()


def test_what_a_killed_process_left_is_removed_before_the_next_line(tmp_path: Path) -> None:
    file = filled(tmp_path / "results.csv")
    with file.path.open("ab") as other:
        other.write(b"pets,rand,01")
    file.add([(KEYS[0]._replace(fold=7), found(2))])
    assert len(file.read()) == 3


@pytest.mark.parametrize("name", ["a\nb", "a\rb", "a\r\nb", '"', "\x1b\u2028\x00", "\ud800"])
def test_names_of_any_characters_are_kept(tmp_path: Path, name: str) -> None:
    path = tmp_path / "results.csv"
    key = Key(name, name, "0123456789ab", 0, 0)
    ResultsFile(path).add([(key, found(0)), (KEYS[0], found(0))])
    whole = path.read_bytes()
    assert list(ResultsFile(path).read()) == [key, KEYS[0]]
    for length in range(len(FIRST_LINE), len(whole), 5):
        path.write_bytes(whole[:length])
        assert list(ResultsFile(path).read()) in ([], [key])


def good_lines(n_lines: int) -> str:
    return "".join(f"pets,rand,0123456789ab,0,{fold},{','.join(ONES)}\n" for fold in range(n_lines))


def test_a_quote_within_a_name_begins_nothing(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    line = good_lines(1).replace("pets", 'x"y')
    path.write_text(FIRST_LINE + line + good_lines(20_000))
    whole = path.read_bytes()
    assert len(ResultsFile(path).read()) == 20_001
    assert path.read_bytes() == whole


@pytest.mark.parametrize("n_behind", [0, 1, 20_000])
@pytest.mark.parametrize("last", ["", "pets,ra"])
def test_a_quote_that_is_not_closed_takes_no_results_along(tmp_path: Path, n_behind: int, last: str) -> None:
    path = tmp_path / "results.csv"
    file = filled(path)
    with path.open("a") as other:
        other.write(good_lines(1).replace("pets", '"pets') + good_lines(n_behind) + last)
    whole = path.read_bytes()
    for work in (lambda: ResultsFile(path), lambda: file.add([(KEYS[0], found(0))])):
        with pytest.raises(ValueError, match=r"^Line 4 of .*results.csv is no result; remove it, and it is computed"):
            work()
    assert path.read_bytes() == whole


@pytest.mark.parametrize("n_between", [5, 5000])
def test_a_quote_that_is_closed_much_later_is_named_where_it_begins(tmp_path: Path, n_between: int) -> None:
    path = tmp_path / "results.csv"
    lines = (
        good_lines(1).replace("pets", '"pets') + good_lines(n_between) + good_lines(1).replace("pets", '"pets, too"')
    )
    path.write_text(FIRST_LINE + good_lines(1) + lines)
    with pytest.raises(ValueError, match=r"^Line 3 of .*results.csv is no result"):
        ResultsFile(path).read()


def test_a_name_that_was_cut_behind_a_line_end_is_removed_before_the_next_line(tmp_path: Path) -> None:
    file = filled(tmp_path / "results.csv")
    whole = file.path.read_bytes()
    with file.path.open("ab") as other:
        other.write(b'"odd\n')
    file.add([(KEYS[0]._replace(fold=7), found(2))])
    assert file.path.read_bytes().startswith(whole + b"pets,")
    assert len(file.read()) == 3


def test_lines_that_are_known_to_be_whole_are_not_read_again(tmp_path: Path) -> None:
    file, other = filled(tmp_path / "results.csv"), ResultsFile(tmp_path / "results.csv")
    for fold in range(5, 9):
        (file if fold % 2 else other).add([(KEYS[1]._replace(fold=fold), found(fold))])
        assert max(file.n_whole, other.n_whole) == file.path.stat().st_size
    assert len(file.read()) == 6
