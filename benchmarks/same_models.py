"""Whether two versions of petree learn the same models: thousands, recorded under one and compared with the other.

Record under each version, with the same numpy, scipy and pandas, and compare the two files. The models are those of
`same_models_recipes.py`: every split score, pruning criterion, smoothing and binning, option trees, relational trees
and presets, on drawn tables of all kinds; with PETREE_DATA set, on some known data sets too.

Conditions, counts, leaves and errors must be the same; of probabilities and other numbers the record keeps all digits,
and they are compared in units of the last place. The exit status of a comparison is 1 unless all that must be the same
is.

Examples
--------
python benchmarks/same_models.py record old.npz               all models, in about six minutes
python benchmarks/same_models.py record new.npz --processes 2
python benchmarks/same_models.py record new.npz --models "tree 17" "option 3"
python benchmarks/same_models.py compare old.npz new.npz
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table
from same_models_recipes import Made, Plan, plan_all

import petree

# What must be the same, in the order in which a difference is told.
EXACT = ("error", "conditions", "counts", "leaves", "smoothing")
# Numbers that are probabilities; all others, such as gains, come out of sums that lose digits.
PROBABILITIES = ("answers", "nodes", "summary answers", "summary nodes")
# A difference of so many units of the last place is rounding. Values below the least count in units of the least, since
# what is small is often what large numbers leave of each other.
MOST_UNITS = 4
LEAST = 2.0**-10
N_SHOWN = 20

Numbers = dict[str, NDArray[np.float64]]
Record = dict[str, Any]


# -- recording ---------------------------------------------------------------------------------------------------------


def record(plan: Plan) -> tuple[Record, Numbers]:
    """What is kept of one model: its description with what must be the same, and its numbers."""
    made = plan.make()
    numbers = Numbers()
    known = {"name": plan.name, "members": dict(plan.members), "text": describe(made)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            made.model.fit(made.cases.X, made.cases.y, **made.settings)
            known |= read(made, numbers)
        except Exception as error:  # a refusal is a result like any other
            known["error"] = one_line(f"{type(error).__name__}: {error}")
            numbers = Numbers()
    return known, numbers


def describe(made: Made) -> str:
    """The estimator with its parameters, and its data, on one line."""
    text = repr(made.model.set_params(database=None) if made.cases.database else made.model)
    made.model.set_params(**({"database": made.cases.database} if made.cases.database else {}))
    return one_line(f"{text} on {made.cases.text}, with {', '.join(made.settings) or 'nothing else'}")


def one_line(text: str) -> str:
    """A text without line ends, and without places in memory."""
    return re.sub(r" at 0x[0-9a-f]+", "", " ".join(text.split()))


def read(made: Made, numbers: Numbers) -> Record:
    """What must be the same of a fitted model; its numbers are put beside."""
    model = made.model
    probe = made.cases.probe
    conditions = hashlib.sha256()
    counts = hashlib.sha256()
    numbers["answers"] = model.predict_proba(probe)
    read_tree(model.tree_, conditions, counts, numbers)
    if isinstance(model, petree.OptionTreeClassifier):
        shares = model.shares_
        summary = model.summary(made.max_leaves)
        numbers |= {"evidence": shares.log_evidence, "stay": shares.stay, "go": shares.go}
        numbers["summary answers"] = summary.predict_proba(probe)
        numbers["summary nodes"] = summary.node_probabilities_
        read_tree(summary.tree_, conditions, counts, {})
        numbers["interval"] = np.hstack(model.predict_interval(probe)[:2])
        return {"conditions": conditions.hexdigest(), "counts": counts.hexdigest()}
    numbers["nodes"] = model.node_probabilities_
    numbers["interval"] = np.hstack(model.predict_interval(probe)[:2])
    if hasattr(model, "tuning_"):
        numbers["losses"] = np.array(model.tuning_.losses)
    return {
        "conditions": conditions.hexdigest(),
        "counts": counts.hexdigest(),
        "leaves": hashlib.sha256(model.apply(probe).astype(np.int64).tobytes()).hexdigest(),
        "smoothing": one_line(repr(model.smoothing_)),
    }


def read_tree(tree: petree.Tree, conditions: Any, counts: Any, numbers: Numbers) -> None:
    """Add a tree to what must be the same, with the tree before pruning and what was cut of it."""
    tests = tree.conditions
    texts = [
        [tests.columns, tree.classes],
        [tests.extras[int(tests.value[k])] for k in np.flatnonzero(is_extra(tests))],
    ]
    conditions.update(repr(texts).encode())
    for array in (
        tests.kind, tests.column, np.where(is_extra(tests), 0, tests.value), tests.missing,
        tree.split_start, tree.child_start, tree.children,
    ):  # fmt: skip
        conditions.update(np.ascontiguousarray(array).tobytes())
    for array in (tree.counts, tree.sizes, tree.n_tests):
        counts.update(np.ascontiguousarray(array).tobytes())
    numbers["counts"] = tree.counts
    for name, values in {**tree.annotations, **tree.split_annotations}.items():
        numbers[name] = np.asarray(values, np.float64)
    log = tree.pruning_log
    if log is not None:
        grown: Numbers = {}
        read_tree(log.grown, conditions, counts, grown)
        for array in (log.nodes, log.cut, log.verdicts.accepted):
            conditions.update(np.ascontiguousarray(array).tobytes())
        numbers |= {f"{name} before pruning": values for name, values in grown.items()}
        numbers |= {"statistic": log.verdicts.statistic, "threshold": log.verdicts.threshold}


def is_extra(tests: Any) -> NDArray[np.bool_]:
    """Which conditions are texts or sets of categories, kept beside the arrays."""
    return np.isin(tests.kind, (petree.conditions.IN, petree.conditions.QUERY))


@cache
def plans() -> list[Plan]:
    """All models, once a process."""
    return plan_all()


def record_number(number: int) -> tuple[Record, Numbers]:
    return record(plans()[number])


def record_all(numbers: Sequence[int], n_processes: int) -> Iterator[tuple[Record, Numbers]]:
    """The models of these numbers in their order, whichever process fits them."""
    if n_processes == 1:
        yield from map(record_number, numbers)
        return
    with multiprocessing.get_context("spawn").Pool(n_processes) as pool:
        yield from pool.imap(record_number, numbers, chunksize=8)


def write(path: Path, found: Iterable[tuple[Record, Numbers]]) -> list[Record]:
    """Keep all models in one file: a text for what they are, and one long array of their numbers."""
    records = []
    parts = [np.empty(0)]
    for known, numbers in found:
        records.append({**known, "shapes": {name: values.shape for name, values in numbers.items()}})
        parts += [np.ascontiguousarray(values, np.float64).ravel() for values in numbers.values()]
    versions = {one.__name__: one.__version__ for one in (petree, np, scipy, pd)} | {"python": sys.version.split()[0]}
    text = json.dumps({"versions": versions, "records": records})
    np.savez_compressed(path, text=np.frombuffer(text.encode(), np.uint8), numbers=np.concatenate(parts))
    return records


def read_file(path: Path) -> tuple[dict[str, str], dict[str, tuple[Record, Numbers]]]:
    """The versions that a file was made with, and its models by name."""
    with np.load(path) as arrays:
        known = json.loads(arrays["text"].tobytes())
        line = arrays["numbers"]
    models = {}
    start = 0
    for one in known["records"]:
        numbers: Numbers = {}
        for name, shape in one["shapes"].items():
            size = int(np.prod(shape))
            numbers[name], start = line[start : start + size].reshape(shape), start + size
        models[one["name"]] = (one, numbers)
    return known["versions"], models


# -- comparing ---------------------------------------------------------------------------------------------------------


def units(old: NDArray[np.float64], new: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far apart numbers are, in units of the last place of the larger, or of `LEAST`; infinite if one is NaN."""
    with np.errstate(invalid="ignore"):
        apart = np.where(old == new, 0.0, np.abs(old - new))
        found = apart / np.spacing(np.maximum(np.maximum(np.abs(old), np.abs(new)), LEAST))
    is_nan = np.isnan(old), np.isnan(new)
    return np.where(is_nan[0] & is_nan[1], 0.0, np.where(is_nan[0] | is_nan[1] | np.isnan(found), np.inf, found))


def are_same_bits(old: NDArray[np.float64], new: NDArray[np.float64]) -> bool:
    """Whether all bits are the same, but for those of a NaN."""
    is_nan = np.isnan(old)
    same = old.view(np.uint64) == new.view(np.uint64)
    return bool(np.array_equal(is_nan, np.isnan(new)) and (same | is_nan).all())


class Difference:
    """What differs between two records of one model."""

    def __init__(self, old: tuple[Record, Numbers], new: tuple[Record, Numbers]) -> None:
        self.record = old[0]
        other = new[0]
        own = old[1]
        self.broken = [name for name in EXACT if self.record.get(name) != other.get(name)]
        self.texts = (self.record.get("error"), other.get("error"))
        self.far: dict[str, float] = {}
        for name in sorted({*own, *new[1]}):
            here = own.get(name)
            there = new[1].get(name)
            if here is None or there is None or here.shape != there.shape:
                self.far[name] = np.inf
            elif not are_same_bits(np.ascontiguousarray(here), np.ascontiguousarray(there)):
                self.far[name] = float(units(here, there).max())

    def most_units(self, probabilities: bool) -> float:
        """The largest difference of the probabilities, or of all other numbers; -1 where all bits are the same."""
        return max((far for name, far in self.far.items() if (name in PROBABILITIES) == probabilities), default=-1.0)

    @property
    def reason(self) -> str:
        parts = [f"other {name}" for name in self.broken]
        if "error" in self.broken:
            parts += [f"once {self.texts[0]!r}, now {self.texts[1]!r}"]
        parts += [f"{name} by {far:.3g} units" for name, far in self.far.items()]
        return "; ".join(parts)


def grades(found: Sequence[Difference], probabilities: bool) -> Counter[str]:
    """How many models have numbers that are the same, nearly the same, and not."""
    far = [one.most_units(probabilities) for one in found]
    words = ["bit for bit" if one < 0 else "rounding" if one <= MOST_UNITS else "more" for one in far]
    return Counter(words)


def compare(old_path: Path, new_path: Path, console: Console) -> int:
    """Print what differs; the exit status."""
    (old_versions, old) = read_file(old_path)
    (new_versions, new) = read_file(new_path)
    console.print(f"old: {old_versions}\nnew: {new_versions}", highlight=False)
    for missing, where in ((old.keys() - new.keys(), new_path), (new.keys() - old.keys(), old_path)):
        if missing:
            console.print(f"{len(missing)} models are not in {where}, such as {min(missing)!r}")
    found = [Difference(one, new[name]) for name, one in old.items() if name in new]
    broken = [one for one in found if one.broken]
    refused = sum("error" in one.record for one in found)
    console.print(f"{len(found)} models, {refused} of them refused; {len(found) - len(broken)} have the same")
    console.print(f"{', '.join(EXACT[1:])}, or the same error; {len(broken)} do not")
    for title, probabilities in (("probabilities", True), ("other numbers", False)):
        of = grades(found, probabilities)
        most = max((one.most_units(probabilities) for one in found), default=-1.0)
        console.print(
            f"{title}: {of['bit for bit']} models bit for bit, {of['rounding']} within {MOST_UNITS} units of the last "
            f"place, {of['more']} more; at most {max(most, 0):.3g} units"
        )
    console.print(member_table(found))
    print_differences(found, console)
    return 1 if broken or old.keys() ^ new.keys() else 0


def member_table(found: Sequence[Difference]) -> Table:
    """One line for each member of a family: its models, and how many of them differ."""
    table = Table(title="Models by member")
    for place, head in enumerate(
        ("family", "member", "models", "refused", "other exactly", "bits", "more than rounding")
    ):
        table.add_column(head, justify="right" if place > 1 else "left")
    members = sorted({pair for one in found for pair in one.record["members"].items()})
    for family, member in members:
        own = [one for one in found if one.record["members"].get(family) == member]
        far = [one.most_units(True) for one in own]
        cells = (
            len(own), sum("error" in one.record for one in own), sum(bool(one.broken) for one in own),
            sum(one >= 0 for one in far), sum(one > MOST_UNITS for one in far),
        )  # fmt: skip
        table.add_row(family, member, *map(str, cells))
    return table


def print_differences(found: Sequence[Difference], console: Console) -> None:
    """The models that differ, the worst kinds first."""
    differing = [one for one in found if one.broken or one.far]
    differing.sort(key=lambda one: (not one.broken, -one.most_units(True), -one.most_units(False)))
    if differing:
        console.print(f"The first {min(N_SHOWN, len(differing))} of {len(differing)} models that differ in anything:")
    for one in differing[:N_SHOWN]:
        text = f"{one.record['name']}: {one.reason}\n    {one.record['text']}"
        console.print(text, markup=False, highlight=False, soft_wrap=True)


# -- the command -------------------------------------------------------------------------------------------------------


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
