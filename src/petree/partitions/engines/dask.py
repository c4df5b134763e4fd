"""A Dask cluster that is there already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from petree.partitions.engines.base import Part, Result, Task, Working, attempt

# How often a part is tried anew where a worker could not read it.
RETRIES = 2


class OnDask:
    """Hands tasks to the workers of a `distributed.Client`, which join the results in pairs.

    Tasks are pure, and no worker keeps anything between them: what is lost with a worker Dask does again elsewhere.
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    def reduce(self, task: Task[Result], parts: Sequence[Part]) -> Result:
        futures = [self._client.submit(attempt, task, part, Working(), pure=True, retries=RETRIES) for part in parts]
        every = list(futures)
        try:
            while len(futures) > 1:
                pairs = zip(futures[::2], futures[1::2], strict=False)
                joined = [self._client.submit(task.join, *pair, pure=True) for pair in pairs]
                futures = [*joined, *futures[2 * len(joined) :]]
                every += joined
            result: Result = futures[0].result()
        except BaseException:  # an error or an interrupt: nobody begins another task
            self._client.cancel(every)
            raise
        return result
