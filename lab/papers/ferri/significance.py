"""The tests of Ferri, Flach and Hernandez-Orallo, and two that respect what they forget.

The paper speaks of a paired t test at 0.1. Its marks however are those of the test for two independent samples of the
100 folds: computed from the printed means and deviations it gives 46 of the 50 marks, and the other four once the
printed numbers are taken as rounded. On the folds of one tree with two smoothings a paired test finds far more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from lab.experiments.summary import Summary
from lab.papers.ferri.protocol import AUC
from lab.papers.printed import read
from lab.statistics.significance import TTest, WinsTiesLosses, independent_test, paired_t_test

LEVEL = 0.1
MARKS = {"better": "✓", "worse": "x", "": "-"}

# ``test(summary, measure, data_set, one, other)``
Test: TypeAlias = Callable[[Summary, str, str, str, str], TTest]


def as_marked(summary: Summary, measure: str, data_set: str, one: str, other: str) -> TTest:
    """The test that the paper's marks are made by; more of the measure must be better."""
    return independent_test(summary.folds(measure, data_set, one), summary.folds(measure, data_set, other))


def as_told(summary: Summary, measure: str, data_set: str, one: str, other: str) -> TTest:
    """The test that the paper's text speaks of."""
    return paired_t_test(summary.gains(measure, data_set, one, other))


TESTS: dict[str, Test] = {
    "independent": as_marked,
    "paired": as_told,
    "sorted runs": Summary.test,
}


def wins(summary: Summary, measure: str, one: str, other: str, test: Test = as_marked) -> WinsTiesLosses:
    """Data sets on which a method is significantly better, alike and worse."""
    found = [test(summary, measure, name, one, other) for name in summary.data_sets]
    return WinsTiesLosses.significant(found, LEVEL)


def mark(test: TTest) -> str:
    return MARKS["better" if test.t > 0 else "worse"] if test.is_significant(LEVEL) else MARKS[""]


def own_mark(summary: Summary, data_set: str, one: str, other: str) -> str:
    return mark(as_marked(summary, AUC, data_set, one, other))


def printed_marks(data_sets: Sequence[str]) -> list[str]:
    """The "Better?" column of Tables 5 and 6."""
    names = {row["number"]: row["data_set"] for row in read("ferri_sets")}
    rows = read("ferri_smoothing")
    marks = {names[row["number"]]: MARKS[row["mark"]] for row in rows if row["smoothing"] == "m_branch"}
    return [marks[name] for name in data_sets]


def count_marks(marks: Sequence[str]) -> WinsTiesLosses:
    return WinsTiesLosses(*(marks.count(MARKS[word]) for word in ("better", "", "worse")))
