"""A few explicit threads for kernels that release the interpreter lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import lru_cache
from numbers import Integral
from queue import SimpleQueue
from threading import Condition, Thread
from typing import Any

import numpy as np
from joblib import cpu_count


def count_threads(n_jobs: int | None) -> int:
    """Number of threads that `n_jobs` means: None is 1, -1 all processors, -2 all but one."""
    if n_jobs is None:
        return 1
    if not isinstance(n_jobs, Integral) or n_jobs == 0:
        raise ValueError(f"The 'n_jobs' parameter must be None or an integer other than 0. Got {n_jobs!r} instead.")
    return int(n_jobs) if n_jobs > 0 else max(cpu_count() + 1 + int(n_jobs), 1)


class Threads:
    """Runs independent pieces of work, side by side where there is more than one thread."""

    def __init__(self, n_threads: int) -> None:
        self.n_threads = n_threads
        self.stop = np.zeros(1, np.uint8)  # what the compiled loops look at

    def run(self, function: Callable[..., Any], pieces: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call the function once a piece; results in the order of the pieces.

        After an error or an interrupt nobody begins another piece, and it is raised when all have stopped.
        """
        n_helpers = min(self.n_threads, len(pieces)) - 1
        if n_helpers < 1:
            return [function(*piece) for piece in pieces]
        job = _Job(function, pieces)
        try:
            tasks = _waiting_threads(max(self.n_threads, os.cpu_count() or 1) - 1, os.getpid())
            for _ in range(n_helpers):
                tasks.put(job)
            # The calling thread works too: a piece handed over costs more than one taken.
            job.work_off()
        finally:
            job.close()
        if job.error is not None:
            raise job.error
        return job.results


@lru_cache
def _waiting_threads(n_threads: int, process: int) -> SimpleQueue[_Job]:
    """Where threads wait for work as long as the process lives: to start one takes longer than many a small table.

    All that a process does shares them. They never keep it from ending.
    """
    tasks: SimpleQueue[_Job] = SimpleQueue()
    for _ in range(n_threads):
        Thread(target=_help_for_ever, args=(tasks,), name="petree", daemon=True).start()
    return tasks


def _help_for_ever(tasks: SimpleQueue[_Job]) -> None:
    while True:
        tasks.get().help()


class _Job:
    """Pieces of work that threads take from one after the other."""

    def __init__(self, function: Callable[..., Any], pieces: Sequence[tuple[Any, ...]]) -> None:
        self.results: list[Any] = [None] * len(pieces)
        self.error: BaseException | None = None
        self._work: tuple[Callable[..., Any], Sequence[tuple[Any, ...]]] | None = (function, pieces)
        self._waiting = iter(range(len(pieces)))
        self._n_helping, self._changed = 0, Condition()

    def work_off(self) -> None:
        """Take pieces until there are none left."""
        work = self._work  # read once, since the job may be closed meanwhile
        if work is None:
            return
        function, pieces = work
        try:
            for place in self._waiting:
                self.results[place] = function(*pieces[place])
        except BaseException:
            self._drain()
            raise

    def help(self) -> None:
        """The same in another thread, which keeps an error for the one that waits."""
        with self._changed:
            self._n_helping += 1
        try:
            self.work_off()
        except BaseException as error:
            self.error = error
        finally:
            with self._changed:
                self._n_helping -= 1
                self._changed.notify_all()

    def close(self) -> None:
        """Let nobody begin a piece, and wait for those who have begun one, whatever interrupts come meanwhile.

        Who has not begun yet, because others keep all threads busy, is not waited for and finds nothing to do.
        """
        interrupt = None
        while True:
            try:
                self._drain()
                with self._changed:
                    self._work = None
                    self._changed.wait_for(lambda: not self._n_helping)
                break
            except KeyboardInterrupt as error:
                interrupt = error
        if interrupt is not None:
            raise interrupt

    def _drain(self) -> None:
        for _ in self._waiting:
            pass
