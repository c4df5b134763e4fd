"""Tables 1 to 8 of Ferri, Flach and Hernandez-Orallo beside ours. Cells are ours, and the paper's in brackets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from lab.experiments.report.tables import Table
from lab.experiments.summary import Summary
from lab.papers.ferri.checks import Check
from lab.papers.ferri.protocol import (
    ACCURACY,
    AUC,
    FREQUENCIES,
    ORDER,
    SMOOTHINGS,
    SPLITS,
    groups,
    method_name,
    percents,
)
from lab.papers.ferri.significance import TESTS, count_marks, own_mark, printed_marks, wins
from lab.papers.printed import Cells, ferri_cells, read
from lab.papers.verdicts import beside
from lab.statistics.significance import WinsTiesLosses

TABLES = {"two-class": "Tables 3 and 5", "multi-class": "Tables 4 and 6"}
MEASURES = {"accuracy": ACCURACY, "auc": AUC}
# What the tables of wins call a method for short.
SHORT_NAMES = {
    "m_branch": method_name("C4.5", "m_branch"),
    "m_estimate": method_name("C4.5", "m_estimate"),
    "C4.5": method_name("C4.5"),
    "MSEE": method_name("MSEE"),
}
TABLE_8 = {
    ("C4.5", "none"): method_name("C4.5", "none"),
    ("C4.5", "laplace"): method_name("C4.5", "laplace"),
    ("C4.5", "m_branch"): method_name("C4.5", "m_branch"),
    ("MSEE", "m_branch"): method_name("MSEE", "m_branch", "K=1"),
}
OVER_ALL = "The paper's means are over its 50 sets, ours over those we have."


def sets_table(checks: Sequence[Check]) -> Table:
    """Tables 1 and 2: the sets that differ from what is printed."""
    rows = []
    for check in checks:
        if check.differences:
            found = [f"{_words(key)} {check.ours[key]:g} ({check.printed[key]:g})" for key in check.differences]
            rows.append([check.data_set, "; ".join(found), check.note])
    note = f"The other {len(checks) - len(rows)} have the rows, classes, attributes and rarest class that are printed."
    return Table("Tables 1 and 2: sets that differ", ("data set", "ours (paper)", "what is known"), rows, note)


def _words(key: str) -> str:
    return key.removeprefix("n_").replace("_", " ")


# -- smoothing --------------------------------------------------------------------------------------------


def order_table(summary: Summary) -> Table:
    """Mean AUC from no smoothing to m-branch, and on how many sets each is better than the one before."""
    steps = [(after, before) for before, after in pairwise(ORDER)]
    rows = []
    for group, members in groups(summary).items():
        ours = smoothing_cells(members)
        paper = ferri_cells().of(members.data_sets)
        means = ours.geometric_means()
        printed = paper.geometric_means()
        records = [f"{_direct(ours, *step)} ({_direct(paper, *step)})" for step in steps]
        rows.append([group, *(beside(means[name], printed[name], 1) for name in ORDER), *records])
    heads = ("data sets", *ORDER, *(f"{one} over {other}" for one, other in steps))
    note = (
        "Geometric means of AUC in percent, the paper's recomputed on the same sets; wins/ties/losses of the means "
        "as printed, with one decimal."
    )
    return Table("The order of the smoothings", heads, rows, note)


def smoothing_cells(summary: Summary) -> Cells:
    """Our AUC by smoothing, as `ferri_cells` has the paper's."""
    ours = percents(summary)
    columns = [ours.methods.index(method_name("C4.5", smoothing)) for smoothing in SMOOTHINGS]
    return Cells(ours.data_sets, tuple(SMOOTHINGS), ours.values[:, columns], ours.higher_is_better)


def _direct(cells: Cells, one: str, other: str) -> WinsTiesLosses:
    rounded = Cells(cells.data_sets, cells.methods, np.round(cells.values, 1), cells.higher_is_better)
    return rounded.wins(one, other)


def smoothing_table(summary: Summary, group: str) -> Table:
    """Tables 3 and 5, or 4 and 6: AUC of the smoothings on each set."""
    members = groups(summary)[group]
    ours = smoothing_cells(members)
    paper = ferri_cells().of(members.data_sets)
    marks = printed_marks(members.data_sets)
    branch, estimate = (method_name("C4.5", smoothing) for smoothing in ("m_branch", "m_estimate"))
    rows = []
    for name, mark in zip(members.data_sets, marks, strict=True):
        cells = [beside(ours.value(name, one), paper.value(name, one), 1) for one in SMOOTHINGS]
        rows.append([name, *cells, f"{own_mark(members, name, branch, estimate)} ({mark})"])
    record = f"{wins(members, AUC, branch, estimate)} ({count_marks(marks)})"
    means = (ours.averages(), paper.averages()), (ours.geometric_means(), paper.geometric_means())
    for title, (own, theirs) in zip(("arithmetic mean", "geometric mean"), means, strict=True):
        rows.append([title, *(beside(own[one], theirs[one], 1) for one in SMOOTHINGS), record])
    rows.append(["mean standard deviation", *_deviations(members), ""])
    note = "better: m_branch than m_estimate (✓), or worse (x), at 0.1 by the test of the paper's marks."
    heads = ("data set", *SMOOTHINGS, "better?")
    title = f"{TABLES[group]}: AUC by smoothing, {group} sets"
    return Table(title, heads, rows, note, range(len(rows) - 3, len(rows)))


def _deviations(summary: Summary) -> list[str]:
    """Standard deviation over all folds of each smoothing, in the mean over the sets."""
    numbers = {row["data_set"]: row["number"] for row in read("ferri_sets")}
    printed = {(row["number"], row["smoothing"]): row["sd"] for row in read("ferri_smoothing")}
    cells = []
    for smoothing in SMOOTHINGS:
        name = method_name("C4.5", smoothing)
        ours = [100 * float(np.nanstd(summary.folds(AUC, one, name), ddof=1)) for one in summary.data_sets]
        theirs = [printed[numbers[one], smoothing] for one in summary.data_sets]
        cells.append(beside(float(np.mean(ours)), float(np.mean(theirs)), 1))
    return cells


def wins_table(summary: Summary) -> Table:
    """All significant wins, ties and losses that the paper prints."""
    rows = []
    for row in read("wins"):
        if row["paper"] == "ferri" and row["data_sets"] in groups(summary):
            members = groups(summary)[row["data_sets"]]
            one, other = (SHORT_NAMES.get(row[key], row[key]) for key in ("method", "against"))
            ours = [str(wins(members, MEASURES[row["measure"]], one, other, test)) for test in TESTS.values()]
            what = f"{row['table']}: {row['method']} over {row['against']}, {row['measure']}, {row['data_sets']} sets"
            rows.append([what, str(WinsTiesLosses(row["wins"], row["ties"], row["losses"])), *ours])
    note = (
        "At 0.1. independent: the t test of two independent samples of all folds, which gives the paper's marks; "
        "paired: the test that its text names; sorted runs: the one that respects that runs share their rows."
    )
    heads = ("comparison", "paper", *(f"ours, {name}" for name in TESTS))
    return Table("Significant wins/ties/losses", heads, rows, note)


# -- splitting criteria, and all together ------------------------------------------------------------------


def splits_table(summary: Summary) -> Table:
    """Table 7: geometric means of accuracy and AUC by splitting criterion, all smoothed by m-branch."""
    systems = {(split, "m_branch"): method_name(split) for split in (*SPLITS, *FREQUENCIES)}
    note = f"{OVER_ALL} MAUC and MSEE score tests by Laplace's estimate; the paper took what was better, unsaid which."
    return _means_table("Table 7: splitting criteria", "7", summary, systems, note)


def steps_table(summary: Summary) -> Table:
    """Table 8: from no smoothing to MSEE, m-branch and CardPerClass of K = 1."""
    return _means_table("Table 8: all steps", "8", summary, TABLE_8, OVER_ALL)


def _means_table(title: str, number: str, summary: Summary, systems: dict[tuple[str, str], str], note: str) -> Table:
    printed = {
        (row["data_sets"], row["split"], row["smoothing"], row["measure"]): row["value"]
        for row in read("ferri_means")
        if str(row["table"]) == number
    }
    rows = []
    for group, members in groups(summary).items():
        means = {measure: percents(members, own).geometric_means() for measure, own in MEASURES.items()}
        for system, name in systems.items():
            pairs = [(means[measure][name], printed.get((group, *system, measure))) for measure in MEASURES]
            rows.append([f"{group}: {name}", *(_cell(own, paper) for own, paper in pairs)])
    heads = ("data sets and system", "accuracy, percent", "AUC, percent")
    return Table(f"{title}, geometric means", heads, rows, note)


def _cell(own: float, paper: float | None) -> str:
    return f"{own:.1f}" if paper is None else beside(own, paper, 1)
