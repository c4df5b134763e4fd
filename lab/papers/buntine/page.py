"""Buntine (1992): Bayesian smoothing and option trees in the place of pruning."""

from __future__ import annotations

from collections.abc import Iterator

from lab.experiments.report.pages import Block, Heading, Page, Points, Words
from lab.experiments.summary import Summary
from lab.papers.buntine import apart, priors, samples, tables
from lab.papers.buntine.claims import claims, claims_table
from lab.papers.buntine.measures import BRIER, ERROR
from lab.papers.buntine.protocol import PROBLEMS, RUNS, measured, methods, trials
from lab.papers.buntine.timing import Seconds, Times, seconds_of
from lab.papers.buntine.verdicts import verdicts
from lab.papers.data.datasets import NAMES
from lab.papers.setting import PaperSetting
from lab.papers.verdicts import verdict_blocks

WHAT_STANDS_FOR_WHAT = (
    "All trees are grown by Buntine's quality of a test, with a branch for each value of a nominal attribute and cuts "
    "anywhere between numbers. CART-like: cost-complexity pruning on ten folds with the 0-SE rule. C4-early: "
    "pessimistic pruning. Both answer by frequencies. MDL-like: the most probable pruning under prior IV. Bayes trees: "
    "the mean over all prunings. Option trees: up to four tests at a node, each with at least 0.005 of the quality of "
    "the best, in one ply or in two, to a depth of 6."
)


def page(setting: PaperSetting, command: str) -> Page:
    """Table 1, predicted accuracies, and what the paper leaves open or claims in passing, beside its numbers."""
    summary = measured(setting, "buntine", methods)
    combinations = measured(setting, "buntine-apart", apart.methods)
    under_priors = measured(setting, "buntine-priors", priors.methods)
    times = _times(setting)
    introduction = (
        f"{setting.runs(RUNS)} random training and test samples of each problem, seed {setting.seed}. Cells are ours, "
        "then in brackets the paper's and the difference. Made by"
    )
    blocks: list[Block] = [
        Words(introduction, command),
        Words(WHAT_STANDS_FOR_WHAT),
        Heading("Conclusions"),
        *verdict_blocks("buntine", verdicts(summary, under_priors, times), "not tried"),
        claims_table(claims(summary, combinations)),
        *_tables(summary, times),
        *samples.section(setting),
        *apart.section(combinations),
        *priors.section(under_priors),
    ]
    return Page("Learning classification trees (Buntine 1992)", blocks)


def _times(setting: PaperSetting) -> Times:
    """On the first trial of each problem."""
    found: dict[tuple[str, str], Seconds] = {}
    for problem in PROBLEMS:
        first = trials(problem, setting)[0]
        found |= {(problem.name, method.name): seconds_of(method, first) for method in methods(problem)}
    return found


def _tables(summary: Summary, times: Times) -> Iterator[Block]:
    yield Heading("Table 1")
    absent = [name for name in NAMES if name.paper == "buntine" and not name.file]
    yield Points([f"{name.data_set} is left out: {name.note}." for name in absent])
    yield tables.problems_table(PROBLEMS)
    yield tables.table_1(summary, times)
    yield tables.predicted_table(summary)
    for measure in (ERROR, BRIER):
        yield tables.against_table(summary, measure)
