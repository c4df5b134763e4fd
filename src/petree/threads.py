"""A few explicit threads for kernels that release the interpreter lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import lru_cache
from numbers import Integral
from typing import Any

from joblib import cpu_count


def count_threads(n_jobs: int | None) -> int:
    """Number of threads that `n_jobs` means: None is 1, -1 all processors, -2 all but one."""
    if n_jobs is None:
        return 1
    if not isinstance(n_jobs, Integral) or n_jobs == 0:
        raise ValueError(f"The 'n_jobs' parameter must be None or an integer other than 0. Got {n_jobs!r} instead.")
    return int(n_jobs) if n_jobs > 0 else max(cpu_count() + 1 + int(n_jobs), 1)


@lru_cache
def _pool(n_workers: int, process: int) -> ThreadPoolExecutor:
    """Threads that wait for work as long as the process lives: starting one takes longer than many a small table."""
    return ThreadPoolExecutor(n_workers, thread_name_prefix="petree")


class Threads:
    """Runs independent pieces of work, side by side where there is more than one thread."""

    def __init__(self, n_threads: int) -> None:
        self.n_threads = n_threads

    def run(self, function: Callable[..., Any], pieces: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call the function once a piece; results in the order of the pieces."""
        n_helpers = min(self.n_threads, len(pieces)) - 1
        if n_helpers < 1:
            return [function(*piece) for piece in pieces]
        results: list[Any] = [None] * len(pieces)
        waiting = iter(range(len(pieces)))

        def work_off() -> None:
            for place in waiting:
                results[place] = function(*pieces[place])

        pool = _pool(self.n_threads - 1, os.getpid())
        helpers = [pool.submit(work_off) for _ in range(n_helpers)]
        try:
            # The calling thread works too: a piece handed over costs more than one taken.
            work_off()
        finally:
            for _ in waiting:  # nobody begins another piece after an error or an interrupt
                pass
            # Who has not begun, since others keep the pool busy, need not: there is nothing left to do.
            begun = [helper for helper in helpers if not helper.cancel()]
            wait(begun)
        for helper in begun:
            helper.result()
        return results
