"""The same fit on simulated clusters, on real ones of a few workers, and on a real one of many workers in a process."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from distributed import Client

from lab.scale.clusters import Cluster, cluster, megabytes_of, seconds_of, warm_up
from lab.scale.simulation.engine import Pass, Simulated
from lab.scale.simulation.machines import Hardware, Machines
from lab.scale.simulation.many_workers import many_workers
from petree import ProbabilityTreeClassifier
from petree.partitions import CodedData, use
from petree.partitions.engines import dask
from petree.tree import Tree

# Eight levels, as in the other tables; one thread, so that the client's seconds of processor are those of its clock.
PARAMETERS: dict[str, Any] = {"pruning": "none", "smoothing": "laplace", "max_depth": 8, "n_jobs": 1}
COUNTING = "CountCells"
GATHERING = "GatherRows"


def fit(data: CodedData, workers: Any, memory: int) -> Tree:
    with use(workers, memory=memory):
        return ProbabilityTreeClassifier(**PARAMETERS).fit(data).tree_


@dataclass(frozen=True)
class Simulation:
    """What was found on a simulated cluster."""

    n_workers: int
    scale: int
    tree: Tree
    seconds: float
    client: float
    passes: list[Pass]

    def n_passes(self, task: str) -> int:
        return sum(one.task == task for one in self.passes)

    def total(self, of: Callable[[Pass], float]) -> float:
        return sum(map(of, self.passes))


def simulate(data: CodedData, memory: int, n_workers: int, hardware: Hardware, scale: int = 1) -> Simulation:
    """A fit on a simulated cluster, each row standing for some."""
    engine = Simulated(Machines.of(n_workers, hardware, scale), scale)
    tree = fit(data, engine, memory)
    engine.finish()
    return Simulation(n_workers, scale, tree, engine.machines.client, engine.client_seconds, engine.passes)


@dataclass(frozen=True)
class Real:
    """What was found on a real cluster: seconds of the clock, and of the processors of client, workers, scheduler."""

    n_workers: int
    tree: Tree
    seconds: float
    client: float
    workers: float
    scheduler: float
    scheduler_megabytes: float
    n_tasks: int


def on_cluster(data: CodedData, memory: int, n_workers: int) -> Real:
    """On workers that are processes."""
    return _on(cluster(n_workers), data, memory, n_workers)


def on_many_workers(data: CodedData, memory: int, n_workers: int, least_rows: int) -> Real:
    """On workers that share a process, so that their seconds say little, in runs of at least so many rows."""
    with patch.object(dask, "LEAST_ROWS", least_rows):
        return _on(many_workers(n_workers), data, memory, n_workers)


def _on(opened: AbstractContextManager[Cluster], data: CodedData, memory: int, n_workers: int) -> Real:
    with opened as made:
        warm_up(made.file, "petree.partitions.counting", "lab.scale.rows")
        with Counting(scheduler_file=made.file) as client:
            before = (time.perf_counter(), time.process_time(), made.processor_seconds, seconds_of(made.scheduler.pid))
            had = megabytes_of(made.scheduler.pid)
            tree = fit(data, client, memory)
            after = (time.perf_counter(), time.process_time(), made.processor_seconds, seconds_of(made.scheduler.pid))
            took = [end - start for start, end in zip(before, after, strict=True)]
            return Real(n_workers, tree, *took, megabytes_of(made.scheduler.pid) - had, client.n_tasks)


class Counting(Client):
    """A client that counts what is submitted."""

    n_tasks = 0

    def submit(self, *words: Any, **more: Any) -> Any:
        self.n_tasks += 1
        return super().submit(*words, **more)
