"""Runs that end in the middle: what was done is kept, what was half done is never taken for whole."""

from __future__ import annotations

import errno
import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow
import pyarrow.parquet
import pytest
from tests.partitions.tables import arrow, frame, write_folder

from petree import writing
from petree.partitions import CodedData, code_files, open_codes
from petree.partitions.coding import first_pass, making, second_pass
from petree.partitions.reading.pieces import Piece, naming

COLUMNS = ["few", "gaps", "text", "y"]


class Killed(BaseException):
    """The end of a run."""


def table() -> pd.DataFrame:
    return frame(200)[COLUMNS]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "data", table(), [60, 120], 1000)


def same(one: CodedData, other: CodedData) -> bool:
    first = one.whole()
    second = other.whole()
    return np.array_equal(first.narrow, second.narrow) and np.array_equal(first.keys, second.keys)


def kill_at(monkeypatch: pytest.MonkeyPatch, moment: int, error: BaseException) -> None:
    """End the run at the nth step that touches the disk: before a file, in the middle of it, before it has its name."""
    steps = iter(range(10**6))

    def step() -> None:
        if next(steps) == moment:
            raise error

    whole_open = open
    whole_replace = os.replace
    whole_fsync = os.fsync

    def opened(*arguments: Any, **options: Any) -> Any:
        step()
        return whole_open(*arguments, **options)

    def replaced(*arguments: Any) -> None:
        step()
        whole_replace(*arguments)

    def synced(*arguments: Any) -> None:
        step()
        whole_fsync(*arguments)

    for module in (writing, second_pass):
        monkeypatch.setattr(module, "open", opened, raising=False)
    monkeypatch.setattr(os, "replace", replaced)
    monkeypatch.setattr(os, "fsync", synced)


@pytest.mark.parametrize("error", [Killed(), OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))])
def test_a_run_that_ends_anywhere_goes_on(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    expected = code_files(data, "y", tmp_path / "whole")
    n_ends = 0
    for moment in range(100):
        folder = tmp_path / f"codes-{moment}"
        with monkeypatch.context() as patched:
            kill_at(patched, moment, error)
            try:
                code_files(data, "y", folder)
                break
            except (Killed, OSError):
                n_ends += 1
        if not (folder / "manifest.json").exists():
            with pytest.raises(ValueError, match=r"not finished|not there"):
                open_codes(folder)
        assert same(code_files(data, "y", folder), expected)
        assert not list(folder.rglob("*.tmp"))
    assert n_ends >= 10


def test_what_is_done_is_not_done_again(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        kill_at(patched, 12, Killed())
        with pytest.raises(Killed):
            code_files(data, "y", tmp_path / "codes")
    done = {file.name: file.stat().st_mtime_ns for file in (tmp_path / "codes" / "parts").glob("*.codes")}
    assert done
    monkeypatch.setattr(first_pass, "find_plan", None)
    monkeypatch.setattr(making, "find_plan", None)
    journal = (tmp_path / "codes" / "journal.jsonl").read_text().splitlines()
    code_files(data, "y", tmp_path / "codes")
    for name in sorted(done)[: len(journal)]:
        assert (tmp_path / "codes" / "parts" / name).stat().st_mtime_ns == done[name]


def test_a_full_disk_names_the_file(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with monkeypatch.context() as patched:
        kill_at(patched, 8, full)
        sentence = r"part-0.parquet could not be written to .*codes \(No space left on device\).* Make room .* is kept"
        with pytest.raises(OSError, match=sentence):
            code_files(data, "y", tmp_path / "codes")
    kill_at(monkeypatch, 1, full)
    with pytest.raises(OSError, match=r"The plan .* could not be written to .*plan.json \(No space") as found:
        code_files(data, "y", tmp_path / "others")
    assert "kept" not in str(found.value)


def test_a_file_that_cannot_be_read_in_the_second_pass(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk or a network that fails for a while: the files are the same when it is back."""
    expected = code_files(data, "y", tmp_path / "whole")
    with monkeypatch.context() as patched:
        patched.setattr(second_pass, "_parts_of", fail_to_read)
        with pytest.raises(ValueError, match=r"part-0.parquet cannot be read: the network .* is kept: code the data"):
            code_files(data, "y", tmp_path / "codes")
    assert same(code_files(data, "y", tmp_path / "codes"), expected)


def fail_to_read(piece: Piece, *_: Any) -> None:
    with naming(piece.name):
        raise OSError("the network is gone")


def test_half_a_line_of_the_journal_counts_for_nothing(tmp_path: Path, data: Path) -> None:
    expected = code_files(data, "y", tmp_path / "codes")
    journal = tmp_path / "codes" / "journal.jsonl"
    lines = journal.read_text()
    (tmp_path / "codes" / "manifest.json").unlink()
    journal.write_text(lines[: len(lines) // 2])
    assert same(code_files(data, "y", tmp_path / "codes"), expected)


# -- damage -------------------------------------------------------------------------------------------------------


def flip(path: Path, place: int = 10) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)


def test_a_damaged_part_is_named_and_made_again(tmp_path: Path, data: Path) -> None:
    expected = code_files(data, "y", tmp_path / "whole")
    code_files(data, "y", tmp_path / "codes")
    part = sorted((tmp_path / "codes" / "parts").iterdir())[1]
    flip(part)
    with pytest.raises(ValueError, match=f"{part.name} is not as it was written, the codes of .*part-1.parquet"):
        open_codes(tmp_path / "codes").whole()
    assert same(code_files(data, "y", tmp_path / "codes"), expected)
    part.write_bytes(part.read_bytes()[:-1])
    with pytest.raises(ValueError, match=f"{part.name}, the codes of .*part-1.parquet, is not there or not whole"):
        open_codes(tmp_path / "codes")
    part.unlink()
    assert same(code_files(data, "y", tmp_path / "codes"), expected)


@pytest.mark.parametrize("name", ["plan.json", "manifest.json"])
@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": "petree codes", "version": 2}', "\0", "[" * 10**5])
def test_damaged_lists_are_named(tmp_path: Path, data: Path, name: str, content: str) -> None:
    code_files(data, "y", tmp_path / "codes")
    (tmp_path / "codes" / name).write_text(content)
    with pytest.raises(ValueError, match=f"{name} is damaged"):
        open_codes(tmp_path / "codes")


def test_a_plan_of_other_codes(tmp_path: Path, data: Path) -> None:
    code_files(data, "y", tmp_path / "codes")
    plan = tmp_path / "codes" / "plan.json"
    plan.write_text(plan.read_text().replace('"few"', '"some"'))
    with pytest.raises(ValueError, match="not the one that the codes were made by"):
        open_codes(tmp_path / "codes")
    plan.write_text(plan.read_text().replace('"version": 2', '"version": 9'))
    with pytest.raises(ValueError, match="version 9"):
        open_codes(tmp_path / "codes")


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not there"):
        open_codes(tmp_path)


# -- the data -----------------------------------------------------------------------------------------------------


def test_changed_data_are_noticed(tmp_path: Path, data: Path) -> None:
    code_files(data, "y", tmp_path / "codes")
    pyarrow.parquet.write_table(arrow(table()[:70]), data / "part-1.parquet")
    with pytest.raises(ValueError, match="codes of other data or of other settings"):
        code_files(data, "y", tmp_path / "codes")
    with pytest.raises(ValueError, match="other settings"):
        code_files(data, "y", tmp_path / "codes", ignore=["few"])


def test_data_that_change_between_the_passes_are_noticed(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find_plan = making.find_plan

    def find_and_change(*arguments: Any) -> Any:
        plan = find_plan(*arguments)
        pyarrow.parquet.write_table(arrow(table()[60:120].assign(text="new")), data / "part-1.parquet")
        return plan

    monkeypatch.setattr(making, "find_plan", find_and_change)
    with pytest.raises(ValueError, match=r"part-1.parquet: the data have changed since the first pass"):
        code_files(data, "y", tmp_path / "codes")


def test_a_corrupt_file_is_named(tmp_path: Path, data: Path) -> None:
    path = data / "part-2.parquet"
    content = bytearray(path.read_bytes())
    content[4 : len(content) // 2] = bytes(len(content) // 2 - 4)
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"part-2.parquet cannot be read") as found:
        code_files(data, "y", tmp_path / "codes")
    assert "kept" not in str(found.value)  # the first pass begins anew
    path.write_bytes(b"nothing")
    with pytest.raises(ValueError, match=r"part-2.parquet cannot be read"):
        code_files(data, "y", tmp_path / "codes")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda rows: rows.drop(columns="few"), r"part-1.parquet has no column 'few', which .*part-0.parquet has"),
        (lambda rows: rows.assign(few="a"), r"Column 'few' of .*part-1.parquet is of type large_string, but .* int64"),
    ],
)
def test_a_file_of_other_columns_is_named(tmp_path: Path, data: Path, change: Any, sentence: str) -> None:
    pyarrow.parquet.write_table(arrow(change(table()[:60])), data / "part-1.parquet")
    with pytest.raises(ValueError, match=sentence):
        code_files(data, "y", tmp_path / "codes")


def test_numbers_of_several_types_go_together(tmp_path: Path, data: Path) -> None:
    rows = table()[60:120]
    pyarrow.parquet.write_table(arrow(rows.assign(few=rows["few"] + 0.0)), data / "part-1.parquet")
    pyarrow.parquet.write_table(arrow(table()[120:].assign(gaps=None)), data / "part-2.parquet")
    codes = code_files(data, "y", tmp_path / "codes")
    assert codes.columns[0].column.kind == "number"
    assert (codes.whole().narrow[120:, 1] == codes.columns[1].n_bins).all()


# -- the folder ---------------------------------------------------------------------------------------------------


def test_folders_that_cannot_be_taken(tmp_path: Path, data: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="is a file"):
        code_files(data, "y", tmp_path / "file")
    with pytest.raises(OSError, match="cannot be made"):
        code_files(data, "y", tmp_path / "no" / "codes")
    with pytest.raises(ValueError, match=r"holds other files, such as part-0.parquet"):
        code_files(data, "y", data)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the administrator may write everywhere")
def test_a_read_only_folder(tmp_path: Path, data: Path) -> None:
    (tmp_path / "codes").mkdir()
    (tmp_path / "codes").chmod(0o500)
    with pytest.raises(OSError, match=r"plan.json"):
        code_files(data, "y", tmp_path / "codes")


def test_no_rows_with_weight(tmp_path: Path) -> None:
    rows = table().assign(w=0.0)
    with warnings.catch_warnings(), pytest.raises(ValueError, match="no rows that have a weight"):
        code_files(arrow(rows), "y", tmp_path / "codes", weights="w")
