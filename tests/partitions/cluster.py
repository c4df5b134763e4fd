"""A Dask cluster of processes of their own, and parts that do something when they are read."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Event, Thread
from typing import Any

from petree.partitions import CodedData, Partition, PartitionReader, open_codes

# Seconds after which a test gives up.
LONGEST_WAIT = 60.0


def wait_until(happens: Callable[[], object]) -> None:
    """Wait until something has happened."""
    deadline = time.monotonic() + LONGEST_WAIT
    while not happens():
        assert time.monotonic() < deadline
        time.sleep(0.01)


class Cluster:
    """A scheduler and its workers."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.workers: list[BaseProcess] = []
        self._stack = stack
        # Processes that are forked from one that has imported everything: to import it takes longer than all tests.
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["distributed", "petree.estimators.tree", __name__])
        self.start(_schedule, self.file)

    def start(self, work: Callable[..., None], *arguments: object) -> BaseProcess:
        """A process that works until it is killed."""
        running = self._context.Process(target=work, args=arguments)
        running.start()
        self._stack.callback(running.join)
        self._stack.callback(running.kill)
        return running

    def start_worker(self) -> None:
        self.workers.append(self.start(_work, self.file, self.folder))

    @contextmanager
    def kept_up(self) -> Iterator[None]:
        """A block in which a new worker is started where all have ended."""
        is_over = Event()

        def start() -> None:
            while not is_over.wait(0.02):
                if not any(worker.is_alive() for worker in self.workers):
                    self.start_worker()

        keeping = Thread(target=start)
        keeping.start()
        try:
            yield
        finally:
            is_over.set()
            keeping.join()

    def n_tasks(self, client: Any) -> int:
        """How many tasks the scheduler knows."""
        return int(client.run_on_scheduler(_n_tasks))


def _n_tasks(dask_scheduler: Any) -> int:
    return len(dask_scheduler.tasks)


def _schedule(file: Path) -> None:
    from distributed import Scheduler

    _serve(lambda: Scheduler(host="127.0.0.1", port=0, dashboard=False, scheduler_file=str(file)))


def _work(file: Path, folder: Path) -> None:
    from distributed import Worker

    wait_until(file.exists)
    settings = {"nthreads": 1, "dashboard": False, "local_directory": str(folder)}
    _serve(lambda: Worker(scheduler_file=str(file), **settings))


def _serve(make: Callable[[], Any]) -> None:
    """Be a part of the cluster until the end."""

    async def run() -> None:
        async with make() as server:
            await server.finished()

    asyncio.run(run())


@dataclass(frozen=True)
class Deadly:
    """A reader that kills the process where it is used first, and works from then on."""

    reader: PartitionReader
    flag: Path
    name: str = "a deadly part"

    @property
    def n_rows(self) -> int:
        return self.reader.n_rows

    def read(self) -> Partition:
        try:
            self.flag.touch(exist_ok=False)
        except FileExistsError:
            return self.reader.read()
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("unreachable")


@dataclass(frozen=True)
class Lethal:
    """A reader that kills every process where it is used."""

    n_rows: int
    name: str = "rows 7 to 250 of data.parquet"

    def read(self) -> Partition:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("unreachable")


@dataclass(frozen=True)
class Waiting:
    """A reader that says when it is used, and waits until it may go on."""

    reader: PartitionReader
    folder: Path

    @property
    def n_rows(self) -> int:
        return self.reader.n_rows

    @property
    def name(self) -> str:
        return self.reader.name

    def read(self) -> Partition:
        (self.folder / "begun").touch()
        wait_until((self.folder / "go on").exists)
        return self.reader.read()


def waiting_parts(folder: Path) -> CodedData:
    """The codes of a folder; who reads them waits."""
    codes = open_codes(folder / "codes")
    return replace(codes, parts=tuple(Waiting(part, folder) for part in codes.parts))
