"""Any executor of Python: threads or processes, of this machine or of others."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor

from petree.partitions.engines.base import Part, Result, Task, Working, in_pairs, in_runs, work_off

# Runs of parts that are handed over: enough for as many workers, each answered by one result.
MOST_RUNS = 32


class ByExecutor:
    """Hands tasks to an executor. Readers go with them, so that they are small where the executor has processes."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def reduce(self, task: Task[Result], parts: Sequence[Part]) -> Result:
        futures = [self._executor.submit(work_off, task, run, Working()) for run in in_runs(parts, MOST_RUNS)]
        try:
            result: Result = in_pairs([future.result() for future in futures], task.join)
        finally:  # after an error or an interrupt nobody begins another run
            for future in futures:
                future.cancel()
        return result
