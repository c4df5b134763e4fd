"""Fits on simulated Dask clusters of 1 to 64 workers beside the costs on paper, and how far the simulation is right.

The fit is a real one: each task is done once in this process and measured, and a clock is kept of the machines that
would do it (`simulation/`). A real cluster of one and of two workers says how good that is, and a real scheduler with
64 workers in one process what so many tasks cost it.

Examples
--------
python -m lab.scale.simulated --page docs/scaling.md      ten million rows; some ten minutes on a quiet machine
python -m lab.scale.simulated --rows 1e6 --memory 8MB
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.console import Console

from lab.scale.rows import N_COLUMNS, read, write
from lab.scale.sections import Section
from lab.scale.simulation.machines import Hardware
from lab.scale.simulation.measuring import Real, Simulation, fit, on_cluster, on_many_workers, simulate
from lab.scale.simulation.words import Found, blocks
from petree.partitions import CodedData
from petree.partitions.budget import read_memory
from petree.partitions.engines.dask import LEAST_ROWS
from petree.tree import Tree

SECTION = Section("lab/scale/simulated.py")
WORKERS = (1, 2, 4, 16, 64)
# Rows that one stands for in the second simulation, and the rows of the fit on many real workers.
SCALE = 100
ROWS_ON_MANY = 10**6


def same(one: Tree, other: Tree) -> bool:
    """Whether two trees have the same tests and counts in all nodes."""
    tests = [[str(condition) for condition in tree.conditions] for tree in (one, other)]
    return tests[0] == tests[1] and np.array_equal(one.counts, other.counts)


def measure(data: CodedData, options: argparse.Namespace, console: Console) -> Found:
    """All fits of a data set; each has to have the tree of threads."""
    hardware = Hardware()
    expected = fit(data, None, options.memory)

    def checked(one: Simulation | Real) -> None:
        if not same(one.tree, expected):
            raise SystemExit(f"The tree of {one.n_workers} workers is another than that of threads.")
        console.print(f"{type(one).__name__} of {one.n_workers}: {one.seconds:.2f} s", highlight=False)

    simulations: list[Simulation] = []
    for scale in (1, options.scale):
        for n_workers in options.workers:
            simulations.append(simulate(data, options.memory, n_workers, hardware, scale))
            checked(simulations[-1])
    real: list[Real] = []
    for n_workers in options.real:
        real.append(on_cluster(data, options.memory, n_workers))
        checked(real[-1])
    return Found(data.n_rows, N_COLUMNS, len(data.parts), options.memory, hardware, simulations, real)


def measure_many(options: argparse.Namespace, folder: Path) -> list[Real]:
    """The fit of fewer rows on many real workers: in runs as large as ever, and in as many as all workers can do."""
    n_rows = min(options.rows, ROWS_ON_MANY)
    write(folder, n_rows, n_rows // options.many_parts)
    data = read(folder, n_rows, n_rows // options.many_parts)
    expected = fit(data, None, options.memory)
    found = [on_many_workers(data, options.memory, options.many, least) for least in (LEAST_ROWS, 1)]
    if not all(same(one.tree, expected) for one in found):
        raise SystemExit(f"The tree of {options.many} workers is another than that of threads.")
    return found


def run(options: argparse.Namespace, console: Console) -> None:
    if options.page is not None:
        SECTION.around(options.page)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        write(Path(folder), options.rows, options.part)
        found = measure(read(Path(folder), options.rows, options.part), options, console)
    many: list[Real] = []
    if options.many:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            many = measure_many(options, Path(folder))
    made = blocks(found, many)
    for block in made:
        console.print(block, "", sep="\n", soft_wrap=True, highlight=False, markup=False)
    if options.page is not None:
        SECTION.write(options.page, made)


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    def whole(text: str) -> int:
        return int(float(text))

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=whole, default=10**7)
    parser.add_argument("--part", type=whole, default=20_000, help="rows of a part")
    parser.add_argument("--memory", type=read_memory, default="80MB")
    parser.add_argument("--workers", nargs="+", type=int, default=WORKERS)
    parser.add_argument("--scale", type=int, default=SCALE, help="rows that one stands for in the second simulation")
    parser.add_argument("--real", nargs="*", type=int, default=(1, 2), help="workers of real clusters")
    parser.add_argument("--many", type=int, default=64, help="workers of a real cluster in one process, or 0")
    parser.add_argument("--many-parts", type=int, default=500, help="parts of the rows that they get")
    parser.add_argument("--folder", default=None, help="where the parts are written")
    parser.add_argument("--page", type=Path, default=None, help="the page whose section is made anew")
    return parser.parse_args(words)


if __name__ == "__main__":
    run(arguments(), Console())
