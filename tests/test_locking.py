"""One process at a time in a folder; a lock ends with whoever holds it."""

from __future__ import annotations

import errno
import os
import re
import runpy
import socket
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest

from lab.experiments.measuring import MEASURES
from lab.experiments.results import ResultsFile
from petree import locking
from petree.locking import LOCK, locked_folder, try_lock

HOLDER = """
import sys, time
from pathlib import Path
from petree.locking import locked_folder
with locked_folder(Path(sys.argv[1])):
    print("locked", flush=True)
    time.sleep(60)
"""


def hold(folder: Path) -> subprocess.Popen[str]:
    """A process that has the folder."""
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "locked\n"
    return process


def test_a_folder_is_made_and_nothing_is_left_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    for _ in range(2):
        with locked_folder(folder):
            assert [path.name for path in folder.iterdir()] == [LOCK]
        assert list(folder.iterdir()) == []


def test_who_has_a_folder_is_told_until_it_is_killed(tmp_path: Path) -> None:
    with hold(tmp_path) as process:
        sentence = (
            rf"^{re.escape(str(tmp_path))} is in use by process {process.pid} on {re.escape(socket.gethostname())} "
            r"since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d; wait until that ends, or name another folder\.$"
        )
        with pytest.raises(ValueError, match=sentence), locked_folder(tmp_path):
            pass
        process.kill()
        process.wait()
    with locked_folder(tmp_path):
        assert f"process {os.getpid()} " in (tmp_path / LOCK).read_text()


def test_a_file_that_only_looks_like_a_lock_holds_nobody(tmp_path: Path) -> None:
    (tmp_path / LOCK).write_text("process 1 on moon since ever")
    with locked_folder(tmp_path):
        pass


def test_a_name_of_any_characters_is_shown_as_text(tmp_path: Path) -> None:
    (tmp_path / LOCK).write_bytes(b"\x1b[2J\xff")
    with (tmp_path / LOCK).open("a+b") as file:
        assert try_lock(file)
        with pytest.raises(ValueError, match=r"is in use by \\x1b\[2J"), locked_folder(tmp_path):
            pass


def test_a_lock_that_was_removed_meanwhile_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between opening the file and locking it, the one who had it may have ended and another may have begun."""
    seen = []

    def remove_first(file: object) -> bool:
        seen.append(file)
        if len(seen) == 1:
            (tmp_path / LOCK).unlink()
        return True

    monkeypatch.setattr("petree.locking.try_lock", remove_first)
    with locked_folder(tmp_path):
        assert len(seen) == 2
        assert (tmp_path / LOCK).exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there locks are others")
@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP])
def test_work_goes_on_where_there_are_no_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    with locked_folder(tmp_path):
        assert ResultsFile(tmp_path / "results.csv").read() == {}


def windows_locking(monkeypatch: pytest.MonkeyPatch, number: int) -> dict[str, Any]:
    """The names of the module as they are on Windows, where the system answers with one error."""

    def refuse(*_: object) -> None:
        raise OSError(number, "No locks available")

    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=refuse, LK_NBLCK=2))
        patched.setattr(sys, "platform", "win32")
        return runpy.run_path(locking.__file__)


@pytest.mark.parametrize("number", [errno.EACCES, errno.EDEADLK])
def test_what_windows_says_of_a_lock_that_another_has(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    assert not windows_locking(monkeypatch, number)["try_lock"](mock.Mock())


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.ENOTSUP, errno.EINVAL])
def test_work_goes_on_where_windows_has_no_locks(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    assert windows_locking(monkeypatch, number)["try_lock"](mock.Mock())


def test_other_errors_of_windows_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OSError, match="No locks available"):
        windows_locking(monkeypatch, errno.EIO)["try_lock"](mock.Mock())


def test_a_line_that_another_process_is_writing_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    ResultsFile(path)
    opened = threading.Thread(target=ResultsFile, args=(path,))
    with path.open("ab") as file:
        assert try_lock(file)
        file.write(b"pets,rand,0123456789ab,0,0,")
        file.flush()
        opened.start()
        opened.join(0.2)
        assert opened.is_alive()
        file.write(b",".join([b"1"] * len(MEASURES)) + b"\n")
    opened.join()
    assert len(ResultsFile(path).read()) == 1
