"""An engine of one's own: tasks go to an executor of Python, threads or processes."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from typing import Any

from petree.partitions.engines.base import COUNTING, Later, Part, Result, Task, Working, in_pairs, in_runs, work_off
from petree.progress import Advance, begin

# Runs of parts that are handed over: enough for as many workers, each answered by one result.
MOST_RUNS = 32


class ByExecutor:
    """Hands tasks to an executor. Readers go with them, so that they are small where the executor has processes."""

    n_results = MOST_RUNS

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        # Threads work in the memory of this process; an executor does not tell their number in another way.
        self.n_here = executor._max_workers if isinstance(executor, ThreadPoolExecutor) else 0

    def start(self, task: Task[Result], parts: Sequence[Part]) -> Later[Result]:
        return Later(partial(self.reduce, task, parts))

    def reduce(self, task: Task[Result], parts: Sequence[Part]) -> Result:
        advance = begin(COUNTING, len(parts))
        runs = in_runs(parts, MOST_RUNS)
        futures = [self._executor.submit(work_off, task, run, Working()) for run in runs]
        for future, run in zip(futures, runs, strict=True):
            future.add_done_callback(partial(_advance, advance, len(run)))
        try:
            result: Result = in_pairs([future.result() for future in futures], task.join)
        finally:  # after an error or an interrupt nobody begins another run
            for future in futures:
                future.cancel()
        return result


def _advance(advance: Advance, n_parts: int, _: Future[Any]) -> None:
    advance(n_parts)
