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
from datetime import date
from pathlib import Path

from rich.console import Console

from benchmarks.scale.clusters import cluster
from benchmarks.scale.peers import PEERS
from benchmarks.scale.rows import read, write
from petree.estimators.partitioned.data import bytes_in_memory
from petree.inputs.memory import memory_of_machine

HOUSE = Path(__file__).parents[2]
COLUMNS = ("seconds", "of processor", "MB at most", "MB of a worker", "MB sent", "MB received", "leaves", "AUC")
# Processor and memory are of the process that fits; of workers, the memory is told.
HEADS = ("rows", "learner", "way", *COLUMNS, "how it ended")
# Seconds that a fit may take whose worker was killed, beyond four times those of a whole one.
PATIENCE = 30
# The longest fit.
LONGEST = 6 * 3600
BEGIN = "<!-- tables of benchmarks/scale/run.py -->"
END = "<!-- end of tables -->"


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
            return ["-m", "benchmarks.scale.peers", folder, str(n_rows), self.learner, scheduler]
        way = self.way if self.way in ("memory", "moved") else "counts"
        return ["-m", "benchmarks.scale.run", "--one", folder, str(n_rows), way, self.fit, scheduler]

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
        measured = _run(way, way.words(folder, n_rows, workers.file), patience)
        if measured.found:
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
        around(options.page)
    lines: list[list[str]] = []
    console.print(" | ".join(HEADS))
    for n_rows in options.rows:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            write(Path(folder), n_rows)
            measured: list[Measured] = []
            for way in WAYS:
                one = measure(way, folder, n_rows, measured)
                measured.append(one)
                console.print(" | ".join(one.cells(n_rows)), soft_wrap=True, highlight=False)
            lines += [one.cells(n_rows) for one in measured]
    if options.page is not None:
        rewrite(options.page, lines)


def around(page: Path) -> tuple[str, str]:
    """What stands before and behind the tables of a page."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise SystemExit(f"{page} has no place for tables: the lines {BEGIN} and {END}.")
    return before, after


def rewrite(page: Path, lines: Sequence[Sequence[str]]) -> None:
    """Put the tables in their place on a page."""
    before, after = around(page)
    rows = [HEADS, ["---"] * len(HEADS), *lines]
    text = "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows)
    made = f"Made on {date.today().isoformat()} on {os.cpu_count()} cores, not written by hand."
    page.write_text(f"{before}{BEGIN}\n{made}\n\n{text}\n\n{END}{after}", encoding="utf-8")
