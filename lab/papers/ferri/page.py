"""Ferri, Flach and Hernandez-Orallo (2003): smoothing, splitting and pruning for probability estimation trees."""

from __future__ import annotations

from collections.abc import Iterator

from lab.experiments.report.pages import Block, Heading, Page, Points, Words
from lab.experiments.summary import Summary
from lab.experiments.trials import cross_validated
from lab.papers.data.datasets import FERRI, NAMES, load
from lab.papers.ferri import pruning, readings, sets, tables
from lab.papers.ferri.checks import check_ferri
from lab.papers.ferri.protocol import FOLDS, RUNS, groups, methods
from lab.papers.ferri.verdicts import verdicts
from lab.papers.setting import PaperSetting
from lab.papers.verdicts import verdict_blocks


def page(setting: PaperSetting, command: str) -> Page:
    """Tables 1 to 8 and Figure 1, and what section 5 says of pruning, beside the paper's numbers."""
    runs = setting.runs(RUNS)
    trials = cross_validated([load(name) for name in FERRI], runs, FOLDS, setting.seed)
    summary = setting.summary("ferri", trials, methods())
    introduction = (
        f"{len(FERRI)} of the paper's 50 data sets, whole, {runs} x {FOLDS}-fold stratified cross-validation, seed "
        f"{setting.seed}. AUC is the mean over pairs of classes, each ranked by p_i / (p_i + p_j); accuracy is that of "
        "the leaves' majorities, since Table 8 prints one figure for three smoothings. Cells are ours, then in "
        "brackets the paper's and the difference. Made by"
    )
    blocks: list[Block] = [
        Words(introduction, command),
        Heading("Conclusions"),
        *verdict_blocks("ferri", verdicts(summary), "not tried"),
        *_data_sets(),
        *sets.section(setting),
        *readings.section(summary),
        *_tables(summary),
        *pruning.section(summary, setting.pictures),
    ]
    return Page("Improving the AUC of probability estimation trees (Ferri, Flach and Hernandez-Orallo 2003)", blocks)


def _data_sets() -> Iterator[Block]:
    yield Heading("Data sets")
    absent = [name for name in NAMES if name.paper == "ferri" and not name.file]
    yield Points([f"{name.data_set} is left out: {name.note}." for name in absent])
    yield tables.sets_table(check_ferri())


def _tables(summary: Summary) -> Iterator[Block]:
    yield Heading("Smoothing")
    yield tables.order_table(summary)
    for group in groups(summary):
        if group in tables.TABLES:
            yield tables.smoothing_table(summary, group)
    yield Heading("Splitting criteria, and all steps")
    yield tables.splits_table(summary)
    yield tables.steps_table(summary)
    yield tables.wins_table(summary)
