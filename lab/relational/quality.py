"""Trees over several tables beside tables made flat by hand: log loss and AUC by cross-validation.

    PETREE_DATA=... python -m lab.relational.quality chosen --results FILE   # every second set: to choose by
    PETREE_DATA=... python -m lab.relational.quality others --results FILE   # the other half: looked at once
    PETREE_DATA=... python -m lab.relational.quality all --results FILE --page docs/relational-quality.md

The relational learners get the keys of the examples. The others get what people make of such tables by hand
(aggregates.py): counts, means, minima, maxima and shares of categories over one and two links. Results are
kept in a file that grows, so that an interrupted run goes on; `--again NAME` computes a contender anew.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold

from lab.experiments.growing_file import GrowingFile
from lab.experiments.measuring import measures_of, spread
from lab.experiments.processes import in_processes
from lab.experiments.report.tables import Table
from lab.pages import page_of, show
from lab.papers.data.relational_data import folder_of, load
from lab.quality.data import one_hot
from lab.relational.aggregates import Flattener
from lab.verdicts import Verdict
from petree import (
    OptionTreeClassifier,
    ProbabilityTreeClassifier,
    RelationalOptionTreeClassifier,
    RelationalTreeClassifier,
    presets,
)
from petree.relational import Database

LEAST_EXAMPLES = 50
# Sets of more examples are divided in folds once.
MANY_EXAMPLES = 5000
N_FOLDS = 5
HALVES = {"chosen": slice(0, None, 2), "others": slice(1, None, 2), "all": slice(None)}
FLAT = "by hand: "
RELATIONAL: dict[str, Callable[[Database], Any]] = {
    "default": lambda database: RelationalTreeClassifier(database, n_jobs=1),
    "rand": lambda database: RelationalTreeClassifier(database, pruning="rand", n_jobs=1, random_state=0),
    "unpruned": lambda database: RelationalTreeClassifier(database, pruning="none", n_jobs=1),
    "option tree": lambda database: RelationalOptionTreeClassifier(database, n_jobs=1, random_state=0),
    "tilde": lambda database: presets["tilde"](database=database, n_jobs=1),
}
BY_HAND: dict[str, Callable[[], Any]] = {
    f"{FLAT}tree": lambda: ProbabilityTreeClassifier(n_jobs=1),
    f"{FLAT}option tree": lambda: OptionTreeClassifier(n_jobs=1, random_state=0),
    f"{FLAT}forest": lambda: RandomForestClassifier(500, n_jobs=1, random_state=0),
    f"{FLAT}LightGBM": lambda: _lightgbm(),
}
CONTENDERS = (*RELATIONAL, *BY_HAND)
SECTION = "## Measured later"
MEASURES = ("log_loss", "auc", "seconds")
SINGLE_BAR = 0.8
# An average may be behind the best of the others by no more than this share, or by so many nats.
MOST_BEHIND = 0.10
MOST_NATS_BEHIND = 0.01


def _lightgbm() -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_jobs=1, random_state=0, verbose=-1)


class ResultsFile(GrowingFile):
    """One line for each data set, contender and fold."""

    heads = ("data_set", "contender", "seed", "fold", *MEASURES)

    def read(self) -> pd.DataFrame:
        """All results; of several for one fold the last."""
        return pd.read_csv(self.path).drop_duplicates(list(self.heads[:4]), keep="last")


@dataclass(frozen=True)
class Examples:
    """A data set as both kinds of learners get it."""

    database: Database
    keys: NDArray[Any]
    y: NDArray[Any]
    flat: pd.DataFrame

    def folds(self, runs: int = N_FOLDS) -> Iterator[tuple[int, int, NDArray[np.intp], NDArray[np.intp]]]:
        n_runs = 1 if len(self.y) > MANY_EXAMPLES else runs
        for seed in range(n_runs):
            cut = StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed)
            for fold, (learn, test) in enumerate(cut.split(self.keys, self.y)):
                yield seed, fold, learn, test


@cache
def examples_of(name: str) -> Examples:
    database = load(name)
    table = str(database.target).rpartition(".")[0]
    keys = np.asarray(database.keys(table))
    flat = Flattener(folder_of(name)).frame().loc[keys].reset_index(drop=True)
    return Examples(database, keys, np.asarray(database.labels(str(database.target))), flat)


def list_sets(half: str) -> list[str]:
    """The data sets with enough examples, or every second one of them."""
    listed = pd.read_csv(Path(os.environ["PETREE_DATA"]) / "relational" / "MANIFEST.csv")
    large = listed[(listed["examples"] >= LEAST_EXAMPLES) & (listed["classes"] >= 2)]
    return sorted(large["name"])[HALVES[half]]


def work(name: str, seed: int, fold: int, contender: str) -> tuple[Any, ...]:
    """The measures of one contender on one fold, with what they are of."""
    examples = examples_of(name)
    learn, test = next(found[2:] for found in examples.folds() if found[:2] == (seed, fold))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # columns without values in one fold, classes of few examples
        start = time.process_time()
        model, answers = _answer(contender, examples, learn, test)
        seconds = time.process_time() - start
        classes = np.unique(examples.y)
        found = measures_of(examples.y[test], spread(answers, model.classes_, classes), classes)
    return name, contender, seed, fold, -found["log_likelihood"] * np.log(2), found["auc"], seconds


def _answer(contender: str, examples: Examples, learn: NDArray[np.intp], test: NDArray[np.intp]) -> tuple[Any, Any]:
    y = examples.y[learn]
    if contender in RELATIONAL:
        model = RELATIONAL[contender](examples.database).fit(examples.keys[learn], y)
        return model, model.predict_proba(examples.keys[test])
    model = BY_HAND[contender]()
    known = examples.flat.iloc[learn]
    asked = examples.flat.iloc[test]
    if not type(model).__module__.startswith("petree"):
        known, asked = one_hot(known, asked)
    return model.fit(known, y), model.predict_proba(asked)


def left_to_do(
    names: Sequence[str], contenders: Sequence[str], runs: int, file: ResultsFile, again: Sequence[str]
) -> list[tuple[str, int, int, str]]:
    """What has no result yet, a fold of all contenders after the other."""
    known = file.read()
    known = known[~known["contender"].isin(again)]
    done = set(zip(known["data_set"], known["seed"], known["fold"], known["contender"], strict=True))
    wanted = (
        (name, *found[:2], one) for name in names for found in examples_of(name).folds(runs) for one in contenders
    )
    return [one for one in wanted if one not in done]


# -- tables and bars -------------------------------------------------------------------------------------------


def table_of(means: pd.DataFrame, title: str, note: str) -> Table:
    shown = [one for one in CONTENDERS if one in means]
    rows = [
        (str(name), *("" if np.isnan(row[one]) else f"{row[one]:.3f}" for one in shown))
        for name, row in means.iterrows()
    ]
    average = ("mean", *(f"{means[one].mean():.3f}" for one in shown))
    return Table(title, ("set", *shown), [*rows, average], note, bold=[len(rows)])


def verdicts(losses: pd.DataFrame) -> list[Verdict]:
    """The bars, each beside its figure."""
    n_sets = len(losses)
    single = losses["default"] <= losses[f"{FLAT}tree"]
    text = f"the default tree has no more log loss than the tree of aggregates on {SINGLE_BAR:.0%} of the sets"
    found = [Verdict(text, f"{single.sum()} of {n_sets}", bool(single.mean() >= SINGLE_BAR))]
    if "option tree" in losses:
        best = losses[[name for name in BY_HAND if name != f"{FLAT}tree"]].min(axis=1)
        behind = losses["option tree"] - best
        most = np.maximum(MOST_BEHIND * best, MOST_NATS_BEHIND)
        text = (
            "the option tree has no more than the best of forest, LightGBM and option tree by hand on half of the sets"
        )
        found.append(Verdict(text, f"{(behind <= 0).sum()} of {n_sets}", bool((behind <= 0).mean() >= 0.5)))
        text = f"and is nowhere more than {MOST_BEHIND:.0%} or {MOST_NATS_BEHIND:g} nats behind"
        far = [f"{name} ({behind[name]:+.3f})" for name in losses.index[behind > most]]
        found.append(Verdict(text, ", ".join(far) or "nowhere", not far))
    return found


def main(given: Sequence[str] = tuple(sys.argv[1:])) -> None:
    options = parse(given)
    names = [name for name in list_sets(options.half) if not options.sets or name in options.sets.split(",")]
    file = ResultsFile(options.results)
    contenders = options.contenders.split(",") if options.contenders else CONTENDERS
    left = left_to_do(names, contenders, options.runs, file, options.again)
    console = Console(stderr=True)
    for row in track(in_processes(work, left, options.jobs), "folds", len(left), console=console):
        file.append([row])
    known = file.read()
    known = known[known["seed"] < options.runs]
    by_set = known[known["data_set"].isin(names)].groupby(["data_set", "contender"])[list(MEASURES)].mean().unstack()
    losses = by_set["log_loss"]
    tables = [
        table_of(losses, "Log loss in nats", "Less is better; a probability below 1e-6 counts as that."),
        table_of(by_set["auc"], "AUC", "One class against the rest, weighted by its examples."),
        table_of(
            by_set["seconds"], "Seconds of processor time, one thread", "Fit and predict; aggregates are not timed."
        ),
    ]
    command = shlex.join(["python", "-m", "lab.relational.quality", *given])
    how = f"{len(names)} sets, {options.runs} x {N_FOLDS} folds, of more than {MANY_EXAMPLES:,} examples 1 x {N_FOLDS}."
    if losses.isna().any(axis=None):
        how += " Contenders without a figure were left out there, and their means are of the other sets."
    page = page_of("Trees over several tables: quality", command, how, [("Bars", verdicts(losses))], tables)
    show(page, options.page)
    if options.section:
        write_section(options.section, page.to_markdown())


def write_section(path: Path, made: str) -> None:
    """Put what a page would have behind what another has, in the place of an earlier section."""
    before = path.read_text(encoding="utf-8").partition(SECTION)[0].rstrip()
    lower = re.sub(r"^#", "##", made.partition("\n")[2].strip(), flags=re.MULTILINE)
    path.write_text(f"{before}\n\n{SECTION}\n\n{lower}\n", encoding="utf-8")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("half", choices=HALVES)
    parser.add_argument("--results", type=Path, required=True, metavar="FILE", help="what is measured is kept here")
    parser.add_argument("--sets", help="only these, separated by commas")
    parser.add_argument("--contenders", help="measure only these, separated by commas; the others where they are known")
    parser.add_argument("--again", action="append", default=[], metavar="NAME", help="measure a contender anew")
    parser.add_argument("--runs", type=int, default=N_FOLDS, help="repetitions of the cross-validation")
    parser.add_argument("--jobs", type=int, default=-1, help="number of processes")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the tables and the verdicts here")
    parser.add_argument("--section", type=Path, metavar="FILE", help="write them as the last section of a page")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
