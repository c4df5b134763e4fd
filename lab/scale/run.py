"""Fits of data in parts: time against a fit in memory, peak memory, bytes moved, growth with the rows, Dask workers.

Rows of 20 columns are made part by part and written as codes into a folder, which is deleted at the end; each fit is a
process of its own.

Examples
--------
python -m lab.scale.run                            a million and ten million rows
python -m lab.scale.run --rows 1e6 --dask          also on Dask clusters of one and two workers
python -m lab.scale.run --rows 1e8 --ways counts   beyond memory
python -m lab.scale.run --all --rows 1e7 --page docs/scaling.md    all ways, other libraries, killed workers
"""

from __future__ import annotations

import argparse
import json
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from sklearn.metrics import roc_auc_score

from lab.scale.clusters import cluster, megabytes_of, warm_up
from lab.scale.rows import N_COLUMNS, held_out, read, write
from petree import ProbabilityTreeClassifier
from petree.partitions.engines import use
from petree.partitions.engines.base import Later, Part, Result, Task, Working, in_pairs, in_runs, work_off

WAYS = ("memory", "counts", "moved")
# Of the codes, what fits by counts may take in memory.
SHARE = 0.25
COLUMNS = ("seconds", "of processor", "MB at most", "MB of the fit", "MB sent", "MB received", "leaves", "bits", "AUC")
PARAMETERS: dict[str, dict[str, Any]] = {
    "8 levels": {"pruning": "none", "smoothing": "laplace", "max_depth": 8},
    "default": {},
}


class Weighing:
    """An engine in this process that counts the bytes that would go to workers and come back."""

    n_results = 32
    n_here = 0

    def __init__(self) -> None:
        self.sent = 0
        self.received = 0

    def start(self, task: Task[Result], parts: Sequence[Part]) -> Later[Result]:
        return Later(partial(self.reduce, task, parts))

    def reduce(self, task: Task[Result], parts: Sequence[Part]) -> Result:
        results = []
        for run in in_runs(parts, self.n_results):
            self.sent += len(pickle.dumps((task, run)))
            results.append(work_off(task, run, Working()))
            self.received += len(pickle.dumps(results[-1]))
        return in_pairs(results, task.join)


def measure(folder: Path, n_rows: int, way: str, parameters: str, scheduler: str) -> dict[str, float]:
    """One fit, in this process: seconds, megabytes at most, bytes moved and quality."""
    data = read(folder, n_rows)
    memory = 10**12 if way == "memory" else int(SHARE * n_rows * N_COLUMNS)
    weighing = Weighing()
    workers: Any = weighing if way == "moved" else None
    opened: AbstractContextManager[Any] = nullcontext()
    if scheduler:
        from distributed import Client

        warm_up(scheduler, "petree.partitions.counting", "lab.scale.rows")
        workers = Client(scheduler_file=scheduler)
        opened = workers
    (folder / "begun").touch()
    before = megabytes_of(which="VmRSS")
    start = time.perf_counter()
    processor = time.process_time()
    with opened, use(workers, memory=memory):
        model = ProbabilityTreeClassifier(n_jobs=2, **PARAMETERS[parameters]).fit(data)
    found = {
        "seconds": time.perf_counter() - start,
        "of processor": time.process_time() - processor,
        "MB at most": megabytes_of(),
        "MB of the fit": megabytes_of() - before,
        "MB sent": weighing.sent / 1e6,
        "MB received": weighing.received / 1e6,
        "leaves": model.tree_.n_leaves,
    }
    rows, classes = held_out()
    answers = model.predict_proba(named(rows))
    bits = float(-np.log2(answers[np.arange(len(classes)), classes]).mean())
    return {**found, "bits": bits, "AUC": float(roc_auc_score(classes, answers[:, 1]))}


def named(rows: NDArray[np.uint8]) -> dict[str, NDArray[np.float64]]:
    """Codes as values of columns: a cut is at every whole number."""
    return {f"x{place}": rows[:, place].astype(np.float64) for place in range(N_COLUMNS)}


def in_process(*words: str) -> dict[str, float]:
    """The same in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "lab.scale.run", "--one", *words], capture_output=True, text=True, check=True
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def on_dask(n_workers: int, *words: str) -> dict[str, float]:
    """The same on a cluster of so many workers of one thread each."""
    with cluster(n_workers) as workers:
        return in_process(*words, workers.file)


def calls(options: argparse.Namespace, words: tuple[str, ...], fit: str) -> dict[str, Callable[[], dict[str, float]]]:
    """What is measured of one data set and one kind of fit, by name."""
    found = {way: partial(in_process, *words, way, fit, "") for way in options.ways}
    for n_workers in (1, 2) if options.dask else ():
        found[f"Dask, {n_workers}"] = partial(on_dask, n_workers, *words, "counts", fit)
    return found


def run(options: argparse.Namespace, console: Console) -> None:
    table = Table("rows", "fit", "way", *COLUMNS)
    measured: dict[str, list[tuple[int, float]]] = {}
    for n_rows in options.rows:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            write(Path(folder), n_rows)
            for fit in options.fits:
                for way, call in calls(options, (folder, str(n_rows)), fit).items():
                    found = call()
                    measured.setdefault(f"{fit}, {way}", []).append((n_rows, found["of processor"]))
                    table.add_row(f"{n_rows:.0e}", fit, way, *(f"{found[name]:.5g}" for name in COLUMNS))
                    console.print(f"{n_rows:.0e} {fit} {way} {found}", soft_wrap=True)
    console.print(table)
    for name, pairs in measured.items():
        if len(pairs) > 1:
            exponent = np.diff(np.log([pairs[0][1], pairs[-1][1]])) / np.diff(np.log([pairs[0][0], pairs[-1][0]]))
            console.print(f"{name}: processor time grows with the rows to the power of {exponent[0]:.2f}")


def main() -> None:
    if "--one" in sys.argv:
        folder, n_rows, way, fit, scheduler = sys.argv[2:]
        print(json.dumps(measure(Path(folder), int(n_rows), way, fit, scheduler)))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", nargs="+", type=lambda text: int(float(text)), default=[10**6, 10**7])
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=["memory", "counts"])
    parser.add_argument("--fits", nargs="+", choices=list(PARAMETERS), default=list(PARAMETERS))
    parser.add_argument("--dask", action="store_true", help="also on Dask clusters of one and two workers")
    parser.add_argument("--folder", default=None, help="where the parts are written")
    parser.add_argument("--all", action="store_true", help="all ways, other libraries, and a worker that is killed")
    parser.add_argument("--page", type=Path, default=None, help="with --all: the page whose tables are made anew")
    options = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 160)
    if options.all:
        from lab.scale.comparison import run_all

        run_all(options, console)
        return
    run(options, console)


if __name__ == "__main__":
    main()
