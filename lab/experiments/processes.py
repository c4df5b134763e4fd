"""Work in several processes that end with the one that asked for it, however that ends."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from joblib import Parallel, cpu_count, delayed

Result = TypeVar("Result")

# Seconds between two looks at the parent.
PATIENCE = 0.5


def in_processes(function: Callable[..., Result], calls: Sequence[tuple[Any, ...]], jobs: int) -> Iterator[Result]:
    """What a function finds for each of some arguments, in their order, as soon as it is there.

    Parameters
    ----------
    function : callable
        Of a module, so that other processes find it.
    calls : sequence of tuple
        The arguments of each call.
    jobs : int
        Number of processes; -1 takes all cores. There are no more than calls.
    """
    n_processes = min(n_jobs(jobs), max(len(calls), 1))
    parallel = Parallel(n_processes, return_as="generator", initializer=_watch, initargs=(os.getpid(),))
    return parallel(delayed(function)(*call) for call in calls)


def n_jobs(jobs: int) -> int:
    """A number of processes; of negative ones -1 is all cores, -2 all but one and so on."""
    if jobs == 0:
        raise ValueError("The number of jobs must be at least 1, or -1 for all cores. Got 0 instead.")
    return jobs if jobs > 0 else max(1, int(cpu_count()) + 1 + jobs)


def _watch(parent: int) -> None:
    """Begin a process with a look at its parent, since that may end before it has sent any work."""
    if os.getpid() != parent:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process at once when its parent has ended; nobody is left who could be told anything."""
    while _has_parent(parent):
        time.sleep(PATIENCE)
    os._exit(1)


def _has_parent(parent: int) -> bool:
    if sys.platform == "win32":
        known = multiprocessing.parent_process()
        return known is None or known.is_alive()
    return os.getppid() == parent
