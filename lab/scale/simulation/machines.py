"""Simulated machines: when each of them is free, while tasks that were measured are given to them."""

from __future__ import annotations

from dataclasses import dataclass

from petree.partitions.engines.dask import KEPT_BYTES
from petree.partitions.kept import KeptNodes


@dataclass(frozen=True)
class Hardware:
    """What machines can do, in bytes and seconds: links of 10 gigabits, disks of 1 GB a second.

    Parameters
    ----------
    network : float
        Bytes a second into a machine, or out of it.
    disk : float
        Bytes a second that a worker reads.
    latency : float
        Seconds before the first byte of a message arrives.
    scheduling : float
        Seconds of the scheduler for each task, one after the other.
    beginning : float
        Seconds of a worker for each task, besides the task itself.
    submitting : float
        Seconds of the client for each task.
    packing : float
        Seconds of processor at either end for each byte of a result that travels.
    """

    network: float = 1.25e9
    disk: float = 1e9
    latency: float = 0.0005
    scheduling: float = 0.001
    beginning: float = 0.001
    submitting: float = 0.0008
    packing: float = 4e-9

    def move(self, n_bytes: float) -> float:
        """Seconds that a message takes."""
        return self.latency + n_bytes / self.network


@dataclass
class Worker:
    """What a worker keeps between tasks, as a real one does, and when it is free."""

    kept: KeptNodes
    free: float = 0.0


@dataclass
class Machines:
    """A client, a scheduler and some workers of one thread; `client` and `scheduler` are the clocks of these two."""

    hardware: Hardware
    workers: list[Worker]
    client: float = 0.0
    scheduler: float = 0.0

    @classmethod
    def of(cls, n_workers: int, hardware: Hardware, scale: int = 1) -> Machines:
        """So many workers; where a row stands for several, each keeps the nodes of as many fewer."""
        return cls(hardware, [Worker(KeptNodes(KEPT_BYTES // scale)) for _ in range(n_workers)])

    def next_free(self) -> Worker:
        """Who gets the next run of parts: the worker that is free first."""
        return min(self.workers, key=lambda worker: worker.free)

    def schedule(self, ready: float, n_bytes: float) -> float:
        """When a task of so many bytes, which can be scheduled from some time on, is with its worker."""
        self.scheduler = max(self.scheduler, ready) + self.hardware.scheduling
        return self.scheduler + self.hardware.move(n_bytes)

    def work(self, worker: Worker, begin: float, seconds: float) -> float:
        """When a worker is done with a task that it cannot begin before some time."""
        worker.free = max(worker.free, begin) + self.hardware.beginning + seconds
        return worker.free
