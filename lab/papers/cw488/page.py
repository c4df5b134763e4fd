"""CW488 (Fierens, Ramon, Blockeel and Bruynooghe 2007): pruning criteria for probability trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lab.experiments.data import DataSet
from lab.experiments.report.pages import Block, Heading, Page, Words
from lab.experiments.report.tables import Table
from lab.experiments.summary import Summary
from lab.papers.cw488 import related, tables
from lab.papers.cw488.classes import number_of_classes
from lab.papers.cw488.cure import cure
from lab.papers.cw488.protocol import FOLDS, MANY_EXAMPLES, RELATIONAL, RUNS, Experiment, methods, trials_of
from lab.papers.cw488.questions import Found
from lab.papers.cw488.skew import HIV, skewness
from lab.papers.cw488.thresholds import order_of_thresholds
from lab.papers.cw488.verdicts import verdicts
from lab.papers.cw488.when import before_and_after, learning_curves, stopping
from lab.papers.data.datasets import CW488, load
from lab.papers.data.relational_sets import at_hand
from lab.papers.setting import PaperSetting
from lab.papers.verdicts import verdict_blocks

MISSING = "needs the relational data"


class Experiments(NamedTuple):
    """All criteria on all sets, and the paper's other experiments in the order of the page."""

    summary: Summary
    when: Experiment
    curves: Sequence[Experiment]
    classes: Experiment
    skew: Sequence[Experiment]

    @property
    def found(self) -> Found:
        curves = [one.summary for one in self.curves]
        skew = [one.summary for one in self.skew]
        return Found(self.summary, self.when.summary, curves, self.classes.summary, skew)

    @property
    def blocks(self) -> list[Block]:
        parts = (self.when, *self.curves, self.classes, *self.skew)
        return [block for part in parts for block in part.blocks]


def page(setting: PaperSetting, command: str) -> Page:
    """Tables 1 to 6, Figures 3 and 4, and the experiments of sections 5.2 and 5.3.1, beside the paper's numbers."""
    flat = [load(name, prepared=True) for name in CW488]
    sets = at_hand(RELATIONAL, setting.quick)
    data_sets = [*flat, *sets.found]
    done = _experiments(setting, data_sets)
    introduction = (
        f"{len(flat)} flat and {len(sets.found)} relational data sets of the paper, {setting.runs(RUNS)} x "
        f"{FOLDS}-fold stratified cross-validation, seed {setting.seed}; relational sets of more than {MANY_EXAMPLES} "
        f"examples 1 x {FOLDS}-fold. Cells are ours, then in brackets the paper's and the difference. Made by"
    )
    blocks: list[Block] = [
        Words(introduction, command),
        Heading("Conclusions"),
        *verdict_blocks("cw488", verdicts(done.found), MISSING),
        *_tables(done.summary, data_sets, flat),
        *order_of_thresholds(setting, flat).blocks,
        *related.blocks(setting, done.summary, sets),
        *done.blocks,
        *cure(setting, flat).blocks,
    ]
    return Page("Pruning criteria for probability trees (CW488)", blocks)


def _experiments(setting: PaperSetting, data_sets: list[DataSet]) -> Experiments:
    # All criteria one after the other on each trial, so that their times can be compared.
    setting.summary("cw488", trials_of(data_sets, setting), [*methods(), *stopping()])
    when = before_and_after(setting, data_sets)
    return Experiments(
        setting.summary("cw488", trials_of(data_sets, setting), methods()),
        when,
        learning_curves(setting, data_sets, when.summary),
        number_of_classes(setting),
        skewness(setting, next((data for data in data_sets if data.name == HIV.data_set), None)),
    )


def _tables(summary: Summary, data_sets: list[DataSet], flat: list[DataSet]) -> Iterator[Block]:
    yield Heading("Tables 1 to 6")
    yield tables.table_1(data_sets)
    for measure in tables.MEASURES:
        yield tables.cells_table(summary, measure)
    yield tables.agreement(summary.of_sets([data.name for data in flat]))
    yield tables.ranks_table(summary)
    yield tables.accuracy_table(summary)
    yield _times(flat)
    yield Heading("Figure 3")
    yield tables.figure_3(summary)


def _times(data_sets: list[DataSet]) -> Table:
    """Table 6: a tree of each criterion on each whole data set."""
    seconds = {method.name: [tables.seconds_of(method, data) for data in data_sets] for method in methods()}
    return tables.times_table(seconds)
