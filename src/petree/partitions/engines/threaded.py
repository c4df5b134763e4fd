"""Threads of this process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from petree.partitions.engines.base import COUNTING, Part, Result, Task, Working, in_pairs, in_runs, work_off
from petree.partitions.watching import begin
from petree.threads import Threads

# Runs of parts for each thread: more than one, since some parts take longer.
RUNS_PER_THREAD = 4


class Threaded:
    """Does tasks in threads, which share what they keep."""

    def __init__(self, threads: Threads) -> None:
        self._threads = threads
        self._kept: dict[Any, Any] = {}

    def reduce(self, task: Task[Result], parts: Sequence[Part]) -> Result:
        working = Working(self._threads.stop, self._kept, begin(COUNTING, len(parts)))
        n_runs = 1 if self._threads.n_threads == 1 else RUNS_PER_THREAD * self._threads.n_threads
        runs = [(run,) for run in in_runs(parts, n_runs)]
        result: Result = in_pairs(self._threads.run(lambda run: work_off(task, run, working), runs), task.join)
        return result
