"""Many Dask workers of one thread in one process, to see what a scheduler of its own makes of so many.

python -m lab.scale.simulation.many_workers scheduler.json 64
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from distributed import Client, Worker

from lab.scale.clusters import QUIET, Cluster, cluster


@contextmanager
def many_workers(n_workers: int) -> Iterator[Cluster]:
    """A cluster of a scheduler and one process that is so many workers."""
    with cluster(0) as made:
        known = os.pathsep.join([str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")])
        words = ["-m", "lab.scale.simulation.many_workers", made.file, str(n_workers)]
        process = subprocess.Popen([sys.executable, *words], env={**os.environ, "PYTHONPATH": known}, **QUIET)
        try:
            with Client(scheduler_file=made.file) as client:
                client.wait_for_workers(n_workers)
            yield Cluster(made.folder, made.scheduler, [process])
        finally:
            process.kill()
            process.wait()


async def serve(scheduler: str, n_workers: int) -> None:
    """Be so many workers until the end."""
    folder = str(Path(scheduler).parent)
    settings = {"scheduler_file": scheduler, "nthreads": 1, "dashboard": False, "local_directory": folder}
    workers = [Worker(name=str(number), **settings) for number in range(n_workers)]
    await asyncio.gather(*workers)
    await asyncio.gather(*(worker.finished() for worker in workers))


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], int(sys.argv[2])))
