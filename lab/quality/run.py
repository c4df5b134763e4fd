"""How good class probabilities are: petree's split scores and smoothings beside other single trees.

Data come from the folder that the environment variable PETREE_DATA names (tabular/types.json, tabular/NAME.csv.gz).
Results are kept in a file: an interrupted run goes on where it stopped, and a new contender computes itself only.

Examples
--------
python -m lab.quality.run --quick                       five small sets, one repetition
python -m lab.quality.run                               the 20 sets of CW488
python -m lab.quality.run --all --page docs/quality.md  every set, and the page
python -m lab.quality.run --contenders 'gain/*,imodels/unpruned'
python -m lab.quality.run --fresh                       nothing of petree that its earlier sources computed
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from lab.pages import show
from lab.quality.contenders import Contender, choose
from lab.quality.data import N_FOLDS, TABLE_1, FrameSet, find_folder, list_sets, load
from lab.quality.page import Page
from lab.quality.results import ResultsFile
from lab.quality.scoring import Scores
from lab.quality.work import jobs, run

SEEDS = (0, 1)
N_QUICK = 5


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    console = Console(width=None if sys.stdout.isatty() else 160)
    try:
        contenders = choose(options.contenders)
        data_sets = read(options, console)
        file = ResultsFile(options.results)
    except (OSError, ValueError) as error:
        sys.exit(str(error))
    seeds = SEEDS[:1] if options.quick else SEEDS
    left = jobs(data_sets, contenders, seeds, file.known(options.fresh))
    try:
        failures = run(left, file, options.jobs)
    except KeyboardInterrupt:
        sys.exit("Interrupted; the same command goes on from here.")
    page = make_page(file, data_sets, contenders, seeds, failures, command(options))
    show(page.report(), options.page)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="every set of the folder, not only those of CW488")
    parser.add_argument("--quick", action="store_true", help=f"the {N_QUICK} smallest of the sets, one repetition")
    parser.add_argument("--contenders", metavar="NAMES", help="only these, separated by commas; * stands for anything")
    again = "compute petree's results anew where earlier states of its sources gave them"
    parser.add_argument("--fresh", action="store_true", help=again)
    parser.add_argument("--jobs", type=int, default=-1, metavar="N", help="number of processes (default: all cores)")
    where = "where results are kept (default: %(default)s)"
    parser.add_argument("--results", type=Path, default=_cache(), metavar="FILE", help=where)
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the tables and what they say here")
    return parser.parse_args(arguments)


def read(options: argparse.Namespace, console: Console) -> list[FrameSet]:
    """The chosen sets."""
    folder = find_folder()
    known = list_sets(folder)
    names = known if options.all else [name for name in TABLE_1 if name in known]
    with console.status("reading the data sets"):
        data_sets = [load(folder, name) for name in names]
    if options.quick:
        data_sets = sorted(data_sets, key=lambda data: data.columns.size)[:N_QUICK]
    return data_sets


def make_page(
    file: ResultsFile,
    data_sets: Sequence[FrameSet],
    contenders: Sequence[Contender],
    seeds: Sequence[int],
    failures: Sequence[str],
    command: str,
) -> Page:
    """The page of the results of this run's sets and contenders."""
    results = file.current(data_sets, contenders, seeds)
    names = [data.name for data in data_sets]
    scores = Scores.of(results, names, [contender.name for contender in contenders], len(seeds) * N_FOLDS)
    return Page(scores, contenders, data_sets, results, seeds, failures, command)


def command(options: argparse.Namespace) -> str:
    """The command that makes the same page, without what only says where and how fast."""
    words = ["python", "-m", "lab.quality.run"]
    words += [f"--{name}" for name in ("all", "quick") if getattr(options, name)]
    words += ["--contenders", options.contenders] if options.contenders else []
    words += ["--page", options.page.name if options.page.is_absolute() else str(options.page)] if options.page else []
    return shlex.join(words)


def _cache() -> Path:
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "petree" / "quality.csv"


if __name__ == "__main__":
    main()
