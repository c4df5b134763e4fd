"""``petree fit`` and ``petree predict`` with folders: the answers of one file, some rows at a time."""

from __future__ import annotations

import signal
import socket
import tempfile
from pathlib import Path

import dask
import pyarrow.csv
import pyarrow.parquet
import pytest
from tests.cli.shell import Shell

from petree import code_files
from petree.cli import tables, workers
from petree.estimators.partitioned import classifier
from petree.partitions.coding import second_pass


@pytest.fixture
def folder(shell: Shell, model: Path) -> Path:
    """The pets in two files, and in one."""
    lines = Path("pets.csv").read_text().splitlines()
    Path("folder").mkdir()
    middle = len(lines) // 3
    shell.write("folder/a.csv", "\n".join(lines[:middle]) + "\n")
    shell.write("folder/b.csv", "\n".join([lines[0], *lines[middle:]]) + "\n")
    return Path("folder")


def test_answers_are_those_of_one_file(
    shell: Shell, model: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "BATCH_ROWS", 7)
    options = ("--id", "row", "--intervals", "--reasons", "--target", "kind")
    whole = shell("predict", model, "pets.csv", *options)
    some = shell("predict", model, "folder", *options)
    assert some.code == 0
    assert some.out == whole.out
    assert some.err == whole.err


def test_answers_in_files(shell: Shell, model: Path, folder: Path) -> None:
    whole = shell("predict", model, "pets.csv").out
    assert shell("predict", model, "folder", "--out", "answers.csv").code == 0
    assert Path("answers.csv").read_text() == whole
    assert shell("predict", model, "folder", "--out", "answers.parquet").code == 0
    columns = pyarrow.parquet.read_table("answers.parquet").to_pydict()
    assert shell.rows(whole) == [
        dict(zip(columns, map(str, row), strict=True)) for row in zip(*columns.values(), strict=True)
    ]
    assert not list(Path().glob(".petree-*"))


def test_a_bad_file_leaves_the_old_answers(shell: Shell, model: Path, folder: Path) -> None:
    shell.write("answers.csv", "old")
    (folder / "c.csv").write_text("kind,weight\ncat,1\n")
    outcome = shell("predict", model, "folder", "--out", "answers.csv")
    assert outcome.code == 2
    assert "c.csv has no column" in outcome.err
    assert Path("answers.csv").read_text() == "old"
    assert not list(Path().glob(".petree-*"))


def test_a_folder_is_learned_from(shell: Shell, model: Path, folder: Path) -> None:
    options = ("--target", "kind", "--out", "m.json", "--pruning", "bic")
    assert shell("fit", "pets.csv", *options).code == 0
    whole = shell("show", "m.json").out
    outcome = shell("fit", "folder", *options, "--memory", "1GB")
    assert outcome.code == 0
    assert "in 2 parts" in outcome.out
    assert shell("show", "m.json").out == whole
    code_files("folder", "kind", "codes")
    assert shell("fit", "codes", *options).code == 0
    assert shell("show", "m.json").out == whole


def test_an_option_tree_of_a_folder_that_fits_in_memory(shell: Shell, model: Path, folder: Path) -> None:
    options = ("--target", "kind", "--out", "m.json", "--option-tree")
    outcome = shell("fit", "folder", *options)
    assert outcome.code == 0
    assert "nodes with options" in outcome.out
    assert shell("predict", "m.json", "folder").code == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("folder", "--encoding", "utf-8"), "--encoding is for a single file"),
        (("folder", "--memory", "much"), "memory must be bytes"),
        (("folder", "--dask", "tcp://127.0.0.1:1"), "No Dask scheduler answers"),
        (("pets.csv", "--memory", "1GB"), "--memory is for a folder of files"),
    ],
)
def test_what_a_folder_refuses(words: tuple[str, ...], sentence: str, shell: Shell, model: Path, folder: Path) -> None:
    pytest.importorskip("distributed", reason="needs the extra dask")
    with dask.config.set({"distributed.comm.timeouts.connect": "0.2s"}):
        outcome = shell("fit", *words, "--target", "kind", "--out", "m.json")
    assert outcome.code != 0
    assert sentence in outcome.err


@pytest.mark.parametrize("signal_name", ["SIGTERM", "SIGHUP"])
def test_a_command_that_is_asked_to_end_leaves_nothing(
    signal_name: str, shell: Shell, model: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", "temporary")
    before = signal.signal(signal.Signals[signal_name], signal.SIG_DFL)  # which may ignore it here

    def ask_to_end(*_: object) -> None:
        assert list(Path("temporary").iterdir())
        signal.raise_signal(signal.Signals[signal_name])

    monkeypatch.setattr(second_pass, "write_part", ask_to_end)
    outcome = shell("fit", "folder", "--target", "kind", "--out", "m.json")
    assert outcome.code == 128 + signal.Signals[signal_name]
    assert not list(Path("temporary").iterdir())
    assert not Path("m.json").exists()
    assert signal.signal(signal.Signals[signal_name], before) is signal.SIG_DFL


def test_codes_are_made_already(shell: Shell, model: Path, folder: Path) -> None:
    code_files("folder", "kind", "codes")
    assert shell("fit", "codes", "--target", "kind", "--out", "m.json", "--memory", "1MB").code == 0
    outcome = shell("fit", "codes", "--target", "kind", "--out", "m.json", "--ignore", "weight")
    assert outcome.code == 2
    assert "--ignore is too late for codes, which holds codes; give it to petree.code_files" in outcome.err


def test_a_folder_without_rows(shell: Shell, model: Path, folder: Path) -> None:
    Path("empty").mkdir()
    rows = pyarrow.csv.read_csv("pets.csv").slice(0, 0)
    pyarrow.parquet.write_table(rows, "empty/a.parquet")
    outcome = shell("predict", model, "empty", "--target", "kind")
    assert outcome.code == 0
    assert "No rows to measure the predictions by" in outcome.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("predict", "model.json", "folder", "--out", "folder/answers.csv"), "lies in folder, of which all files"),
        (("predict", "model.json", "folder", "--out", "folder/../folder/x.csv"), "lies in folder, of which all files"),
        (("predict", "model.json", "folder", "--out", "x.xlsx"), "x.xlsx is of no format that predictions have"),
        (("predict", "model.json", "pets.csv", "--out", "x.xlsx"), "x.xlsx is of no format that predictions have"),
        (("predict", "model.json", "nosuch/"), "There is no folder or file nosuch"),
        (("fit", "nosuch/", "--target", "kind", "--out", "m.json"), "There is no folder or file nosuch"),
        (("fit", "nosuch", "--target", "kind", "--out", "m.json", "--memory", "1GB"), "no folder or file nosuch"),
        (
            ("fit", "folder", "--target", "kind", "--out", "m.json", "--sample-weight", "colour"),
            "The weight 'colour' must hold numbers, but is of type string; name another column",
        ),
    ],
)
def test_what_is_refused_in_a_sentence(
    words: tuple[str, ...], sentence: str, shell: Shell, model: Path, folder: Path
) -> None:
    Path("other").mkdir()
    shell.write("other/a.csv", (folder / "a.csv").read_text().replace(",", ";"))
    files = sorted(folder.iterdir())
    assert sentence in shell.refused(*words)
    assert sorted(folder.iterdir()) == files


def test_a_link_to_itself_is_no_output(shell: Shell, model: Path, folder: Path) -> None:
    Path("circle").symlink_to("circle")
    assert "The predictions could not be written to circle" in shell.refused(
        "predict", model, "folder", "--out", "circle"
    )


def test_answers_of_one_file_in_parquet(shell: Shell, model: Path) -> None:
    whole = shell("predict", model, "pets.csv").out
    assert shell("predict", model, "pets.csv", "--out", "answers.pq").code == 0
    assert pyarrow.parquet.read_table("answers.pq").num_rows == len(shell.rows(whole))


def test_a_damaged_part_is_named(shell: Shell, model: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code_files("folder", "kind", "codes")
    part = sorted(Path("codes/parts").iterdir())[1]
    part.write_bytes(part.read_bytes()[::-1])
    monkeypatch.setattr(classifier, "bytes_in_memory", lambda _: 10**18)
    line = shell.refused("fit", "codes", "--target", "kind", "--out", "m.json")
    assert f"codes/parts/{part.name} is not as it was written, the codes of folder/b.csv; code the data again" in line


@pytest.mark.usefixtures("folder")
def test_a_program_that_is_no_scheduler_is_not_waited_for(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "SECONDS_TO_ANSWER", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"tcp://127.0.0.1:{listener.getsockname()[1]}"
        outcome = shell("fit", "folder", "--target", "kind", "--out", "m.json", "--dask", address)
    assert outcome.code == 2
    assert f"No Dask scheduler answers at '{address}'" in outcome.err
