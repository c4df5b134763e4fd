"""Files written whole or not at all."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from petree.writing import check_output, write_whole

needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")


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


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o755])
def test_permissions_stay(path: Path, mode: int) -> None:
    path.chmod(mode)
    write_whole(path, b"new", "The table")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == mode


def test_what_is_secret_is_so_from_the_first_byte(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.chmod(0o600)
    modes = []
    monkeypatch.setattr(os, "fsync", lambda number: modes.append(os.fstat(number).st_mode & 0o777))
    write_whole(path, b"new", "The table")
    assert modes == [0o600]


@needs_posix
def test_only_ordinary_files_are_replaced(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe, door, away = (path.with_name(name) for name in ("pipe", "door", "away"))
    os.mkfifo(pipe)
    away.symlink_to(pipe)
    with socket.socket(socket.AF_UNIX) as listener:
        monkeypatch.chdir(path.parent)  # addresses of sockets are short
        listener.bind("door")
        for place in (pipe, door, away, Path(os.devnull)):
            before = os.stat(place)
            with pytest.raises(OSError, match=r"The table could not be written to .* \(it is no ordinary file\)"):
                write_whole(place, b"new", "The table")
            with pytest.raises(ValueError, match="because it is not a file"):
                check_output(place)
            assert (os.stat(place).st_ino, os.stat(place).st_mode) == (before.st_ino, before.st_mode)
    assert sorted(path.parent.iterdir()) == sorted([path, pipe, door, away])


@needs_posix
def test_links_that_lead_nowhere_and_in_circles(path: Path) -> None:
    new, circle, lost = (path.with_name(name) for name in ("new", "circle", "lost"))
    new.symlink_to("made.csv")
    circle.symlink_to("circle")
    lost.symlink_to("absent/made.csv")
    write_whole(new, b"new", "The table")
    assert new.is_symlink()
    assert path.with_name("made.csv").read_bytes() == b"new"
    with pytest.raises(OSError, match=r"The table could not be written to .*circle"):
        write_whole(circle, b"new", "The table")
    assert circle.is_symlink()
    with pytest.raises(ValueError, match=r"there is no directory .*/absent; make it first"):
        check_output(lost)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything may be written to")
def test_a_file_that_must_not_be_written_to_stays(path: Path) -> None:
    path.chmod(0o400)
    with pytest.raises(OSError, match="Permission denied"):
        write_whole(path, b"new", "The table")
    assert path.read_bytes() == b"old"


def test_a_name_may_be_as_long_as_the_system_allows(path: Path) -> None:
    long = path.with_name("x" * 250)
    write_whole(long, b"new", "The table")
    assert long.read_bytes() == b"new"


@needs_posix
def test_a_full_disk_leaves_nothing(path: Path) -> None:
    """A process whose files may not grow beyond a few bytes."""
    program = f"""
import resource, signal
from petree.writing import write_whole
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    write_whole({str(path)!r}, b"new" * 1000, "The table")
except OSError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.startswith(f"The table could not be written to {path} (File too large); nothing there was")
    assert path.read_bytes() == b"old"
    assert list(path.parent.iterdir()) == [path]
