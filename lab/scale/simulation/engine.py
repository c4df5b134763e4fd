"""An engine that does every task in this process, measures it, and keeps the clock of a cluster that would do it.

What is done is what `OnDask` lets a cluster do: runs of parts are given to whoever is free, results are joined in pairs
where they are, and rows brought to the client from the workers. Each task is done once, by the part of this
process that stands for its worker, with what that worker kept of earlier tasks. The client is this process between
calls, by its seconds of processor.

Where a row stands for `scale` rows, as if each of them were there so often, all that grows with the rows is taken so
many times: seconds, bytes that are read, rows that come to the client. Counters are as large as ever, and so are the
seconds that the client looks at them.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic

from lab.scale.simulation.machines import Machines, Worker
from petree.partitions.counting import Asked
from petree.partitions.engines.base import Part, Result, Task, Working, in_runs, work_off
from petree.partitions.engines.dask import n_runs


@dataclass
class Pass:
    """What one pass over all parts took: tasks, bytes by the way they go, and seconds of workers.

    `sent` go to the scheduler and on to workers, `between` from worker to worker, `received` come to the client.
    """

    task: str
    n_slots: int
    n_nodes: int
    n_runs: int
    n_joins: int = 0
    read: int = 0
    sent: int = 0
    between: int = 0
    received: int = 0
    worked: float = 0.0

    @property
    def n_tasks(self) -> int:
        return self.n_runs + self.n_joins


@dataclass
class Held(Generic[Result]):
    """A result, its bytes, who has it, and since when."""

    result: Result
    n_bytes: int
    worker: Worker
    ready: float


@dataclass
class Simulated:
    """The engine; `passes` are all that were made, `client_seconds` what the client worked by itself."""

    machines: Machines
    scale: int = 1
    passes: list[Pass] = field(default_factory=list)
    client_seconds: float = 0.0
    n_here: int = 0
    n_results: int = 1
    _left: float = field(default_factory=time.process_time)
    _times: int = 1

    def reduce(self, task: Task[Result], parts: Sequence[Part]) -> Result:
        return self.start(task, parts).result()

    def start(self, task: Task[Result], parts: Sequence[Part]) -> Running[Result]:
        self.enter()
        n_bytes = len(pickle.dumps(task))
        runs = in_runs(parts, n_runs(sum(part.n_rows for part in parts) * self.scale, len(self.machines.workers)))
        sent = [n_bytes + len(pickle.dumps(run)) for run in runs]
        self.work(time.process_time() - self._left)  # what is sent is packed by the client
        n_slots, n_nodes = (int(task.slots.max()) + 1, len(task.tree)) if isinstance(task, Asked) else (0, 0)
        done = Pass(type(task).__name__, n_slots, n_nodes, len(runs), sent=sum(sent))
        self.passes.append(done)
        self.work(len(runs) * self.machines.hardware.submitting)
        held = [self._run(task, run, own, done) for run, own in zip(runs, sent, strict=True)]
        self.leave()
        return Running(self, task, n_bytes, held, done)

    def _run(self, task: Task[Result], run: Sequence[Part], n_bytes: int, done: Pass) -> Held[Result]:
        machines = self.machines
        worker = machines.next_free()
        begin = machines.schedule(machines.client, n_bytes)
        started = time.process_time()
        result = work_off(task, run, Working(kept=worker.kept))
        measured = time.process_time() - started
        n_result = bytes_of(result) * (self.scale if task.is_joined_here else 1)
        seconds = self.scale * measured + machines.hardware.packing * n_result
        read = self.scale * sum(map(bytes_read, run))
        done.read += read
        done.worked += seconds
        ready = machines.work(worker, begin, seconds + read / machines.hardware.disk)
        return Held(result, n_result, worker, ready)

    def finish(self) -> None:
        """Count what the client did after the last pass."""
        self.enter()

    def enter(self) -> None:
        """The client calls: what it did since it left is its work."""
        self.work(self._times * (time.process_time() - self._left))
        self._left = time.process_time()

    def leave(self, times: int | None = None) -> None:
        """The client goes on by itself, with what takes so many times as long, or as what it had before."""
        self._times = self._times if times is None else times
        self._left = time.process_time()

    def work(self, seconds: float) -> None:
        """The client works so long."""
        self.client_seconds += seconds
        self.machines.client += seconds


@dataclass
class Running(Generic[Result]):
    """A pass whose runs are done, in the time of the simulation perhaps later."""

    engine: Simulated
    task: Task[Result]
    n_bytes: int
    held: list[Held[Result]]
    done: Pass

    def result(self) -> Result:
        self.engine.enter()
        result = self._brought() if self.task.is_joined_here else self._joined()
        self.engine.leave(self.engine.scale if self.task.is_joined_here else 1)
        return result

    def give_up(self) -> None:
        """All is done already."""

    def _brought(self) -> Result:
        """All results come to the client when the last is there, one after the other, and are joined by it."""
        machines = self.engine.machines
        n_bytes = sum(held.n_bytes for held in self.held)
        self.done.received += n_bytes
        machines.client = max(machines.client, *(held.ready for held in self.held)) + machines.hardware.move(n_bytes)
        started = time.process_time()
        result = self.held[0].result
        for held in self.held[1:]:
            result = self.task.join(result, held.result)
        self.engine.work(self.engine.scale * (time.process_time() - started) + machines.hardware.packing * n_bytes)
        return result

    def _joined(self) -> Result:
        """Results are joined in pairs by workers; the last one comes to the client by way of the scheduler."""
        machines = self.engine.machines
        all_held = self.held
        self.engine.work((len(all_held) - 1) * machines.hardware.submitting)
        while len(all_held) > 1:
            pairs = [self._pair(*all_held[first : first + 2]) for first in range(0, len(all_held) - 1, 2)]
            all_held = [*pairs, *all_held[2 * len(pairs) :]]
        last = all_held[0]
        self.done.received += last.n_bytes
        machines.client = max(machines.client, last.ready) + 2 * machines.hardware.move(last.n_bytes)
        return last.result

    def _pair(self, one: Held[Result], other: Held[Result]) -> Held[Result]:
        """Two results as one, where one of them is: with the worker that is free first."""
        machines = self.engine.machines
        worker = min((one.worker, other.worker), key=lambda who: who.free)
        moved = sum(held.n_bytes for held in (one, other) if held.worker is not worker)
        begin = machines.schedule(max(one.ready, other.ready, machines.client), self.n_bytes)
        started = time.process_time()
        result = self.task.join(one.result, other.result)
        seconds = time.process_time() - started + machines.hardware.packing * moved
        self.done.n_joins += 1
        self.done.sent += self.n_bytes
        self.done.between += moved
        self.done.worked += seconds
        ready = machines.work(worker, begin, seconds + (machines.hardware.move(moved) if moved else 0.0))
        return Held(result, bytes_of(result), worker, ready)


def bytes_read(part: Part) -> int:
    """What a task reads of a part: codes, classes, and weights if there are any."""
    rows = part.read()
    weights = 0 if rows.weights is None else rows.weights.nbytes
    return rows.narrow.nbytes + rows.wide.nbytes + rows.classes.nbytes + weights


def bytes_of(result: object) -> int:
    """What a result takes on its way, arrays as they lie in memory."""
    buffers: list[pickle.PickleBuffer] = []
    beside = pickle.dumps(result, protocol=5, buffer_callback=buffers.append)
    return len(beside) + sum(buffer.raw().nbytes for buffer in buffers)
