"""Processes and threads that learn at the same time learn the same."""

from __future__ import annotations

import multiprocessing
import sys
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor

import pytest
from joblib import Parallel, delayed
from tests.core.fits import digest

NAMES = ("split gain", "pruning permutation", "smoothing laplace", "options")


@pytest.fixture(scope="module")
def alone() -> list[str]:
    return [digest(name) for name in NAMES]


def both(executor: Executor) -> list[list[str]]:
    """Two workers that learn everything at once."""
    with executor:
        return [list(executor.map(digest, NAMES)) for _ in range(2)]


@pytest.mark.parametrize(
    "way",
    [
        pytest.param("fork", marks=pytest.mark.skipif(sys.platform == "win32", reason="Windows does not fork")),
        "spawn",
    ],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_processes(way: str, alone: list[str]) -> None:
    """Forked after this process has learned, and so has threads: the child must not wait for them."""
    context = multiprocessing.get_context(way)
    assert both(ProcessPoolExecutor(2, mp_context=context)) == [alone, alone]


def test_workers_of_joblib(alone: list[str]) -> None:
    assert list(Parallel(n_jobs=2, backend="loky")(delayed(digest)(name) for name in NAMES)) == alone


def test_threads(alone: list[str]) -> None:
    assert both(ThreadPoolExecutor(4)) == [alone, alone]
