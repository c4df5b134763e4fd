"""Which engine does the work, and within what memory: said once for all fits in a block."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from petree.inputs.memory import memory_of_machine
from petree.partitions.budget import read_memory
from petree.partitions.engines.base import Engine
from petree.partitions.engines.dask import OnDask
from petree.partitions.engines.threaded import Threaded
from petree.threads import Threads

# The share of the machine's memory that a fit may take unless told otherwise.
USUAL_SHARE = 0.5
# Of that memory, what the nodes of rows may take that threads keep, to go on from there.
SHARE_OF_NODES = 1 / 4


@dataclass(frozen=True)
class Chosen:
    """A Dask client or an engine, None for threads of this process, and the bytes that a fit may take here."""

    workers: Any
    memory: int

    def engine(self, threads: Threads) -> Engine:
        """Who does the tasks of one fit."""
        if self.workers is None:
            return Threaded(threads, int(SHARE_OF_NODES * self.memory))
        return self.workers if isinstance(self.workers, Engine) else OnDask(self.workers)


_CHOSEN: ContextVar[Chosen | None] = ContextVar("chosen", default=None)


def chosen() -> Chosen:
    """What the block around says, or threads and half of the memory."""
    return _CHOSEN.get() or Chosen(None, int(USUAL_SHARE * memory_of_machine()))


@contextmanager
def use(workers: Any = None, memory: int | str | None = None) -> Iterator[None]:
    """Say for the fits in a ``with`` block who counts the parts of a data set, and in how much memory.

    Trees do not depend on it.

    Parameters
    ----------
    workers : distributed.Client, Engine or None, default=None
        What does the work; None selects the threads of the estimator (`n_jobs`). An `Engine`
        (`petree.partitions.engines`) is one of your own. Workers also do the first pass of `code_files` over files,
        which they must be able to read.
    memory : int or str, optional
        Bytes that a fit may take in this process, such as "2GB": data that fit are learned from in memory. Half of the
        machine's memory unless given.

    Examples
    --------
    >>> with use(memory="2GB"):
    ...     chosen().memory
    2000000000
    """
    if not (workers is None or isinstance(workers, Engine) or _is_client(workers)):
        raise TypeError(
            f"workers must be a distributed.Client, an Engine or None. Got {type(workers).__name__} instead."
        )
    token = _CHOSEN.set(Chosen(workers, chosen().memory if memory is None else read_memory(memory)))
    try:
        yield
    finally:
        _CHOSEN.reset(token)


def _is_client(workers: Any) -> bool:
    """Whether it is a Dask client; who has one has imported its package."""
    distributed = sys.modules.get("distributed")
    return distributed is not None and isinstance(workers, distributed.Client)
