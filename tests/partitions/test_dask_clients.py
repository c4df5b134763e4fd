"""What is said of clients of Dask that cannot do the work, and how much of it is one task."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from petree.partitions.coding.looking import LookAt, PieceReader
from petree.partitions.engines.base import parts_of
from petree.partitions.engines.dask import LEAST_ROWS, OnDask, n_runs
from petree.partitions.reading.batches import TablePiece


@dataclass
class Future:
    """A task that nobody does."""

    key: str


@dataclass
class Client:
    """As much of one as is asked before any work."""

    status: str
    threads: dict[str, int]
    submitted: list[Future] = field(default_factory=list)

    def submit(self, *_: Any, **__: Any) -> Future:
        self.submitted.append(Future(f"task {len(self.submitted)}"))
        return self.submitted[-1]

    def nthreads(self) -> dict[str, int]:
        return self.threads


def test_a_client_that_was_closed_is_refused_and_one_without_workers_waits() -> None:
    with pytest.raises(ValueError, match="The Dask client is closed; connect one to its cluster"):
        OnDask(Client("closed", {}))
    with pytest.warns(UserWarning, match="has no workers; what is asked of it waits for the first one"):
        OnDask(Client("running", {}))
    OnDask(Client("running", {"tcp://127.0.0.1:1": 1}))


@pytest.mark.parametrize(
    ("n_rows", "n_threads", "expected"),
    [(0, 64, 1), (LEAST_ROWS - 1, 64, 1), (9 * LEAST_ROWS, 64, 9), (10**10, 64, 256), (10**10, 1, 4), (10**10, 0, 1)],
)
def test_runs_are_as_many_as_threads_need_and_rows_allow(n_rows: int, n_threads: int, expected: int) -> None:
    assert n_runs(n_rows, n_threads) == expected


@pytest.mark.parametrize(("n_files", "n_tasks"), [(1000, 256), (100, 100)])
def test_files_that_nobody_has_looked_at_are_tasks_for_all_threads(n_files: int, n_tasks: int) -> None:
    client = Client("running", {"tcp://127.0.0.1:1": 64})
    parts = parts_of([PieceReader(TablePiece(None, f"file {number}")) for number in range(n_files)])
    OnDask(client).start(LookAt((), [], None, 1), parts)
    assert len(client.submitted) == n_tasks
