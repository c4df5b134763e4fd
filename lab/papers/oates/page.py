"""Oates and Jensen (1999): why and when pruning fails to keep trees small, and a reduced-error pruning that does."""

from __future__ import annotations

from lab.experiments.report.pages import Block, Heading, Page, Words
from lab.experiments.summary import Summary
from lab.experiments.trials import cross_validated
from lab.papers.data.datasets import OATES, load
from lab.papers.oates import tables
from lab.papers.oates.labels import SPLITS, label_counts, labels_table
from lab.papers.oates.protocol import (
    FOLDS,
    GENERATORS,
    REPEATS,
    TIC_TAC_TOE,
    cases,
    coded,
    pruned,
    renewed,
    resampled,
    trials,
)
from lab.papers.oates.verdicts import verdicts
from lab.papers.setting import PaperSetting
from lab.papers.verdicts import verdict_blocks

WHAT_STANDS_FOR_WHAT = (
    "All trees are grown as C4.5 grows them: gain ratio, a branch for each value, two branches of two cases or more. "
    "EBP is C4.5's pruning with raising and collapsing, REP reduced-error pruning with a third of the cases, MDL the "
    "code of Quinlan and Rivest; sampled REP draws half of the pruning cases for each decision. New sets: the "
    "generator makes a pruning set for each decision, the same series for every fold. Nodes are all nodes, also leaves."
)


def page(setting: PaperSetting, command: str) -> Page:
    """Figures 1 to 5, footnote 2, and the claim on 19 data sets, beside the paper's numbers."""
    numbers = cases(setting)
    data_sets = [load(name) for name in OATES]
    grown = setting.summary("oates-figure-1", trials("rand", setting), pruned())
    renewals = {name: _renewed(setting, name) for name in GENERATORS}
    real = cross_validated(data_sets, 1, FOLDS, setting.seed)
    sampled = setting.summary("oates-sampled", real, resampled())
    again = cross_validated([load(TIC_TAC_TOE)], setting.runs(REPEATS), FOLDS, setting.seed)
    repeated = setting.summary("oates-sampled", again, resampled())
    labels = label_counts(data_sets, setting.runs(SPLITS), setting.seed)
    codes = setting.summary("oates-figure-1", trials("rand", setting), coded())
    found = verdicts(grown, numbers, renewals, sampled, repeated, labels, codes)
    introduction = (
        f"Ten-fold cross-validation, seed {setting.seed}; {numbers[0]} to {numbers[-1]} generated cases, and "
        f"{len(data_sets)} real data sets. Made by"
    )
    blocks: list[Block] = [
        Words(introduction, command),
        Words(WHAT_STANDS_FOR_WHAT),
        Words(f"Stand-ins: of its 19 sets the paper names tic-tac-toe alone; ours are {', '.join(OATES)}."),
        Heading("Conclusions"),
        *verdict_blocks("oates", found, "not tried"),
        Heading("Random data"),
        tables.growth_table(grown, numbers),
        tables.codes_table(codes, numbers),
        *([tables.growth_picture(grown, numbers)] if setting.pictures else []),
        Heading("The model"),
        tables.model_table(),
        *(tables.model_pictures() if setting.pictures else []),
        Heading("A new pruning set for each decision"),
        *(
            block
            for name, summary in renewals.items()
            for block in tables.renewed_blocks(name, summary, numbers, setting.pictures)
        ),
        Heading("Real data"),
        tables.counts_table(sampled),
        tables.sampled_table(sampled),
        labels_table(labels),
    ]
    return Page("Why pruning fails on data without structure (Oates and Jensen 1999)", blocks)


def _renewed(setting: PaperSetting, name: str) -> Summary:
    methods = renewed(GENERATORS[name], setting.seed)
    return setting.summary("oates-figure-5", trials(name, setting), methods)
