"""F05 (Fierens, Ramon, Blockeel and Bruynooghe 2005): approaches to probability trees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from petree.evaluation.significance import WinsTiesLosses
from petree.experiments.data import DataSet
from petree.experiments.report.measure_tables import measure_table
from petree.experiments.report.pages import Block, Heading, Page, Picture, Words
from petree.experiments.report.tables import Table
from petree.experiments.summary import Summary
from petree.experiments.trials import cross_validated
from petree.papers.data.datasets import F05, load
from petree.papers.data.relational_sets import Sets, at_hand, best_table, count_root_tests, said_of
from petree.papers.data.sampling import merged_classes
from petree.papers.f05 import gaps
from petree.papers.f05.protocol import LARGE, RELATIONAL, SMALL, methods, trials_of
from petree.papers.f05.rows import blocks as rows_blocks
from petree.papers.f05.rows import numbers_of_rows
from petree.papers.f05.trend import trend
from petree.papers.f05.verdicts import differs, halves, record, verdicts
from petree.papers.printed import f05_cells, read
from petree.papers.setting import PaperSetting
from petree.papers.verdicts import beside, verdict_blocks

MERGED = "soybean"
CLASSES = (3, 5, 8, 11, 15, 19)
CUT = "vehicle"
THRESHOLDS = (1, 3, 7, 15, 31)
MISSING = "needs the relational data"


def page(setting: PaperSetting, command: str) -> Page:
    """Tables 1 and 2, Figures 2 and 3, and Figure 1 and the number of tests on flat stand-ins, beside the paper's."""
    sets = at_hand(RELATIONAL, setting.quick)
    data_sets = [*(load(name, prepared=False) for name in F05), *sets.found]
    trials = [trial for data in data_sets for trial in trials_of(data, setting)]
    summary = setting.summary("f05", trials, methods())
    merged = _merged(setting)
    tests = _numbers_of_tests(setting)
    rows = numbers_of_rows(setting, sets.found)
    words = (
        "The data sets of the paper but asm, which is not to be had; 10-fold stratified cross-validation, 5 x 3-fold "
        f"below {SMALL} rows, relational sets of more than {LARGE:,} once 3-fold, seed {setting.seed}. Cells are ours, "
        "then in brackets the paper's and the difference. Made by"
    )
    blocks: list[Block] = [
        Words(words, command),
        Heading("Conclusions"),
        *verdict_blocks("f05", verdicts(summary, merged, tests, rows), MISSING),
        Heading("Tables 1 and 2"),
        said_of(sets),
        _table_1(data_sets),
        *(_table_2(summary, measure) for measure in ("auc", "leaves")),
        _wins(summary),
        *_best(summary, sets),
        *gaps.section(setting),
        *_more(setting, merged, tests, rows),
    ]
    return Page("Approaches to probability trees (F05)", blocks)


def _table_1(data_sets: list[DataSet]) -> Table:
    printed = {row["data_set"]: row for row in read("f05_sets")}
    rows = [
        [
            data.name,
            f"{data.n_rows} ({printed[data.name]['n_rows']})",
            f"{data.n_classes} ({printed[data.name]['n_classes']})",
            f"{count_root_tests(data)} ({printed[data.name]['n_tests']})",
        ]
        for data in data_sets
    ]
    note = "In brackets the paper's numbers."
    return Table("Table 1: the data sets", ("data set", "rows", "classes", "candidate tests"), rows, note)


def _table_2(summary: Summary, measure: str) -> Table:
    """AUC in percent or leaves, beside the paper's; marks by plain paired t tests against C4.4."""
    factor, decimals = {"auc": (100, 1), "leaves": (1, 0)}[measure]
    paper = f05_cells(measure)
    reference = summary.methods[0]
    rows = []
    for name in summary.data_sets:
        cells = []
        for method in summary.methods:
            mark = "" if method == reference else differs(summary, measure, name, method)
            cell = beside(factor * summary.mean(measure, name, method), paper.value(name, method), decimals)
            cells.append(f"{mark} {cell}".strip())
        rows.append([name, *cells])
    title = {"auc": "AUC, percent", "leaves": "leaves"}[measure]
    note = f"● significantly better than {reference}, ○ worse (paired t test over the test sets, 0.05)."
    return Table(f"Table 2: {title}", ("data set", *summary.methods), rows, note)


def _wins(summary: Summary) -> Table:
    """All significant wins, ties and losses against C4.4 that the paper prints."""
    sets = halves(summary)
    rows = []
    for row in read("wins"):
        if row["paper"] == "f05":
            paper = WinsTiesLosses(row["wins"], row["ties"], row["losses"])
            ours = record(summary, row["method"], sets[row["data_sets"]])
            rows.append([f"{row['method']}, {row['data_sets']} sets", str(paper), str(ours)])
    note = f"In AUC, by the paired t test at 0.05; the paper's over its 12 sets, ours over {len(summary.data_sets)}."
    return Table("Significant wins/ties/losses against C4.4", ("approach, sets", "paper", "ours"), rows, note)


def _best(summary: Summary, sets: Sets) -> list[Table]:
    names = [data.name for data in sets.found]
    return [best_table(summary.of_sets(names), f05_cells("auc"))] if names else []


# -- Figure 1, and the number of tests ---------------------------------------------------------------------


def _merged(setting: PaperSetting) -> Summary:
    data = load(MERGED, prepared=False)
    steps = [merged_classes(data, n_classes) for n_classes in CLASSES]
    return setting.summary("f05-classes", cross_validated(steps, 1, 10, setting.seed), methods())


def _numbers_of_tests(setting: PaperSetting) -> Summary:
    """The same data with more and more thresholds a number."""
    data = load(CUT, prepared=False)
    parts = []
    for number in THRESHOLDS:
        named = replace(data, name=f"{number} thresholds")
        parts.append(setting.summary("f05-tests", trials_of(named, setting), methods(number)))
    values = {key: value for part in parts for key, value in part.values.items()}
    names = tuple(name for part in parts for name in part.data_sets)
    return Summary(parts[0].methods, names, (), values)


def _more(setting: PaperSetting, merged: Summary, tests: Summary, rows: Mapping[str, Summary]) -> Iterator[Block]:
    yield Heading("Figure 1: the number of classes")
    yield Words(f"The paper merges the classes of diterpenes; here it is {MERGED}, 10-fold.")
    for measure in ("auc", "leaves"):
        yield measure_table(merged, measure, "Merged classes")
    if setting.pictures:
        yield Picture("f05-classes.png", "The number of classes", trend(merged, CLASSES, "number of classes"))
    yield from rows_blocks(setting, rows)
    yield Heading("The number of candidate tests")
    yield Words(f"The paper found no trend; here it is {CUT} with one to {THRESHOLDS[-1]} thresholds a number.")
    for measure in ("auc", "leaves"):
        yield measure_table(tests, measure, "Candidate tests")
