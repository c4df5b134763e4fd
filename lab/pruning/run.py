"""Time of every pruning criterion, relative to no pruning and to scikit-learn's unpruned tree, measured in one run.

Data come from the folder that the environment variable PETREE_DATA names (tabular/types.json, tabular/NAME.csv.gz), and
from the generator of the speed benchmark. Both sides get ready columns: petree nominal columns as categories,
scikit-learn one-hot floats.

Examples
--------
python -m lab.pruning.run                             everything, in about four minutes
python -m lab.pruning.run --quick                     small sets, no synthetic table, one round
python -m lab.pruning.run --sets voting german_credit --repeats 3
python -m lab.pruning.run --page docs/pruning.md      writes the page as well
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from lab.pages import show
from lab.pruning.contenders import CONTENDERS
from lab.pruning.data import SYNTHETIC, Ready, names_of, read
from lab.pruning.page import Page
from lab.pruning.times import measure
from lab.report import machine_table

REPEATS = 7
N_QUICK = 3


def main(arguments: Sequence[str] | None = None) -> None:
    given = sys.argv[1:] if arguments is None else arguments
    options = parse(given)
    console = Console(width=None if sys.stdout.isatty() else 160)
    machine = replace(machine_table(), note="")  # before the run, for the load; the note is about another benchmark
    contenders = [one for one in CONTENDERS if options.contenders is None or one.name in options.contenders]
    times, failures = measure(contenders, _read(options, console), options.repeats, console)
    command = shlex.join(["python", "-m", "lab.pruning.run", *given])
    page = Page(times, contenders, failures, machine, options.repeats, command)
    show(page.report(), options.page)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help=f"the {N_QUICK} smallest sets, one round")
    parser.add_argument("--sets", nargs="+", metavar="NAME", help=f"only these; {SYNTHETIC!r} is the generated table")
    names = [one.name for one in CONTENDERS]
    parser.add_argument("--contenders", nargs="+", metavar="NAME", choices=names, help="only these criteria")
    parser.add_argument("--repeats", type=int, help=f"rounds at most (default {REPEATS})")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the tables and the verdicts here")
    options = parser.parse_args(arguments)
    options.repeats = options.repeats or (1 if options.quick else REPEATS)
    return options


def _read(options: argparse.Namespace, console: Console) -> list[Ready]:
    with console.status("reading the data sets"):
        tables = [read(name) for name in options.sets or names_of(with_synthetic=not options.quick)]
    tables.sort(key=lambda table: (table.name == SYNTHETIC, table.n_rows))
    return tables[:N_QUICK] if options.quick else tables


if __name__ == "__main__":
    main()
