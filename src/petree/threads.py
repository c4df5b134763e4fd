"""A few explicit threads for compiled loops, which release the interpreter's lock, and how they are stopped.

The calling thread looks for interrupts while it works. The others read a flag; when the interpreter is left, all do.
"""

from __future__ import annotations

import atexit
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from numbers import Integral
from queue import SimpleQueue
from threading import Condition, Thread, current_thread, main_thread
from typing import Any

import numpy as np
from joblib import cpu_count

from petree.core import Stopped, set_main_thread

# Seconds that leaving the interpreter waits for loops to stop; they look at the flag every millisecond or so.
LONGEST_FAREWELL = 5.0


def count_threads(n_jobs: int | None) -> int:
    """Number of threads that `n_jobs` means: None is 1, -1 all processors, which are also the most, -2 all but one."""
    if n_jobs is None:
        return 1
    if not isinstance(n_jobs, Integral) or n_jobs == 0:
        raise ValueError(f"The 'n_jobs' parameter must be None or an integer other than 0. Got {n_jobs!r} instead.")
    if n_jobs > 0:  # joblib looks longer for the processors than a small tree takes
        return min(int(n_jobs), n_processors())
    return max(cpu_count() + 1 + int(n_jobs), 1)


@lru_cache
def n_processors() -> int:
    """Processors of the machine, counted once: to ask the system takes a part of what a small tree takes."""
    return os.cpu_count() or 1


class Threads:
    """Runs independent pieces of work, side by side where there is more than one thread.

    Loops that take long get `stop`, a flag that says to give up.
    """

    def __init__(self, n_threads: int) -> None:
        self.n_threads = n_threads
        self.stop = np.zeros(1, np.uint8)

    def alone(self) -> Threads:
        """One thread for a piece of work of these threads: it stops when they do."""
        one = Threads(1)
        one.stop = self.stop
        return one

    def run(self, function: Callable[..., Any], pieces: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call the function once per piece; results in the order of the pieces.

        After an error or an interrupt nobody begins another piece, and those under way stop; then it is raised.
        """
        if _leaving and current_thread() is not main_thread():
            raise SystemExit
        try:
            _running.append(self)
            n_helpers = min(self.n_threads, len(pieces)) - 1
            return self._share(function, pieces, n_helpers) if n_helpers > 0 else [function(*one) for one in pieces]
        except Stopped:
            raise SystemExit from None  # nobody but the end of the interpreter stops the thread that waits
        finally:
            if self in _running:
                _running.remove(self)

    def _share(self, function: Callable[..., Any], pieces: Sequence[tuple[Any, ...]], n_helpers: int) -> list[Any]:
        if not _leaving:
            self.stop[0] = 0
        job = _Job(function, pieces, self.stop)
        try:
            tasks = _waiting_threads(max(self.n_threads, n_processors()) - 1, os.getpid())
            for _ in range(n_helpers):
                tasks.put(job)
            # The calling thread works too: a piece handed over costs more than one taken.
            job.work_off()
        except BaseException:
            self.stop[0] = 1
            raise
        finally:
            job.close()
        if job.error is not None:
            raise job.error
        return job.results


# Threads that are running something, and whether the interpreter is being left.
_running: list[Threads] = []
_leaving: list[bool] = []


@atexit.register
def _leave() -> None:
    """Stop what other threads are still doing, since the interpreter must not end under a loop."""
    _leaving.append(True)
    deadline = time.monotonic() + LONGEST_FAREWELL
    while _running and time.monotonic() < deadline:
        for threads in _running:
            threads.stop[0] = 1
        time.sleep(0.001)


def _begin() -> None:
    """Note which thread handles signals. A forked process has no other threads, and goes on in the one that forked."""
    _running.clear()
    set_main_thread(main_thread().ident or 0)


_begin()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin)


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
    """Pieces of work that threads take from one after the other; `stop` tells those under way to give up."""

    def __init__(
        self, function: Callable[..., Any], pieces: Sequence[tuple[Any, ...]], stop: np.ndarray[Any, Any]
    ) -> None:
        self.results: list[Any] = [None] * len(pieces)
        self.error: BaseException | None = None
        self._stop = stop
        self._work: tuple[Callable[..., Any], Sequence[tuple[Any, ...]]] | None = (function, pieces)
        self._waiting = deque(range(len(pieces)))
        self._n_helping, self._changed = 0, Condition()

    def work_off(self) -> None:
        """Take pieces until there are none left, or until somebody has failed."""
        work = self._work  # read once, since the job may be closed meanwhile
        if work is None:
            return
        function, pieces = work
        try:
            for place in self._take():
                self.results[place] = function(*pieces[place])
        except BaseException as error:
            if self.error is None:
                self.error = error
            self._stop[0] = 1
            self._drain()

    def help(self) -> None:
        """The same in another thread."""
        with self._changed:
            self._n_helping += 1
        try:
            self.work_off()
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
                self._stop[0] = 1
        if interrupt is not None:
            raise interrupt

    def _take(self) -> Iterator[int]:
        """Pieces that nobody else has: an iterator may hand one to two threads where these have no lock."""
        while True:
            try:
                place = self._waiting.popleft()
            except IndexError:
                return
            yield place

    def _drain(self) -> None:
        self._waiting.clear()
