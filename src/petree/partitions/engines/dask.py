"""A Dask cluster that is there already."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from socket import create_connection
from typing import Any, Generic

from petree.caching import cached_property
from petree.partitions.engines.base import COUNTING, Part, PartitionError, Result, Task, Working, in_runs, work_off
from petree.partitions.kept import KeptNodes
from petree.progress import Advance, begin, ignore

# How often a run of parts is tried anew where a worker could not read it.
RETRIES = 2
# Runs of parts for each thread of the cluster: a task takes the scheduler and both ends some milliseconds, and a run is
# what is lost with a worker.
RUNS_PER_THREAD = 4
# Rows that a run has at least, if others have them too: less work would take longer to schedule than to do.
LEAST_ROWS = 2**18
# How long a worker is waited for at its address before rows are asked of the scheduler.
SECONDS_TO_REACH = 2.0
# What a worker may take to keep where rows were, so that it need not send them down the tree again. Whether it still
# has them does not matter to any result.
KEPT_BYTES = 2**27
_KEPT = KeptNodes(KEPT_BYTES)


class OnDask:
    """Hands tasks to the workers of a `distributed.Client`, which join the results in pairs.

    Tasks are pure, and nothing that a worker keeps between them matters: what is lost with it is done again elsewhere.
    They travel as bytes, since Dask lays arrays into memory as they come, where compiled loops cannot read them.
    """

    n_here = 0
    n_results = 1

    def __init__(self, client: Any) -> None:
        if client.status != "running":
            raise ValueError(f"The Dask client is {client.status}; connect one to its cluster, and use that.")
        if not client.nthreads():
            warnings.warn("The Dask cluster has no workers; what is asked of it waits for the first one.", stacklevel=2)
        self._client = client

    @cached_property
    def _reaches_workers(self) -> bool:
        """Whether rows can come from workers themselves: the scheduler would have all of them in its memory."""
        return any(_is_reached(address) for address in [*self._client.nthreads()][:1])

    def reduce(self, task: Task[Result], parts: Sequence[Part]) -> Result:
        return self.start(task, parts).result()

    def start(self, task: Task[Result], parts: Sequence[Part]) -> Submitted[Result]:
        sent = pickle.dumps(task)
        submit = self._client.submit
        runs = in_runs(parts, n_runs(sum(part.n_rows for part in parts), sum(self._client.nthreads().values())))
        futures = [submit(_work_off, sent, pickle.dumps(run), pure=True, retries=RETRIES) for run in runs]
        advance = begin(COUNTING, len(parts))
        for future, run in zip(futures, runs, strict=True) if advance is not ignore else ():
            future.add_done_callback(partial(_advance, advance, len(run)))
        names = {future.key: _name_of(run) for future, run in zip(futures, runs, strict=True)}
        is_direct = task.is_joined_here and self._reaches_workers
        return Submitted(self._client, task, sent, futures, names, is_direct)


class Submitted(Generic[Result]):
    """Runs of parts that workers have, and then the results that they join.

    Parameters
    ----------
    client : distributed.Client
    task : Task
    sent : bytes
        The task as workers have it.
    futures : list of distributed.Future
        Of the runs.
    names : mapping
        The parts of each run by its key, for sentences.
    is_direct : bool
        Whether results come here from workers, and not by way of the scheduler.
    """

    def __init__(
        self,
        client: Any,
        task: Task[Result],
        sent: bytes,
        futures: list[Any],
        names: Mapping[str, str],
        is_direct: bool,
    ) -> None:
        self._client = client
        self._task = task
        self._sent = sent
        self._futures = futures
        self._names = names
        self._is_direct = is_direct

    def result(self) -> Result:
        try:
            if self._task.is_joined_here:  # to bring it to another worker first would be a detour
                first, *others = self._client.gather(self._futures, direct=self._is_direct)
                result = _joined(self._task, first, others)
            else:
                result = self._join_in_pairs().result()
        except BaseException as error:  # an error or an interrupt: nobody begins another task
            self.give_up()
            _name_the_deadly(error, self._names)
            raise
        self.give_up()  # workers need not keep what is here
        return result

    def give_up(self) -> None:
        for future in self._futures:  # each by itself, since the frames of an error hold on to them
            future.release()
        self._futures = []

    def _join_in_pairs(self) -> Any:
        """Let workers join all results; the future of the last."""
        futures = self._futures
        while len(futures) > 1:
            pairs = zip(futures[::2], futures[1::2], strict=False)
            joined = [self._client.submit(_join, self._sent, *pair, pure=True) for pair in pairs]
            futures = [*joined, *futures[2 * len(joined) :]]
            self._futures = [*self._futures, *joined]
        return futures[0]


def n_runs(n_rows: int, n_threads: int) -> int:
    """So many that all threads of this moment have enough to do, as far as there are rows."""
    return max(min(RUNS_PER_THREAD * n_threads, n_rows // LEAST_ROWS), 1)


def _joined(task: Task[Result], result: Result, others: Sequence[Result]) -> Result:
    for other in others:
        result = task.join(result, other)
    return result


def _advance(advance: Advance, n_parts: int, _: Any) -> None:
    advance(n_parts)


def _is_reached(address: str) -> bool:
    """Whether somebody answers at the address of a worker, which may be in a network of its own."""
    kind, _, place = address.partition("://")
    if kind == "inproc":
        return True
    host, _, port = place.rpartition(":")
    try:
        create_connection((host.strip("[]"), int(port)), SECONDS_TO_REACH).close()
    except (OSError, ValueError):
        return False
    return True


def _name_of(run: Sequence[Part]) -> str:
    first, last = run[0].reader.name, run[-1].reader.name
    return first if first == last else f"{first} to {last}"


def _name_the_deadly(error: BaseException, names: Mapping[str, str]) -> None:
    """Raise an error that names the parts where Dask gives them up, since workers die of them."""
    from distributed import KilledWorker

    if isinstance(error, KilledWorker):
        name = names.get(str(error.task), "counts of several parts")
        raise PartitionError(
            f"{name}: worker after worker was killed that had it; give workers more memory, or make smaller parts."
        ) from error


def _work_off(task: bytes, parts: bytes) -> Any:
    return work_off(pickle.loads(task), pickle.loads(parts), Working(kept=_KEPT))


def _join(task: bytes, one: Any, other: Any) -> Any:
    return pickle.loads(task).join(one, other)
