"""Trees on data without structure: how many inner nodes each pruning criterion leaves, by the number of cases.

The data are those of Oates and Jensen: 30 fair binary attributes and a fair class that has nothing to do with them. The
right tree is a single leaf.

Examples
--------
python -m lab.noise.run                            everything, about five minutes; prints the tables
python -m lab.noise.run --quick                    few cases, few tables
python -m lab.noise.run --page docs/noise.md       writes the page as well, and the figure beside it
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from lab.noise.page import Page
from lab.noise.reading import Sizes
from lab.pages import show
from lab.pruning import contenders as pruning_contenders
from lab.pruning.contenders import Contender, left_out
from petree import ProbabilityTreeClassifier

N_ATTRIBUTES = 30
ROWS = (250, 1000, 4000, 16_000)
MOST_TABLES = 300
# All tables of one size have no more cases than this together.
MOST_CASES = 1_200_000
QUICK_ROWS = (250, 1000)
QUICK_TABLES = 40

Cases = tuple[NDArray[np.float64], NDArray[np.int64]]


class NewCases:
    """Cases without structure, others at every call."""

    def __init__(self, *seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def __call__(self, n: int) -> Cases:
        attributes = self.random.integers(2, size=(n, N_ATTRIBUTES)).astype(np.float64)
        return attributes, self.random.integers(2, size=n)


# A new pruning set for every decision can be had only where the data come from a generator. The two others show what
# makes the difference where trees grow that should not, or do not grow that should.
CONTENDERS = (
    *pruning_contenders.CONTENDERS,
    Contender("reduced_error, fresh sets", {"fresh": NewCases(4)}, every=25),
    Contender("reduced_error, alpha 0.1", {"alpha": 0.1}),
    Contender("quinlan_rivest, c 3", {"c": 3.0}),
)


def main(arguments: Sequence[str] | None = None) -> None:
    given = sys.argv[1:] if arguments is None else arguments
    options = parse(given)
    console = Console(width=None if sys.stdout.isatty() else 160)
    sizes, failures = measure(CONTENDERS, options.tables, console)
    page = Page(sizes, failures, shlex.join(["python", "-m", "lab.noise.run", *given]))
    show(page.report(f"{options.page.stem}.png") if options.page else page.report(), options.page)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options; `tables` has the number of tables for each number of cases."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROWS} cases, at most {QUICK_TABLES} tables")
    parser.add_argument("--rows", nargs="+", type=int, help=f"numbers of cases (default {ROWS})")
    most = f"tables of each size at most; slow criteria get fewer (default {MOST_TABLES})"
    parser.add_argument("--tables", type=int, help=most)
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the tables and what they say here")
    options = parser.parse_args(arguments)
    rows = options.rows or (QUICK_ROWS if options.quick else ROWS)
    most_tables = options.tables or (QUICK_TABLES if options.quick else MOST_TABLES)
    options.tables = {n: max(1, min(most_tables, MOST_CASES // n)) for n in sorted(rows)}
    return options


def measure(contenders: Sequence[Contender], tables: Mapping[int, int], console: Console) -> tuple[Sizes, list[str]]:
    """Inner nodes by contender and number of cases, one number per table; sentences about contenders that failed."""
    sizes: Sizes = {one.name: {} for one in contenders}
    failures: dict[str, str] = {}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("left"), TimeRemainingColumn(), console=console, transient=True) as progress:
        for n, number, one in progress.track(list(fits(contenders, tables)), description="trees"):
            if one.name in failures:
                continue
            try:
                sizes[one.name].setdefault(n, []).append(inner_nodes(one, n, number))
            except Exception as error:  # whatever it is, the others go on
                failures[one.name] = left_out(one.name, [f"table {number} of {n} cases"], error)
    return {name: found for name, found in sizes.items() if name not in failures}, list(failures.values())


def fits(contenders: Sequence[Contender], tables: Mapping[int, int]) -> Iterator[tuple[int, int, Contender]]:
    """Cases, number of the table and contender of every fit; sizes alternate, so that the time left can be told."""
    for number in range(max(tables.values())):
        for n in tables:
            for one in contenders:
                if number < tables[n] and number % one.every == 0 and one.takes(n):
                    yield n, number, one


def inner_nodes(contender: Contender, rows: int, number: int) -> int:
    """Inner nodes of the tree that a criterion leaves of one table."""
    X, y = NewCases(3, rows, number)(rows)
    tree = ProbabilityTreeClassifier("gain", contender.make(), "laplace", random_state=number).fit(X, y).tree_
    return tree.n_internal


if __name__ == "__main__":
    main()
