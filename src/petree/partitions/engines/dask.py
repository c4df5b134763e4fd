"""A Dask cluster that is there already."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from typing import Any

from petree.partitions.engines.base import COUNTING, Part, PartitionError, Result, Task, Working, attempt
from petree.partitions.watching import begin, tell_nobody

# How often a part is tried anew where a worker could not read it.
RETRIES = 2


class OnDask:
    """Hands tasks to the workers of a `distributed.Client`, which join the results in pairs.

    Tasks are pure, and no worker keeps anything between them: what is lost with a worker Dask does again elsewhere.
    They travel as bytes, since Dask lays arrays into memory as they come, where compiled loops cannot read them.
    """

    n_here = 0
    n_results = 1

    def __init__(self, client: Any) -> None:
        self._client = client

    def reduce(self, task: Task[Result], parts: Sequence[Part]) -> Result:
        sent = pickle.dumps(task)
        submit = self._client.submit
        futures = [submit(_attempt, sent, pickle.dumps(part), pure=True, retries=RETRIES) for part in parts]
        tell = begin(COUNTING, len(parts))
        for future in futures if tell is not tell_nobody else ():
            future.add_done_callback(lambda _: tell(1))
        every = list(futures)
        try:
            while len(futures) > 1:
                pairs = zip(futures[::2], futures[1::2], strict=False)
                joined = [submit(_join, sent, *pair, pure=True) for pair in pairs]
                futures = [*joined, *futures[2 * len(joined) :]]
                every += joined
            result: Result = futures[0].result()
        except BaseException as error:  # an error or an interrupt: nobody begins another task
            self._client.cancel(every)
            _name_the_deadly(error, {future.key: part.reader.name for future, part in zip(every, parts, strict=False)})
            raise
        return result


def _name_the_deadly(error: BaseException, names: Mapping[str, str]) -> None:
    """Raise an error that names the part where Dask gives it up, since workers die of it."""
    from distributed import KilledWorker

    if isinstance(error, KilledWorker):
        name = names.get(str(error.task), "counts of several parts")
        raise PartitionError(
            f"{name}: worker after worker was killed that had it; give workers more memory, or make smaller parts."
        ) from error


def _attempt(task: bytes, part: bytes) -> Any:
    return attempt(pickle.loads(task), pickle.loads(part), Working())


def _join(task: bytes, one: Any, other: Any) -> Any:
    return pickle.loads(task).join(one, other)
