"""What a fit on a cluster should take, from formulas: waves, passes, tasks, bytes and seconds."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log2

from lab.scale.simulation.machines import Hardware
from petree.partitions.engines.dask import n_runs
from petree.partitions.ground import BYTES_OF_CELL, PASSES_FOR_ROOM, SHARE_OF_COUNTERS, SHARE_OF_PARTS, SHARE_OF_ROWS

# Bytes of a gathered row beside its codes: class and slot.
BESIDE_CODES = 6
# What a task carries beside the tree, and in the tree for each node; a part by its reader.
BYTES_OF_TASK = 3_100
BYTES_OF_NODE = 84
BYTES_OF_PART = 70


@dataclass(frozen=True)
class Rates:
    """Seconds of processor that were measured: of workers for a row in a pass, of the client for a row in a tree."""

    worker: float
    client: float


@dataclass(frozen=True)
class OnPaper:
    """Rows of columns of up to 255 bins, a budget in bytes, and workers of one thread."""

    n_rows: int
    n_columns: int
    n_classes: int
    memory: int
    n_workers: int

    @property
    def counters(self) -> int:
        """Bytes of the counters of a node."""
        return 256 * self.n_columns * self.n_classes * 8

    @property
    def rows_at_a_time(self) -> float:
        """Rows that are gathered in a pass, at most."""
        return SHARE_OF_ROWS * (1 - SHARE_OF_PARTS) * self.memory / (5 * self.n_columns // 4 + 34)

    @property
    def nodes_at_a_time(self) -> int:
        """Nodes that are counted in a pass, at most."""
        a_node = self.counters / 8 * (8 + BYTES_OF_CELL + self.n_columns)
        return max(int(SHARE_OF_COUNTERS * (1 - SHARE_OF_PARTS) * self.memory / a_node), 1)

    @property
    def large_nodes(self) -> float:
        """Nodes of a level that are too large to be gathered, at most."""
        return max(self.n_rows / self.rows_at_a_time, 1)

    @property
    def gathers(self) -> int:
        """Passes that gather."""
        return ceil(PASSES_FOR_ROOM * self.large_nodes)

    @property
    def counted_nodes(self) -> int:
        """Large nodes of all levels: about as many as there are passes that gather what is below them."""
        return self.gathers

    @property
    def waves(self) -> int:
        """Passes that count: one for each level with large nodes, or more where their counters have no room.

        Levels are full until they could have all large nodes, and one more has the rest.
        """
        full = [2**level for level in range(ceil(log2(self.large_nodes)) or 1)]
        levels = [*full, max(self.counted_nodes - sum(full), 0)]
        return sum(ceil(n_nodes / self.nodes_at_a_time) for n_nodes in levels)

    @property
    def n_runs(self) -> int:
        """Runs of parts in a pass."""
        return n_runs(self.n_rows, self.n_workers)

    @property
    def n_tasks(self) -> int:
        """Runs of all passes, and what joins two results of a wave."""
        return self.waves * (2 * self.n_runs - 1) + self.gathers * self.n_runs

    @property
    def read(self) -> int:
        """Bytes that all workers read."""
        return (self.waves + self.gathers) * self.n_rows * (self.n_columns + 2)

    @property
    def between(self) -> float:
        """Bytes of counters that go from worker to worker; where there are several, hardly any are where they go."""
        return (self.n_runs - 1) * self.counted_nodes * self.counters if self.n_workers > 1 else 0

    @property
    def received(self) -> int:
        """Bytes that come to the client: each row once, and the counters of each large node."""
        return self.n_rows * (self.n_columns + BESIDE_CODES) + self.counted_nodes * self.counters

    def sent(self, n_parts: int) -> float:
        """Bytes by way of the scheduler: tasks, with a tree that has all its large nodes in the middle of the way."""
        a_task = BYTES_OF_TASK + BYTES_OF_NODE * self.counted_nodes
        return self.n_tasks * a_task + (self.waves + self.gathers) * n_parts * BYTES_OF_PART

    def seconds(self, rates: Rates, hardware: Hardware) -> tuple[float, float]:
        """All of them, and those of the client; fewer in truth, since workers gather while the client grows."""
        a_row = rates.worker + (self.n_columns + 2) / hardware.disk
        at_once = min(self.n_workers, self.n_runs)
        passes = (self.waves + self.gathers) * self.n_rows * a_row / at_once
        tasks = self.n_tasks * (hardware.scheduling + hardware.beginning / at_once)
        client = self.n_rows * rates.client + self.n_tasks * hardware.submitting
        return passes + tasks + client + self.received / hardware.network, client
