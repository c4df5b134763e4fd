"""What each split score and each smoothing costs, as ratios to gain and to the whole fit in the same run.

python -m lab.costs.parts [--rows 100000] [--classes 2 10] [--repeats 7]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import track

from lab.report import Table
from lab.speed.data import Case, make
from petree import ProbabilityTreeClassifier
from petree.smoothing import MEMBERS as SMOOTHINGS
from petree.smoothing import Average, Confusion, Doubt, Hierarchical, resolve_smoothing
from petree.splitting import DKM, MAUC, MSEE, resolve_split
from petree.splitting import MEMBERS as SPLITS

THREADS = 2
WIDTH = 110
DEPTH = 10
SCORES = [*SPLITS, DKM("majority"), MSEE(laplace=True), MAUC(laplace=True)]
# Confusion and doubt listen to every leaf: their rows are answered one by one.
ANSWERED_ROWS = 1000


@dataclass(frozen=True)
class Fit:
    """Median seconds of a fit, and how many rows its nodes hold together: the work that its tree asks for."""

    seconds: float
    rows_visited: int


def time_of(run: Callable[[], Any], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = perf_counter()
        run()
        times.append(perf_counter() - start)
    return median(times)


def fit_with(score: Any, X: Any, y: Any, depth: int | None, repeats: int) -> Fit:
    model = ProbabilityTreeClassifier(score, "none", "laplace", max_depth=depth, n_jobs=THREADS).fit(X, y)
    seconds = time_of(lambda: model.fit(X, y), repeats)
    return Fit(seconds, int(model.tree_.sizes[~model.tree_.is_leaf].sum()))


def score_table(case: Case, repeats: int) -> Table:
    """Fits by every score, unpruned and to a fixed depth."""
    X, y = make(case)
    rows = []
    base = {}
    for score in track(SCORES, f"scores, {case.name}"):
        cells = [str(resolve_split(score)) if not isinstance(score, str) else score]
        for depth in (None, DEPTH):
            fit = fit_with(score, X, y, depth, repeats)
            base.setdefault(depth, fit)
            work = fit.rows_visited / base[depth].rows_visited
            cells += [f"{fit.seconds:.3f}", f"{fit.seconds / base[depth].seconds:.2f}", f"{work:.2f}"]
        rows.append(cells)
    heads = ["score", "unpruned s", "x gain", "rows", f"depth {DEPTH} s", "x gain", "rows"]
    note = (
        "rows: those of all inner nodes together, as a multiple of gain's. A score that parts off few rows at a time "
        "makes deep trees, and these take time whoever grows them."
    )
    return Table(f"Split scores, {case.name}", heads, rows, note)


def smoothing_table(case: Case, repeats: int) -> Table:
    """Every smoothing with given parameters on one tree, then parameters chosen by the data."""
    X, y = make(case)
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace", n_jobs=THREADS).fit(X, y)
    whole = time_of(lambda: model.fit(X, y), repeats)
    rows = [["whole fit with laplace", f"{1000 * whole:.1f}", "100"]]
    for alias in SMOOTHINGS:
        member = resolve_smoothing(alias)
        seconds = time_of(lambda member=member: member.estimate(model.tree_), repeats)
        rows.append([alias, f"{1000 * seconds:.1f}", f"{100 * seconds / whole:.1f}"])
    for tuned in (Hierarchical("auto"), Average((Hierarchical("auto"), "m_branch"))):
        learner = ProbabilityTreeClassifier(pruning="none", smoothing=tuned, n_jobs=THREADS)
        seconds = time_of(lambda learner=learner: learner.fit(X, y), max(3, repeats // 2))
        rows.append([f"whole fit with {tuned}", f"{1000 * seconds:.1f}", f"{100 * seconds / whole:.1f}"])
    few = X[:ANSWERED_ROWS]
    for member in (Confusion(), Doubt()):
        answering = ProbabilityTreeClassifier(pruning="none", smoothing=member, n_jobs=THREADS).fit(X, y)
        seconds = time_of(lambda answering=answering: answering.predict_proba(few), 3)
        name = f"{member}, predict_proba of {len(few)} rows"
        rows.append([name, f"{1000 * seconds:.1f}", f"{100 * seconds / whole:.1f}"])
    return Table(f"Smoothings, {case.name}, {model.tree_.n_nodes} nodes", ["smoothing", "ms", "% of the fit"], rows)


def main(
    rows: Annotated[int, typer.Option(help="Rows of the table.")] = 100_000,
    classes: Annotated[list[int] | None, typer.Option(help="Numbers of classes.")] = None,
    repeats: Annotated[int, typer.Option(help="Timed rounds.")] = 7,
) -> None:
    """Print the cost of every split score and every smoothing."""
    console = Console(width=WIDTH)
    for n_classes in classes or [2, 10]:
        case = Case(rows, n_classes)
        console.print(score_table(case, repeats).to_rich(), smoothing_table(case, repeats).to_rich())


if __name__ == "__main__":
    typer.run(main)
