"""What CW488's page says of the relational sets alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lab.experiments.data import DataSet
from lab.experiments.report.pages import Block, Heading, Words
from lab.experiments.report.tables import Table
from lab.experiments.summary import Summary
from lab.papers.cw488.protocol import methods, trials_of
from lab.papers.cw488.tables import MEASURES, times_table
from lab.papers.data.relational_sets import Sets, at_hand, best_table, count_root_tests, said_of
from lab.papers.printed import cw488_cells, read
from lab.papers.setting import PaperSetting
from lab.papers.verdicts import beside

# Sets that are not the paper's, by the paper's that they stand beside.
VERSIONS = {"cora": "cora", "mutagenesis, ACE's language": "mutagenesis"}


def blocks(setting: PaperSetting, summary: Summary, sets: Sets) -> Iterator[Block]:
    """How the relational sets compare with the paper's, the time they take, and other versions of them."""
    others = at_hand(VERSIONS, setting.quick)
    yield Heading("The relational sets")
    yield said_of(replace(sets, found=[*sets.found, *others.found], missing=[*sets.missing, *others.missing]))
    if sets.found:
        names = [data.name for data in sets.found]
        yield best_table(summary.of_sets(names), cw488_cells("auc"))
        yield _times(summary, names)
    if others.found:
        found = setting.summary("cw488", trials_of(others.found, setting), methods())
        yield Words("Versions that are not the paper's are in no other table.")
        yield versions_table(found, {data.name: data for data in others.found})


def _times(summary: Summary, names: list[str]) -> Table:
    seconds = {method: [summary.mean("seconds", name, method) for name in names] for method in summary.methods}
    return times_table(seconds, "relational", " Ours are trees on four fifths of the examples, the paper's on all.")


def versions_table(summary: Summary, data_sets: dict[str, DataSet]) -> Table:
    """All measures of each set, beside the paper's of the set that it is a version of."""
    rows = []
    for name in summary.data_sets:
        rows += _facts(name, data_sets[name], len(summary.methods))
        rows += [[f"{name}: {measure.title}", *_cells(summary, name, key)] for key, measure in MEASURES.items()]
    return Table("Other versions", ("", *summary.methods), rows)


def _facts(name: str, data: DataSet, width: int) -> list[list[str]]:
    """Examples, classes and candidate tests at the root, each in the first of so many cells."""
    paper = next(row for row in read("cw488_table1") if row["data_set"] == VERSIONS[name])
    ours = {"rows": data.n_rows, "classes": data.n_classes, "n_tests": count_root_tests(data)}
    heads = {"rows": "examples", "classes": "classes", "n_tests": "candidate tests"}
    return [[f"{name}: {heads[key]}", beside(own, paper[key], 0)] + [""] * (width - 1) for key, own in ours.items()]


def _cells(summary: Summary, name: str, key: str) -> list[str]:
    measure = MEASURES[key]
    paper = cw488_cells(key)
    return [
        beside(
            measure.factor * summary.mean(measure.own, name, method),
            paper.value(VERSIONS[name], method),
            measure.decimals,
        )
        for method in summary.methods
    ]
