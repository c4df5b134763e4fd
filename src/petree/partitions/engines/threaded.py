"""Threads of this process."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from petree.partitions.engines.base import COUNTING, Later, Part, Result, Task, Working, in_pairs, in_runs, work_off
from petree.partitions.kept import KeptNodes
from petree.progress import begin
from petree.threads import Threads

# Runs of parts for each thread: more than one, since some parts take longer.
RUNS_PER_THREAD = 4


class Threaded:
    """Does tasks in threads, which share the nodes that they keep, within so many bytes."""

    def __init__(self, threads: Threads, most_bytes: int) -> None:
        self.n_here = threads.n_threads
        self._n_runs = 1 if self.n_here == 1 else RUNS_PER_THREAD * self.n_here
        self.n_results = self._n_runs + 2 * self.n_here
        self._threads = threads
        self._kept = KeptNodes(most_bytes)

    def start(self, task: Task[Result], parts: Sequence[Part]) -> Later[Result]:
        return Later(partial(self.reduce, task, parts))

    def reduce(self, task: Task[Result], parts: Sequence[Part]) -> Result:
        working = Working(self._threads.stop, self._kept, begin(COUNTING, len(parts)))
        runs = [(run,) for run in in_runs(parts, self._n_runs)]
        result: Result = in_pairs(self._threads.run(lambda run: work_off(task, run, working), runs), task.join)
        return result
