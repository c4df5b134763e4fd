"""Trees for rare classes: the default beside hierarchical shrinkage, an unpruned tree and a forest.

The tables of one half were used to choose the rules of the default, those of the other to judge them.

Examples
--------
PETREE_DATA=... python -m lab.rare.run choosing --results FILE
PETREE_DATA=... python -m lab.rare.run judging --results FILE --page docs/rare-classes.md
PETREE_DATA=... python -m lab.rare.run judging --results FILE --again default     # measure it anew
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from sklearn.metrics import roc_auc_score

from lab.experiments.growing_file import GrowingFile
from lab.experiments.processes import in_processes
from lab.experiments.report.tables import Table
from lab.pages import page_of, show
from lab.quality.data import FrameSet, find_folder, load, one_hot
from lab.quality.peers import Forest, Peer, ShrunkTree, with_version
from lab.rare.data import CHOOSING, JUDGING, MOST_ROWS, RareSample, RareTask, load_tasks
from lab.verdicts import Verdict
from petree import ProbabilityTreeClassifier
from petree.pruning.engine.counts import FLOOR

DEFAULT, SHRUNK, LAPLACE, FOREST = "default", "HSTreeCV", "unpruned Laplace", "forest"
OWN: dict[str, Callable[[], Any]] = {
    DEFAULT: lambda: ProbabilityTreeClassifier(n_jobs=1),
    LAPLACE: lambda: ProbabilityTreeClassifier(pruning="none", smoothing="laplace", n_jobs=1),
    "unpruned default": lambda: ProbabilityTreeClassifier(pruning="none", n_jobs=1),
}
PEERS: dict[str, Callable[[], Peer]] = {SHRUNK: ShrunkTree, FOREST: Forest}
CONTENDERS = (DEFAULT, SHRUNK, LAPLACE, "unpruned default", FOREST)
MEASURES = ("bits", "auc", "leaves", "seconds")
# A forest of this AUC shows that there is something to learn.
SIGNAL = 0.7
MOST_SINGLE = 0.05
MOST_LEAVES = 12


class ResultsFile(GrowingFile):
    """One line for each task and contender."""

    heads = ("task", "source", "share", "cases", "contender", *MEASURES)

    def read(self) -> pd.DataFrame:
        """All results; of several for one task the last."""
        return pd.read_csv(self.path).drop_duplicates(["task", "contender"], keep="last")


@cache
def table_of(source: str) -> FrameSet:
    return load(find_folder(), source, MOST_ROWS)


def work(task: RareTask, contender: str) -> tuple[Any, ...]:
    """The measures of one contender on a task, with what they are of."""
    sample = task.sample(table_of(task.source))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # columns that are constant in the training sample
        start = time.process_time()
        chances, leaves = (_own if contender in OWN else _peer)(contender, sample)
        seconds = time.process_time() - start
    of_truth = np.where(sample.y_test == 1, chances, 1 - chances)
    bits = np.average(-np.log2(np.maximum(of_truth, FLOOR)), weights=sample.weights)
    auc = roc_auc_score(sample.y_test, chances)
    return task.name, task.source, task.share, task.n_cases, contender, float(bits), float(auc), leaves, seconds


def _own(contender: str, sample: RareSample) -> tuple[NDArray[np.float64], float]:
    model = OWN[contender]().fit(sample.X, sample.y)
    return model.predict_proba(sample.X_test)[:, 1], float(model.get_n_leaves())


def _peer(contender: str, sample: RareSample) -> tuple[NDArray[np.float64], float]:
    peer = PEERS[contender]()
    X, X_test = one_hot(sample.X, sample.X_test)
    model = peer.fit(X, sample.y)
    return peer.answer(model, X_test)[:, 1], peer.n_leaves(model)


# -- tables and bars -------------------------------------------------------------------------------------------


def groups_of(results: pd.DataFrame) -> dict[str, pd.Index]:
    """Names of tasks: all, and those of each share and of few or many cases."""
    tasks = results.drop_duplicates("task").set_index("task")
    groups = {"all": tasks.index}
    groups |= {f"{share:.1%}": rows.index for share, rows in tasks.groupby("share")}
    bins = pd.cut(tasks["cases"], [0, 9, 19, 59, np.inf], labels=["5-9 cases", "10-19", "20-59", "60 and more"])
    return groups | {str(name): rows.index for name, rows in tasks.groupby(bins, observed=True)}


def means_table(results: pd.DataFrame, measure: str, title: str, digits: int) -> Table:
    frame = results.pivot(index="task", columns="contender", values=measure)
    shown = [one for one in CONTENDERS if one in frame and frame[one].notna().any()]
    center = np.median if measure == "leaves" else np.mean
    rows = [
        (name, str(len(tasks)), *(f"{center(frame.loc[tasks, one]):.{digits}f}" for one in shown))
        for name, tasks in groups_of(results).items()
    ]
    return Table(title, ("tasks", "number", *shown), rows)


def verdicts(results: pd.DataFrame) -> list[Verdict]:
    """The bars, each beside its figure."""
    frames = {name: results.pivot(index="task", columns="contender", values=name) for name in MEASURES}
    bits, auc, leaves = frames["bits"], frames["auc"], frames["leaves"]
    found = []
    for other in (SHRUNK, LAPLACE):
        least, own = auc[other].mean(), auc[DEFAULT].mean()
        text = f"mean AUC of the default at least that of {other}"
        found.append(Verdict(text, f"{own:.4f}, {least:.4f}", own >= least))
        most, own = bits[other].mean(), bits[DEFAULT].mean()
        found.append(Verdict(f"mean bits below those of {other}", f"{own:.4f}, {most:.4f}", own < most))
    has_signal = auc[FOREST] >= SIGNAL
    single = (leaves[DEFAULT] == 1)[has_signal]
    text = (
        f"a single leaf on at most {MOST_SINGLE:.0%} of the tasks in which the forest has an AUC of at least {SIGNAL:g}"
    )
    found.append(Verdict(text, f"{single.sum()} of {len(single)} ({single.mean():.1%})", single.mean() <= MOST_SINGLE))
    median = leaves[DEFAULT].median()
    found.append(Verdict(f"median leaves at most {MOST_LEAVES}", f"{median:g}", median <= MOST_LEAVES))
    return found


def main(given: Sequence[str] = tuple(sys.argv[1:])) -> None:
    options = parse(given)
    tasks = [task for _, of_table in load_tasks(find_folder(), options.half) for task in of_table]
    file = ResultsFile(options.results)
    known = file.read()
    known = known[~known["contender"].isin(options.again)]
    done = set(zip(known["task"], known["contender"], strict=True))
    wanted = options.contenders.split(",") if options.contenders else CONTENDERS
    left = [(task, one) for task in tasks for one in wanted if (task.name, one) not in done]
    console = Console(stderr=True)
    for row in track(in_processes(work, left, options.jobs), "tasks", len(left), console=console):
        file.append([row])
    results = file.read()
    results = results[results["task"].isin([task.name for task in tasks])]
    tables = [
        means_table(results, "bits", "Log loss in bits, means", 4),
        means_table(results, "auc", "AUC, means", 4),
        means_table(results, "leaves", "Leaves, medians", 0),
    ]
    how = (
        f"{len(tasks)} tasks from {len({task.source for task in tasks})} tables: one class against the rest, thinned "
        "to 5%, 2%, 1% or .5% of 300 to 10,000 training rows. Test rows are all rows that are left, weighted to the "
        f"share of the class in training. {with_version('imodels')}, {with_version('scikit-learn')}; HSTreeCV shrinks "
        "an unpruned tree, the forest has 500 trees."
    )
    command = shlex.join(["python", "-m", "lab.rare.run", *given])
    bars = [("Bars", verdicts(results))] if set(CONTENDERS) <= set(results["contender"]) else []
    show(page_of("Rare classes", command, how, bars, tables), options.page)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("half", choices=(CHOOSING, JUDGING))
    parser.add_argument("--results", type=Path, required=True, metavar="FILE", help="where results are cached")
    parser.add_argument("--contenders", help="only these, separated by commas")
    parser.add_argument("--again", action="append", default=[], metavar="NAME", help="measure a contender anew")
    parser.add_argument("--jobs", type=int, default=-1, help="number of processes")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the tables and the bars here")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
