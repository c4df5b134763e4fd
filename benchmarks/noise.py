"""Trees on data without structure: how many inner nodes each pruning criterion leaves, by the number of cases.

The data are those of Oates and Jensen: 30 fair binary attributes and a fair class that has nothing to do with them. The
right tree is a single leaf.

Examples
--------
python benchmarks/noise.py                            everything; prints the tables
python benchmarks/noise.py --quick                    few cases, few trials
python benchmarks/noise.py --page docs/noise.md       writes the page as well, and the figure beside it
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from pruning_contenders import CONTENDERS, Contender
from noise_page import Page
from noise_reading import Sizes
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from petree import ProbabilityTreeClassifier

N_ATTRIBUTES = 30
ROWS = (250, 1000, 4000, 16_000)
TRIALS = 100
QUICK_ROWS = (250, 1000)
QUICK_TRIALS = 10


def main(arguments: Sequence[str] | None = None) -> None:
    given = sys.argv[1:] if arguments is None else arguments
    options = parse(given)
    console = Console(width=None if sys.stdout.isatty() else 160)
    sizes = measure(CONTENDERS, options.rows, options.trials, console)
    page = Page(sizes, options.trials, shlex.join(["python", "benchmarks/noise.py", *given]))
    for table in page.tables:
        console.print(table.to_rich())
    console.print(page.reading, markup=False, highlight=False)
    if options.page:
        page.write(options.page)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROWS} cases, {QUICK_TRIALS} trials")
    parser.add_argument("--rows", nargs="+", type=int, help=f"numbers of cases (default {ROWS})")
    parser.add_argument("--trials", type=int, help=f"tables of each size (default {TRIALS})")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the tables and what they say here")
    options = parser.parse_args(arguments)
    options.rows = sorted(options.rows or (QUICK_ROWS if options.quick else ROWS))
    options.trials = options.trials or (QUICK_TRIALS if options.quick else TRIALS)
    return options


def rand30(rows: int, trial: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """A table without structure; the same for the same numbers."""
    random = np.random.default_rng([3, rows, trial])
    return random.integers(2, size=(rows, N_ATTRIBUTES)).astype(np.float64), random.integers(2, size=rows)


def measure(contenders: Sequence[Contender], rows: Sequence[int], trials: int, console: Console) -> Sizes:
    """Inner nodes by contender and number of cases, one number a trial."""
    sizes: Sizes = {one.name: {n: [] for n in rows if one.takes(n)} for one in contenders}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("left"), TimeRemainingColumn(), console=console, transient=True) as progress:
        task = progress.add_task("trees", total=trials * sum(map(len, sizes.values())))
        for n, trial, one in _fits(contenders, rows, trials):
            progress.update(task, description=f"{n} cases: {one.name}")
            sizes[one.name][n].append(inner_nodes(one, n, trial))
            progress.advance(task)
    return sizes


def _fits(contenders: Sequence[Contender], rows: Sequence[int], trials: int) -> Iterator[tuple[int, int, Contender]]:
    """Every fit; sizes alternate, so that the time so far tells the time left."""
    for trial in range(trials):
        for n in rows:
            for one in contenders:
                if one.takes(n):
                    yield n, trial, one


def inner_nodes(contender: Contender, rows: int, trial: int) -> int:
    """Inner nodes of the tree that a criterion leaves of one table."""
    X, y = rand30(rows, trial)
    tree = ProbabilityTreeClassifier(pruning=contender.make(), random_state=trial).fit(X, y).tree_
    return tree.n_nodes - tree.n_leaves


if __name__ == "__main__":
    main()
