"""Table 1 of Buntine beside ours, and what he measured but did not print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lab.experiments.report.tables import Table
from lab.experiments.summary import Summary
from lab.papers.buntine.measures import BRIER, DECIMALS, ERROR, TITLES, deviation, gains, mean
from lab.papers.buntine.protocol import OPTIONS, OTHERS, PROBLEMS, Problem
from lab.papers.buntine.timing import Times
from lab.papers.printed import read
from lab.papers.verdicts import beside

# Table 1 has CART under another name once.
PRINTED_NAMES = {"CART-test": "CART-like"}


def printed_cells() -> dict[tuple[str, str], dict[str, Any]]:
    """The rows of the paper's Table 1 by problem and method."""
    names = {(problem.data_set, problem.n_learn): problem.name for problem in PROBLEMS}
    return {
        (names[place], PRINTED_NAMES.get(row["method"], row["method"])): row
        for row in read("buntine_results")
        if (place := (row["data_set"], row["n_train"])) in names
    }


def problems_table(problems: Sequence[Problem]) -> Table:
    """What is learned from and asked, and the priors."""
    asked = {(row["data_set"], row["n_train"]): row["n_test"] for row in read("buntine_results")}
    rows = []
    for problem in problems:
        n_asked = problem.n_cases - problem.n_learn
        printed = asked[problem.data_set, problem.n_learn]
        words = f"{n_asked}" if n_asked == printed else f"{n_asked} ({printed})"
        prior = problem.prior
        kind = f"{prior.structure}, omega {prior.omega:g}" if prior.structure == "II" else prior.structure
        rows.append([problem.name, str(problem.n_learn), words, str(problem.n_classes), kind, f"{prior.alpha:g}"])
    heads = ("problem", "cases learned from", "cases asked", "classes", "prior of trees", "alpha")
    note = (
        "In brackets the paper's number where ours differs. voting is without physician-fee-freeze. The paper does not "
        "tell the prior of glass."
    )
    return Table("Problems", heads, rows, note)


def table_1(summary: Summary, times: Times) -> Table:
    """Error, its deviation, Brier score and seconds of all methods."""
    printed = printed_cells()
    rows = []
    for problem in summary.data_sets:
        for method in summary.methods:
            paper = printed.get((problem, method), {})
            error = mean(summary, ERROR, problem, method)
            brier = mean(summary, BRIER, problem, method)
            rows.append(
                [
                    f"{problem}: {method}",
                    _beside(error, paper.get("error"), 1),
                    _beside(deviation(summary, ERROR, problem, method), paper.get("sd"), 1),
                    _beside(brier, paper.get("mse"), 2),
                    _seconds(times, problem, method, paper),
                ]
            )
    heads = ("problem: method", "error, percent", "its deviation", "Brier score", "seconds, learning + answering")
    note = (
        "The paper calls its column of scores MSE and half a Brier score, but it can only be the whole score. LED: the "
        "least possible error is 26.0 percent, the least Brier score 0.37; the paper may have divided one sample ten "
        "times, ours are ten samples. Seconds are the fastest of a few times on one trial."
    )
    return Table("Table 1: performance", heads, rows, note)


def _beside(own: float, paper: float | None, decimals: int) -> str:
    return f"{own:.{decimals}f}" if paper is None else beside(own, paper, decimals)


def _seconds(times: Times, problem: str, method: str, paper: dict[str, Any]) -> str:
    found = times[problem, method]
    shown = f"{found.learn:.3f} + {found.test:.3f}"
    return f"{shown} ({paper['train_seconds']} + {paper['test_seconds']})" if paper else shown


def predicted_table(summary: Summary) -> Table:
    """The accuracy that methods expect of themselves beside the true one."""
    rows = []
    for problem in summary.data_sets:
        found = [
            [100 * summary.mean(measure, problem, method) for measure in ("expected_accuracy", "accuracy")]
            for method in summary.methods
        ]
        rows.append([problem, *(beside(expected, true, 1) for expected, true in found)])
    note = (
        "Percent: the mean probability of the predicted class, then in brackets the share of right answers and the "
        "difference. The paper measured both and prints neither."
    )
    return Table("Predicted accuracy", ("problem", *summary.methods), rows, note)


def against_table(summary: Summary, measure: str) -> Table:
    """By how much option trees are better than each other method."""
    rows = []
    for problem in summary.data_sets:
        for option in OPTIONS:
            cells = []
            for other in OTHERS:
                gain = float(gains(summary, measure, problem, option, other).mean())
                mark = summary.mark(measure, problem, option, other)
                cells.append(f"{gain:+z.{DECIMALS[measure]}f} {mark}".strip())
            rows.append([f"{problem}: {option}", *cells])
    note = (
        "Above 0: option trees are better. ● significantly better by the paired t test at 0.05, ○ worse. The paper "
        "prints no tests."
    )
    return Table(f"Option trees against the others: {TITLES[measure]}", ("problem: method", *OTHERS), rows, note)
