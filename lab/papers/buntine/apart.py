"""What the paper leaves open: what smoothing, options and lookahead contribute, and lookahead with CART's pruning."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lab.experiments.methods import Method
from lab.experiments.report.pages import Block, Heading
from lab.experiments.report.tables import Table
from lab.experiments.summary import Summary
from lab.papers.buntine.lookahead import LookaheadTree
from lab.papers.buntine.measures import BRIER, DECIMALS, ERROR, SHORT_TITLES, TITLES, gains, mean
from lab.papers.buntine.protocol import CART_PRUNING, GROWING, Problem, leaf_estimate, option_tree
from petree.pruning import MAP
from petree.smoothing import Bayes as BayesSmoothing

PLIES = {1: "1 ply", 2: "2 plies"}
PARTS = ("cost-complexity", "most probable", "smoothed", "options")


def name(part: str, plies: int) -> str:
    return f"{part}, {PLIES[plies]}"


# Rows of the table of contributions: what is changed, with and without it.
CHANGES = {
    **{
        f"{words}, {PLIES[plies]}": (name(after, plies), name(before, plies))
        for words, after, before in (
            ("smoothing instead of the most probable pruning", "smoothed", "most probable"),
            ("options beside smoothing", "options", "smoothed"),
        )
        for plies in PLIES
    },
    **{f"a second ply, {part}": (name(part, 2), name(part, 1)) for part in PARTS},
}


def methods(problem: Problem) -> list[Method]:
    """Trees of the depth of option trees, grown with one ply and with two, and four ways to use them."""
    prior = problem.prior
    found = []
    for plies in PLIES:
        estimators = (
            LookaheadTree(prior, plies, CART_PRUNING, "none", **GROWING),
            LookaheadTree(prior, plies, MAP(prior), leaf_estimate(prior), **GROWING),
            LookaheadTree(prior, plies, "none", BayesSmoothing(prior), **GROWING),
            option_tree(prior, plies),
        )
        found += [Method(name(part, plies), estimator) for part, estimator in zip(PARTS, estimators, strict=True)]
    return found


def section(summary: Summary) -> Iterator[Block]:
    yield Heading("Smoothing, options and lookahead taken apart")
    yield changes_table(summary)
    for measure in (ERROR, BRIER):
        yield cells_table(summary, measure)


def changes_table(summary: Summary) -> Table:
    """What each change gains, in the mean of the problems."""
    rows = []
    for words, (after, before) in CHANGES.items():
        cells = [words]
        for measure, decimals in DECIMALS.items():
            deviation = gain_deviation(summary, measure, after, before)
            cells.append(f"{mean_gain(summary, measure, after, before):+z.{decimals}f}")
            cells.append(f"{deviation:.{decimals}f}")
            cells.append(str(summary.significant(measure, after, before)))
        rows.append(cells)
    heads = ["change"]
    for title in SHORT_TITLES.values():
        heads += [f"{title}: gain", f"{title}: its deviation", f"{title}: significant w/t/l"]
    note = (
        "The paper has no numbers. Means over the problems, of the error in percent points; the deviation is that of "
        "the gain over the trials of a problem; w/t/l by the paired t test at 0.05."
    )
    return Table("Contributions", heads, rows, note)


def cells_table(summary: Summary, measure: str) -> Table:
    """Every combination on every problem."""
    cells = np.array(
        [[mean(summary, measure, problem, method) for method in summary.methods] for problem in summary.data_sets]
    )
    labels = [*summary.data_sets, "mean"]
    rows = [
        [label, *(f"{value:.{DECIMALS[measure]}f}" for value in line)]
        for label, line in zip(labels, [*cells, cells.mean(axis=0)], strict=True)
    ]
    return Table(f"Combinations: {TITLES[measure]}", ("problem", *summary.methods), rows, bold=[len(rows) - 1])


def mean_gain(summary: Summary, measure: str, one: str, other: str) -> float:
    """Over all trials of all problems."""
    return float(np.mean([gains(summary, measure, problem, one, other) for problem in summary.data_sets]))


def gain_deviation(summary: Summary, measure: str, one: str, other: str) -> float:
    """Standard deviation of the gain over the trials, in the mean of the problems."""
    found = [gains(summary, measure, problem, one, other).std(ddof=1) for problem in summary.data_sets]
    return float(np.mean(found))
