"""Trees over several tables: seconds of unpruned, RAND and default trees, and how they grow with the data.

The data sets lie in the folder that PETREE_DATA names; trains, stars and the tables of growing size are generated.
Stars have seconds of processor time on one thread, which other work on the machine disturbs least.

Examples
--------
python -m lab.relational.speed --quick                                small stars alone, some seconds
python -m lab.relational.speed                                        all but hiv, some minutes
python -m lab.relational.speed --stars 100000x20 1000000x5            stars of these sizes: examples x rows each
python -m lab.relational.speed --hiv                                  hiv too: a million atoms, a million bonds
python -m lab.relational.speed --other /path/to/bin/python            another version as well, in turns
python -m lab.relational.speed --hiv --page docs/relational-speed.md  writes the page as well, but for the
    section of `lab.relational.in_database`, which stays
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
from rich.console import Console
from rich.progress import track

from lab.pages import page_of, show
from lab.papers.data.generators import trains_database
from lab.papers.data.relational_data import folder_of, load
from lab.relational.stars import (
    COLUMNS,
    QUICK_COLUMNS,
    QUICK_STARS,
    STARS,
    seconds_of_columns,
    star_table,
    star_verdicts,
    timed_star,
)
from lab.relational.versions import pair_verdicts, pairs_table, timed_pairs
from lab.report import Table, machine_table
from lab.speed.growth import exponent
from lab.verdicts import Verdict
from petree import RelationalTreeClassifier
from petree.relational import Database
from petree.relational.prolog.ace import read_ace

# The section of the page that `in_database.py` writes.
IN_DATABASE = "## Tables that stay in their database"
THREADS = 2
REPEATS = 3
# Data sets by the name that the tables give them; those of ACE come with the language that it asks in.
SETS: dict[str, Callable[[], Database]] = {
    "bongard, ACE": lambda: read_ace(folder_of("bongard") / "prolog" / "examples"),
    "mutagenesis, ACE": lambda: read_ace(folder_of("mutagenesis") / "prolog" / "muta.s"),
    "mutagenesis": lambda: load("mutagenesis"),
    "genes": lambda: load("genes"),
    "trains": lambda: trains_database(25_000, 0),
    "hiv": lambda: load("hiv"),
}
BARS = {"bongard, ACE": 0.05, "mutagenesis, ACE": 0.3, "hiv": 60.0}
# What Tilde 2.2 itself reported in the outputs that come with ACE's examples, on the hardware of its day.
TILDE = {"bongard, ACE": 0.23, "mutagenesis, ACE": 4.44}
RAND_BAR = 2.0
# Sets on which another version is timed beside this one.
COMPARED = ("genes", "trains", "hiv")
EXAMPLES = (1000, 4000, 16_000, 64_000)
ROWS_EACH = (4, 16, 64, 256)
DEPTH = 5


@dataclass(frozen=True)
class Timed:
    """Seconds of an unpruned and of a RAND tree, and what they learned from."""

    name: str
    n_examples: int
    n_rows: int
    unpruned: float
    rand: float
    n_nodes: int


def timed(name: str, database: Database, repeats: int) -> Timed:
    """Median seconds of first fits that take turns, each of a copy that nobody has asked."""
    settings = database.settings
    shared = {"smoothing": "laplace", "n_jobs": THREADS, "min_samples_leaf": settings.get("minimal_cases", 2)}
    target = str(database.target).rpartition(".")[0]
    keys = database.keys(target)
    models = [RelationalTreeClassifier(pruning=pruning, **shared) for pruning in ("none", "rand")]
    seconds: list[list[float]] = [[], []]
    for _ in range(repeats + 1):
        for model, own in zip(models, seconds, strict=True):
            model.set_params(database=copy(database))
            start = perf_counter()
            model.fit(keys)
            own.append(perf_counter() - start)
    n_rows = sum(relation.n_rows for relation in database.relations.values())
    unpruned, rand = (median(own[1:]) for own in seconds)
    return Timed(name, len(keys), n_rows, unpruned, rand, models[0].tree_.n_nodes)


def table_of(times: Sequence[Timed]) -> Table:
    heads = ("set", "examples", "rows", "nodes", "unpruned s", "RAND s", "RAND / unpruned", "Tilde said s")
    rows = [
        (
            one.name, f"{one.n_examples:,}", f"{one.n_rows:,}", str(one.n_nodes), f"{one.unpruned:.3f}",
            f"{one.rand:.3f}", f"{one.rand / one.unpruned:.2f}", str(TILDE.get(one.name, "")),
        )
        for one in times
    ]  # fmt: skip
    note = f"Medians of {REPEATS} fits, {THREADS} threads, each of tables that were not asked before, so that it makes "
    note += "the indexes as well. Sets of ACE are asked in its language."
    return Table("Whole trees", heads, rows, note)


# -- growth ----------------------------------------------------------------------------------------------------


def made(n_examples: int, rows_each: int) -> Database:
    """Examples with so many parts each; one kind of part with a high number makes the class likely."""
    random = np.random.default_rng(n_examples + rows_each)
    owner = np.repeat(np.arange(n_examples), rows_each)
    kind = random.integers(12, size=len(owner))
    size = random.normal(size=len(owner))
    has_cause = np.zeros(n_examples, bool)
    has_cause[owner[(kind == 3) & (size > np.quantile(size, 1 - 1 / rows_each))]] = True
    is_positive = has_cause ^ (random.random(n_examples) < 0.1)
    tables = {
        "thing": {"id": np.arange(n_examples), "class": np.where(is_positive, "yes", "no")},
        "part": {"thing": owner, "kind": kind.astype(str), "size": size},
    }
    database = Database(tables, ["part.thing -> thing.id"])
    database.target = "thing.class"
    return database


def seconds_of(n_examples: int, rows_each: int) -> float:
    """Seconds of a tree of bounded depth, so that each level costs the same."""
    database = made(n_examples, rows_each)
    model = RelationalTreeClassifier(database, pruning="none", smoothing="laplace", max_depth=DEPTH, n_jobs=THREADS)
    times = []
    for _ in range(REPEATS):
        model.set_params(database=copy(database))
        start = perf_counter()
        model.fit(database.keys("thing"))
        times.append(perf_counter() - start)
    return min(times)


def growth_table(title: str, head: str, seconds: dict[int, float]) -> Table:
    first = min(seconds)
    last = max(seconds)
    note = f"From {first:,} to {last:,}: seconds ~ {head}^{exponent(seconds, first, last):.2f}; max_depth={DEPTH}."
    return Table(title, (head, "seconds"), [(f"{size:,}", f"{one:.3f}") for size, one in seconds.items()], note)


# -- the page --------------------------------------------------------------------------------------------------


def verdicts(times: Sequence[Timed], by_examples: dict[int, float]) -> list[Verdict]:
    """The bars, each beside its figure."""
    known = {one.name: one for one in times}
    found = []
    for name, bar in BARS.items():
        text = f"an unpruned tree of {name} in less than {bar:g} s"
        one = known.get(name)
        found.append(Verdict(text) if one is None else Verdict(text, f"{one.unpruned:.3f} s", one.unpruned < bar))
    worst = max(times, key=lambda one: one.rand / one.unpruned)
    ratio = worst.rand / worst.unpruned
    text = f"a RAND tree takes at most {RAND_BAR:g} times as long as an unpruned one"
    found.append(Verdict(text, f"{ratio:.2f} at most, on {worst.name}", ratio <= RAND_BAR))
    power = exponent(by_examples, min(by_examples), max(by_examples))
    text = "time grows no faster than the number of examples"
    found.append(Verdict(text, f"examples^{power:.2f}", power <= 1.05))
    return found


def main(given: Sequence[str] = tuple(sys.argv[1:])) -> None:
    options = parse(given)
    console = Console()
    machine = replace(machine_table(), note="")
    sizes = QUICK_STARS if options.quick else sorted(options.stars)
    stars = [timed_star(*size) for size in track(sizes, "stars", console=console)]
    columns = QUICK_COLUMNS if options.quick else COLUMNS
    by_columns = {n: seconds_of_columns(n) for n in track(columns, "more columns", console=console)}
    star_tables = [star_table(stars), growth_table("More columns of purchases", "columns", by_columns)]
    command = shlex.join(["python", "-m", "lab.relational.speed", *given])
    title = "Trees over several tables: speed"
    if options.quick:
        page = page_of(title, command, "", [("Bars", star_verdicts(stars, by_columns))], star_tables)
        show(page, options.page, IN_DATABASE)
        return
    names = [name for name in SETS if options.hiv or name != "hiv"]
    times = [timed(name, SETS[name](), REPEATS) for name in track(names, "data sets", console=console)]
    by_examples = {n: seconds_of(n, ROWS_EACH[1]) for n in track(EXAMPLES, "more examples", console=console)}
    by_rows = {n: seconds_of(EXAMPLES[0], n) for n in track(ROWS_EACH, "more rows each", console=console)}
    tables = [
        table_of(times),
        growth_table(f"More examples, {ROWS_EACH[1]} rows each", "examples", by_examples),
        growth_table(f"More rows each, {EXAMPLES[0]} examples", "rows", by_rows),
    ]
    judged = [*verdicts(times, by_examples), *star_verdicts(stars, by_columns)]
    if options.other is not None:
        compared = [name for name in COMPARED if name in names]
        pairs = list(timed_pairs(options.other, compared))
        judged += pair_verdicts(pairs)
        tables.append(pairs_table(pairs))
    page = page_of(title, command, "", [("Bars", judged)], [*tables, *star_tables, machine])
    show(page, options.page, IN_DATABASE)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small stars alone")
    parser.add_argument(
        "--stars", type=size_of_star, nargs="+", default=STARS, metavar="NxR", help="stars: examples x rows each"
    )
    parser.add_argument("--hiv", action="store_true", help="the large set too")
    parser.add_argument("--other", type=Path, metavar="PYTHON", help="the interpreter of another version")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the tables and the verdicts here")
    return parser.parse_args(arguments)


def size_of_star(text: str) -> tuple[int, int]:
    """Examples and rows each, from a text such as 100000x20."""
    n_examples, _, rows_each = text.partition("x")
    return int(n_examples), int(rows_each)


if __name__ == "__main__":
    main()
