"""A few explicit threads for kernels that release the interpreter lock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from numbers import Integral
from types import TracebackType
from typing import Any

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
        self._pool = ThreadPoolExecutor(n_threads - 1) if n_threads > 1 else None

    def run(self, function: Callable[..., Any], pieces: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call the function once a piece; results in the order of the pieces."""
        if self._pool is None or len(pieces) < 2:
            return [function(*piece) for piece in pieces]
        results: list[Any] = [None] * len(pieces)
        waiting = iter(range(len(pieces)))

        def work_off() -> None:
            for place in waiting:
                results[place] = function(*pieces[place])

        # The calling thread works too: a piece handed over costs more than one taken.
        helpers = [self._pool.submit(work_off) for _ in range(min(self.n_threads, len(pieces)) - 1)]
        try:
            work_off()
        finally:  # nobody begins another piece after an error or an interrupt
            for _ in waiting:
                pass
        for helper in helpers:
            helper.result()
        return results

    def __enter__(self) -> Threads:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
