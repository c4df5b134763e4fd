"""Files written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from petree.writing import check_output, write_whole


@pytest.fixture
def path(tmp_path: Path) -> Path:
    old = tmp_path / "out.csv"
    old.write_bytes(b"old")
    return old


def test_the_content_is_the_file_and_nothing_else_is_left(path: Path) -> None:
    write_whole(path, "é\r\n".encode(), "The table")
    assert path.read_bytes() == "é\r\n".encode()
    assert list(path.parent.iterdir()) == [path]


def test_a_name_is_a_path(path: Path) -> None:
    write_whole(str(path), b"new", "The table")
    assert path.read_bytes() == b"new"


def test_a_link_stays_a_link(path: Path) -> None:
    link = path.with_name("link.csv")
    link.symlink_to(path)
    write_whole(link, b"new", "The table")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("failing", ["fsync", "replace"])
@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["full", "stopped"]
)
def test_an_interrupted_write_keeps_the_old_file(
    path: Path, monkeypatch: pytest.MonkeyPatch, failing: str, error: BaseException
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(os, failing, fail)
    with pytest.raises(type(error), match="No space left" if isinstance(error, OSError) else None):
        write_whole(path, b"new", "The table")
    assert path.read_bytes() == b"old"
    assert list(path.parent.iterdir()) == [path]


def test_two_writers_do_not_meet(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has a temporary file of its own, so that the one that ends last wins as a whole."""
    temporary = []
    replace = os.replace

    def write_meanwhile(source: Path, target: Path) -> None:
        temporary.append(source)
        if len(temporary) == 1:
            write_whole(path, b"the other one", "The table")
            assert path.read_bytes() == b"the other one"
        replace(source, target)

    monkeypatch.setattr(os, "replace", write_meanwhile)
    write_whole(path, b"new", "The table")
    assert len(set(temporary)) == 2
    assert path.read_bytes() == b"new"


def test_an_error_says_what_was_to_be_written_and_that_nothing_was_changed(path: Path) -> None:
    sentence = (
        r"The table could not be written to .*no folder/out\.csv \(No such file or directory\); nothing there was"
    )
    with pytest.raises(OSError, match=sentence):
        write_whole(path.parent / "no folder" / "out.csv", b"new", "The table")
    with pytest.raises(OSError, match=r"could not be written to .*out\.csv/out\.csv \(Not a directory\)"):
        write_whole(path / "out.csv", b"new", "The table")
    assert path.read_bytes() == b"old"
    assert list(path.parent.iterdir()) == [path]


def test_impossible_outputs_are_refused_beforehand(path: Path) -> None:
    with pytest.raises(ValueError, match=r"there is no directory .*absent"):
        check_output(path.parent / "absent" / "out.csv")
    with pytest.raises(ValueError, match="it is not a file"):
        check_output(path.parent)
    check_output(path)
    check_output(path.with_name("new.csv"))
    assert list(path.parent.iterdir()) == [path]
