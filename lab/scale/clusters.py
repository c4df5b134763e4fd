"""Dask clusters of processes of their own, of which one may be killed, and what a process took so far."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any

from distributed import Client

QUIET: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


@dataclass(frozen=True)
class Cluster:
    """A folder with the file of the scheduler, its process, and those of the workers."""

    folder: Path
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]

    @property
    def file(self) -> str:
        return str(self.folder / "scheduler.json")

    @property
    def megabytes(self) -> float:
        """The most memory of a worker so far."""
        return max(megabytes_of(worker.pid) for worker in self.workers)

    @property
    def processor_seconds(self) -> float:
        """Of all workers so far, those that were killed too; a process that was killed is remembered until the end."""
        return sum(seconds_of(worker.pid) for worker in self.workers)

    def seconds_since(self, begun: Path) -> Callable[[], float]:
        """What tells the seconds of processor of all workers since a file was there."""
        at_first: list[float] = []

        def note() -> None:
            while not begun.exists():
                time.sleep(0.01)
            at_first.append(self.processor_seconds)

        Thread(target=note, daemon=True).start()
        return lambda: self.processor_seconds - at_first[0]

    def kill_one_after(self, begun: Path, seconds: float) -> None:
        """Kill the first worker so long after a file is there."""

        def kill() -> None:
            while not begun.exists():
                time.sleep(0.05)
            time.sleep(seconds)
            self.workers[0].kill()

        Thread(target=kill, daemon=True).start()


@contextmanager
def cluster(n_workers: int) -> Iterator[Cluster]:
    """A scheduler and so many workers of one thread each, on this machine."""
    with tempfile.TemporaryDirectory() as folder:
        known = os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "PYTHONPATH": known}  # workers have to know the readers

        def start(*words: str) -> subprocess.Popen[bytes]:
            where = f"--scheduler-file={folder}/scheduler.json"
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *words, where, "--no-dashboard"], env=environment, **QUIET
            )

        running = [start("scheduler", "--host=127.0.0.1", "--port=0")]
        worker = ("worker", "--no-nanny", "--nthreads=1", f"--local-directory={folder}")
        running += [start(*worker) for _ in range(n_workers)]
        made = Cluster(Path(folder), running[0], running[1:])
        try:
            with Client(scheduler_file=made.file) as client:
                if n_workers:
                    client.wait_for_workers(n_workers)
            yield made
        finally:
            for process in running:
                process.kill()
                process.wait()


def warm_up(scheduler: str, *modules: str) -> None:
    """Let all workers import some modules, so that only work is measured."""
    with Client(scheduler_file=scheduler) as client:
        for module in modules:
            client.run(import_module, module)


def seconds_of(process: int) -> float:
    """The seconds of processor that a process took so far, also where it has ended but nobody has waited for it."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes_of(process: int | str = "self", which: str = "VmHWM") -> float:
    """The most memory that a process had so far, or what it has (VmRSS); 0 where it is no more."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith(which)), 0.0)
