"""All of `run.py --all`: petree in every way and other libraries, and what a worker that is killed does to each."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from lab.scale.clusters import cluster
from lab.scale.peers import PEERS
from lab.scale.rows import read, write
from lab.scale.sections import Section, markdown
from petree.estimators.partitioned.data import bytes_in_memory
from petree.inputs.memory import memory_of_machine

HOUSE = Path(__file__).parents[2]
# Processor and memory are of the process that fits, and apart from them those of workers: of all, and of the largest.
COLUMNS = (
    "seconds",
    "of processor",
    "of workers' processors",
    "MB at most",
    "MB of a worker",
    "MB sent",
    "MB received",
    "leaves",
    "AUC",
)
HEADS = ("rows", "learner", "way", *COLUMNS, "how it ended")
# Seconds that a fit may take whose worker was killed, beyond four times those of a whole one.
PATIENCE = 30
# The longest fit.
LONGEST = 6 * 3600
SECTION = Section("lab/scale/run.py")


@dataclass(frozen=True)
class Way:
    """One line of the table: what runs, on how many workers, and whether one of them is killed."""

    learner: str
    way: str
    n_workers: int = 0
    is_killed: bool = False
    fit: str = "8 levels"

    def words(self, folder: str, n_rows: int, scheduler: str) -> list[str]:
        """The command of its process."""
        if self.learner in PEERS:
            return ["-m", "lab.scale.peers", folder, str(n_rows), self.learner, scheduler]
        way = self.way if self.way in ("memory", "moved") else "counts"
        return ["-m", "lab.scale.run", "--one", folder, str(n_rows), way, self.fit, scheduler]

    @property
    def name(self) -> str:
        workers = f"Dask, {self.n_workers} worker{'s' * (self.n_workers > 1)}" if self.n_workers else self.way
        return workers + (", one killed" if self.is_killed else "")


WAYS = (
    Way("petree", "memory"),
    Way("petree", "counts"),
    Way("petree", "moved"),
    *(Way("petree", "counts", *workers) for workers in ((1,), (2,), (2, True))),
    Way("petree, default", "memory", fit="default"),
    Way("petree, default", "counts", fit="default"),
    Way("XGBoost", "pages on the disk"),
    Way("scikit-learn", "a sample in memory"),
    *(Way("LightGBM", "", *workers) for workers in ((1,), (2,), (2, True))),
)


@dataclass(frozen=True)
class Measured:
    """What was found in one way, and a word on how it ended."""

    way: Way
    found: dict[str, float]
    end: str = ""

    def cells(self, n_rows: int) -> list[str]:
        figures = [f"{self.found[name]:.4g}" if self.found.get(name) else "" for name in COLUMNS]
        return [f"{n_rows:.0e}", self.way.learner, self.way.name, *figures, self.end]


def measure(way: Way, folder: str, n_rows: int, before: Sequence[Measured]) -> Measured:
    """One way, in processes of their own."""
    if way.way == "memory" and bytes_in_memory(read(Path(folder), n_rows)) > memory_of_machine() / 2:
        return Measured(way, {}, "does not fit")
    if not way.n_workers:
        return _run(way, way.words(folder, n_rows, ""), LONGEST)
    whole = next((one.found.get("seconds") for one in before if _is_whole(one.way, way)), None)
    if way.is_killed and whole is None:
        return Measured(way, {}, "not tried")
    (Path(folder) / "begun").unlink(missing_ok=True)
    with cluster(way.n_workers) as workers:
        if way.is_killed and whole is not None:
            workers.kill_one_after(Path(folder) / "begun", whole / 2)
        patience = 4 * whole + PATIENCE if way.is_killed and whole is not None else LONGEST
        worked = workers.seconds_since(Path(folder) / "begun")
        measured = _run(way, way.words(folder, n_rows, workers.file), patience)
        if measured.found:
            measured.found["of workers' processors"] = worked()
            measured.found["MB of a worker"] = workers.megabytes
    return measured


def _is_whole(one: Way, killed: Way) -> bool:
    return (one.learner, one.n_workers, one.is_killed) == (killed.learner, killed.n_workers, False)


def _run(way: Way, words: list[str], seconds: float) -> Measured:
    known = os.pathsep.join([str(HOUSE), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": known}
    try:
        done = subprocess.run(
            [sys.executable, *words], capture_output=True, text=True, timeout=seconds, env=environment
        )
    except subprocess.TimeoutExpired:
        return Measured(way, {}, f"no answer in {seconds:.0f} s")
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"ended by {done.returncode}"]
        return Measured(way, {}, f"fails: {lines[-1][:100]}")
    return Measured(way, json.loads(done.stdout.splitlines()[-1]))


def run_all(options: argparse.Namespace, console: Console) -> None:
    """Measure all ways for all numbers of rows, print them, and write the tables of a page anew."""
    if options.page is not None:
        SECTION.around(options.page)
    loads = [os.getloadavg()[0]]
    every: list[Measured] = []
    lines: list[list[str]] = []
    console.print(" | ".join(HEADS))
    for n_rows in options.rows:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            write(Path(folder), n_rows)
            measured: list[Measured] = []
            for way in WAYS:
                one = measure(way, folder, n_rows, measured)
                measured.append(one)
                loads.append(os.getloadavg()[0])
                console.print(" | ".join(one.cells(n_rows)), soft_wrap=True, highlight=False)
            lines += [one.cells(n_rows) for one in measured]
            every += measured
    words = [markdown(HEADS, lines), of_load(loads), *of_killed(every)]
    console.print(*words[1:], sep="\n\n", soft_wrap=True, highlight=False)
    if options.page is not None:
        SECTION.write(options.page, words)


def of_load(loads: Sequence[float]) -> str:
    """Whether the clock can be believed: at most two threads of a fit, and the scheduler, want a core at a time."""
    cores = os.cpu_count() or 1
    words = f"Between the fits the load of the machine was {min(loads):.1f} to {max(loads):.1f} on {cores} cores"
    if max(loads) <= cores + 1:
        return f"{words}: that of the fits, so that the seconds of the clock are theirs."
    return f"{words}: other programs ran, so that seconds of the clock say little; compare those of processor."


def of_killed(every: Sequence[Measured]) -> list[str]:
    """What became of fits whose worker was killed."""
    ends = [f"{one.way.learner}: {_end(one, every)}" for one in every if one.way.is_killed]
    return [f"Where a worker was killed in the middle: {'; '.join(ends)}."] if ends else []


def _end(killed: Measured, every: Sequence[Measured]) -> str:
    if not killed.found:
        return killed.end
    whole = next(one for one in every if _is_whole(one.way, killed.way))
    alike = ("leaves", "AUC")
    kind = "the same" if all(killed.found[name] == whole.found[name] for name in alike) else "another"
    return f"{kind} tree in {killed.found['seconds']:.3g} s instead of {whole.found['seconds']:.3g}"
