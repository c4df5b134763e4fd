"""What is said of clients of Dask that cannot do the work, and how much of it is one task."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from petree.partitions.engines.dask import LEAST_ROWS, OnDask, n_runs


@dataclass
class Client:
    """As much of one as is asked before any work."""

    status: str
    threads: dict[str, int]

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
