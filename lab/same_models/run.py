"""Whether two versions of petree learn the same models: thousands, recorded under one and compared with the other.

Record under each version, with the same numpy, scipy and pandas, and compare the two files. The models are those of
`plans.py`: every split score, pruning criterion, smoothing and binning, option trees, relational trees
and presets, on drawn tables of all kinds; with PETREE_DATA set, on some known data sets too.

Conditions, counts, leaves and errors must be the same; of probabilities and other numbers the record keeps all digits,
and they are compared in units of the last place. The exit status of a comparison is 1 unless all that must be the same
is.

Examples
--------
python -m lab.same_models.run record old.npz               all models, in about six minutes
python -m lab.same_models.run record new.npz --processes 2
python -m lab.same_models.run record new.npz --models "tree 17" "option 3"
python -m lab.same_models.run compare old.npz new.npz
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from rich.console import Console
from rich.progress import track

from lab.same_models.comparing import compare
from lab.same_models.recording import plans, record_all, write


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(sys.argv[1:] if arguments is None else arguments)
    console = Console(width=None if sys.stdout.isatty() else 160)
    if options.command == "compare":
        return compare(options.old, options.new, console)
    numbers = [k for k, plan in enumerate(plans()) if not options.models or plan.name in options.models]
    start = perf_counter()
    found = track(record_all(numbers, options.processes), "models", len(numbers), console=console)
    records = write(options.file, with_lines(found, start, console))
    refused = Counter(one["error"].partition(":")[0] for one in records if "error" in one)
    console.print(
        f"{len(records)} models in {perf_counter() - start:.0f} s, {refused.total()} refused: {dict(refused)}"
    )
    return 0


def with_lines(found: Iterable[Any], start: float, console: Console) -> Iterator[Any]:
    """The same, with a line for every 100 where there is no bar to look at."""
    for number, one in enumerate(found, 1):
        if number % 100 == 0 and not console.is_terminal:
            print(f"{number} models, {perf_counter() - start:.0f} s", flush=True)
        yield one


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="fit all models and keep what they are")
    recording.add_argument("file", type=Path, help="where to keep it, as .npz")
    recording.add_argument("--processes", type=int, default=1, help="how many fit at a time (default 1)")
    recording.add_argument("--models", nargs="+", metavar="NAME", help='only these, such as "tree 17"')
    comparing = commands.add_parser("compare", help="say what differs between two records")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
