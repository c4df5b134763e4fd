"""Speed, memory and cold start of petree beside other tree learners, as ratios measured in one run.

Examples
--------
python -m lab.speed.fit                             everything; about twenty minutes on two cores
python -m lab.speed.fit --quick                     small tables, one round
python -m lab.speed.fit --compare --sizes 1e5 --libraries petree scikit-learn
python -m lab.speed.fit --scaling --cold --markdown results.md
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from lab.report import Table, machine_table, to_markdown
from lab.speed.cold import measure_cold_start
from lab.speed.compare import BUDGET_SECONDS, compare, peak_memory
from lab.speed.data import Case
from lab.speed.growth import measure_growth
from lab.speed.peers import LIBRARIES
from lab.speed.tables import cold_table, growth_table, memory_table, timing_table
from lab.speed.verdicts import Results, judge
from lab.speed.worker import can_measure_memory
from lab.speed.workers import Workers
from lab.verdicts import Verdict

SIZES = (10_000, 100_000, 1_000_000)
CLASSES = (2, 10)
NOMINAL_ROWS = 100_000
GROWTH_SIZES = (100_000, 1_000_000, 10_000_000)
REPEATS = 5

QUICK_SIZES = (10_000, 100_000)

PARTS = {
    "compare": "time of fit and predict_proba of all libraries",
    "memory": "peak memory of a fit beyond the input, largest size and two classes",
    "scaling": "growth of petree's fit time with the rows",
    "cold": "petree's first fits and import",
}


class Run:
    """The parts of one run: each measures into `results` and prints its tables."""

    def __init__(self, options: argparse.Namespace, console: Console, progress: Progress) -> None:
        self.options = options
        self.results = Results()
        self.tables: list[Table] = []
        self._console = console
        self._progress = progress

    def show(self, table: Table) -> None:
        self.tables.append(table)
        self._console.print(table.to_rich())

    def compare(self) -> None:
        with self._workers(self.options.libraries) as workers:
            for case in _cases(self.options.sizes, self.options.classes):
                self.results.comparison |= compare([case], workers, self.options.repeats)
                self.show(timing_table(case, self.results.comparison[case]))

    def memory(self) -> None:
        if not can_measure_memory():
            self.results.failures.append("Peak memory is left out: it needs the /proc files of Linux.")
            return
        case = Case(max(self.options.sizes))
        peaks = peak_memory(case, self.options.libraries, self._progress, self.results.failures)
        self.results.memory[case] = peaks
        self.show(memory_table(case, peaks))

    def scaling(self) -> None:
        sizes = QUICK_SIZES if self.options.quick else GROWTH_SIZES
        with self._workers(["petree"]) as workers:
            self.results.growth = measure_growth(sizes, workers, self.options.repeats)
        self.show(growth_table(self.results.growth))

    def cold(self) -> None:
        task = self._progress.add_task("new processes of petree", total=None)
        try:
            self.results.cold = measure_cold_start(self.options.repeats)
            self.show(cold_table(self.results.cold))
        except RuntimeError as error:
            self.results.failures.append(f"Cold start is left out: {error}")
        finally:
            self._progress.remove_task(task)

    def _workers(self, names: Sequence[str]) -> Workers:
        return Workers(names, self._progress, self.results.failures)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    console = Console(width=None if sys.stdout.isatty() else 180)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        run = Run(options, console, progress)
        run.show(machine_table())
        for part in options.parts:
            getattr(run, part)()
    verdicts = judge(run.results)
    _print_lines(console, "Left out", run.results.failures)
    _print_lines(console, "Verdicts", verdicts)
    if options.markdown:
        options.markdown.write_text(_markdown(run, verdicts), encoding="utf-8")


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options, with the defaults of a full or a quick run filled in."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for part, what in PARTS.items():
        parser.add_argument(f"--{part}", action="store_true", help=f"only this part (or these): {what}")
    parser.add_argument("--sizes", nargs="+", type=_rows, help="numbers of rows, such as 1e4 1e5 1e6")
    parser.add_argument("--classes", nargs="+", type=int, default=CLASSES, help="numbers of classes")
    most = f"rounds at most; a library stops early after {BUDGET_SECONDS:.0f} s of fitting (default {REPEATS})"
    parser.add_argument("--repeats", type=int, help=most)
    parser.add_argument("--libraries", nargs="+", choices=LIBRARIES, default=list(LIBRARIES))
    parser.add_argument("--quick", action="store_true", help="1e4 and 1e5 rows, one round")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables here as well")
    options = parser.parse_args(arguments)
    options.sizes = options.sizes or (QUICK_SIZES if options.quick else SIZES)
    options.repeats = options.repeats or (1 if options.quick else REPEATS)
    options.libraries = [name for name in LIBRARIES if name in options.libraries]
    options.parts = [part for part in PARTS if getattr(options, part)] or list(PARTS)
    return options


def _rows(text: str) -> int:
    return int(float(text))


def _cases(sizes: Sequence[int], classes: Sequence[int]) -> list[Case]:
    """All cases, small ones first; the nominal one where the sizes reach it."""
    cases = [Case(rows, n_classes) for rows in sizes for n_classes in classes]
    if NOMINAL_ROWS in sizes:
        cases.append(Case(NOMINAL_ROWS, nominal=True))
    return sorted(cases, key=lambda case: case.rows)


def _print_lines(console: Console, title: str, lines: Sequence[str | Verdict]) -> None:
    if lines:
        console.print(f"\n{title}", style="bold")
    for line in lines:
        console.print(f"- {line}", markup=False, highlight=False)


def _markdown(run: Run, verdicts: Sequence[Verdict]) -> str:
    lists = [("Left out", run.results.failures), ("Verdicts", verdicts)]
    return to_markdown(run.tables) + "".join(
        f"\n### {title}\n\n" + "".join(f"- {line}\n" for line in lines) for title, lines in lists if lines
    )


if __name__ == "__main__":
    main()
