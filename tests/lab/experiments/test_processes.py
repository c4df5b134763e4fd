"""Work in several processes, and its end."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lab.experiments.processes import in_processes, n_jobs

ROOT = Path(__file__).parents[3]
PROGRAM = """
import sys
from tests.lab.experiments.test_processes import tell_and_wait
from lab.experiments.processes import in_processes
more = "x" * int(sys.argv[2])
list(in_processes(tell_and_wait, [(sys.argv[1], number, more) for number in range(2)], 2))
"""


def tell_and_wait(folder: str, number: int, more: str) -> None:
    """Leave the number of this process in a file, and go on for longer than anybody waits."""
    Path(folder, f"{number}.part").write_text(str(os.getpid()))
    Path(folder, f"{number}.part").rename(Path(folder, f"{number}.pid"))
    time.sleep(600)


def add(one: int, other: int) -> int:
    return one + other


@pytest.mark.parametrize("jobs", [1, 2])
def test_answers_come_in_their_order(jobs: int) -> None:
    assert list(in_processes(add, [(number, 1) for number in range(5)], jobs)) == [1, 2, 3, 4, 5]


def test_numbers_of_processes() -> None:
    assert (n_jobs(1), n_jobs(7), n_jobs(-1000)) == (1, 7, 1)
    assert n_jobs(-1) >= 1
    with pytest.raises(ValueError, match="The number of jobs must be at least 1, or -1 for all cores"):
        n_jobs(0)


def test_there_are_no_more_processes_than_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr("lab.experiments.processes.Parallel", lambda n, **_: asked.append(n) or list)
    for calls, jobs in (([(1, 1)], 10**9), ([(1, 1)] * 3, 2), ([], 5)):
        in_processes(add, calls, jobs)
    assert asked == [1, 2, 1]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    with start(tmp_path) as parent:
        assert until(lambda: len(list(tmp_path.glob("*.pid"))) == 2)
        workers = [int(path.read_text()) for path in tmp_path.glob("*.pid")]
        parent.kill()
    assert_end(workers)


@pytest.mark.skipif(sys.platform != "linux", reason="there is no list of processes in files")
def test_workers_end_before_they_have_any_work(tmp_path: Path) -> None:
    """Work that does not fit into a pipe is sent when a worker reads it; so long it waits."""
    with start(tmp_path, 5_000_000) as parent:
        assert until(lambda: len(workers_of(parent.pid)) == 2)
        workers = workers_of(parent.pid)
        parent.kill()
    assert_end(workers)


def start(folder: Path, more: int = 0) -> subprocess.Popen[bytes]:
    """A process with two workers, and so many characters of work for each."""
    command = [sys.executable, "-c", PROGRAM, str(folder), str(more)]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, start_new_session=True)


def assert_end(workers: list[int]) -> None:
    """Processes end by themselves; those that do not are ended here."""
    try:
        assert until(lambda: not any(map(is_running, workers)))
    finally:
        for worker in filter(is_running, workers):
            os.kill(worker, signal.SIGKILL)


def workers_of(parent: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            is_child = path.joinpath("stat").read_text().rpartition(")")[2].split()[1] == str(parent)
            if is_child and b"popen_loky" in path.joinpath("cmdline").read_bytes():
                found.append(int(path.name))
    return found


def until(is_so, seconds: float = 30) -> bool:  # type: ignore[no-untyped-def]
    """Whether something comes true in time."""
    end = time.monotonic() + seconds
    while not is_so() and time.monotonic() < end:
        time.sleep(0.05)
    return bool(is_so())


def is_running(process: int) -> bool:
    """Whether there is such a process, and not only what is left of one that nobody asked about."""
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat")
        return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
