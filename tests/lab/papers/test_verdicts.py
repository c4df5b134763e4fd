"""Our numbers beside a paper's, and how its conclusions are shown."""

from __future__ import annotations

import pytest

from lab.experiments.report.pages import Page, Points, Words
from lab.papers.printed import conclusions
from lab.papers.verdicts import Verdict, beside, front_table, verdict_blocks, verdict_table


@pytest.mark.parametrize(
    ("own", "paper", "decimals", "shown"),
    [
        (88.74, 88.7, 1, "88.7 (=)"),
        (88.76, 88.7, 1, "88.8 (88.7, +0.1)"),
        (0.594999999999, 0.595, 3, "0.595 (=)"),
        (34.94, 34.96, 1, "34.9 (35.0, -0.1)"),  # the difference of what is shown is never 0
        (40, 435, 0, "40 (435, -395)"),
        (-0.25, 0.5, 2, "-0.25 (0.50, -0.75)"),
    ],
)
def test_ours_beside_the_papers(own: float, paper: float, decimals: int, shown: str) -> None:
    assert beside(own, paper, decimals) == shown


@pytest.mark.parametrize("paper", ["cw488", "f05", "ferri", "oates", "buntine"])
def test_all_conclusions_are_shown(paper: str) -> None:
    listed = conclusions(paper)
    found = {listed[0].key: Verdict(True, "3 of 4"), listed[1].key: Verdict(False, "1 of 4")}
    rows = verdict_table(paper, found | {listed[2].key: Verdict(None, "one group only")}, "needs data").rows
    assert [row[:2] for row in rows] == [[one.statement, one.section] for one in listed]
    assert [row[2:] for row in rows[:3]] == [
        ["holds", "3 of 4"],
        ["does not hold", "1 of 4"],
        ["not tried", "one group only"],
    ]
    assert all(row[2:] == ["not tried", "needs data"] for row in rows[3:])


def test_conclusions_that_fail_have_their_cause_below_the_table() -> None:
    one, two, three, four, *_ = conclusions("buntine")
    found = {
        one.key: Verdict(True, "3 of 4", "not asked for"),
        two.key: Verdict(False, "2 of 4", "The data differ."),
        three.key: Verdict(False, "1 of 4"),
        four.key: Verdict(False, "3 of 4", "The data differ."),
    }
    table, causes = verdict_blocks("buntine", found, "needs data")
    assert table == verdict_table("buntine", found, "needs data")
    assert causes == Points([f"Not here: {two.statement} {four.statement} The data differ."])
    assert len(verdict_blocks("buntine", {one.key: found[one.key]}, "needs data")) == 1


def test_the_front_counts_the_verdicts_of_all_papers() -> None:
    keys = [one.key for one in conclusions("buntine")]
    first = {keys[0]: Verdict(True, "a"), keys[1]: Verdict(False, "b", "why"), keys[2]: Verdict(None, "one fold")}
    second = {one.key: Verdict(False, "c") for one in conclusions("oates")}
    pages = [
        Page("Buntine", [Words("Made by hand."), *verdict_blocks("buntine", first, "needs data")]),
        Page("Oates", verdict_blocks("oates", second, "needs data")),
        Page("Another", [Words("Nothing judged.")]),
    ]
    table = front_table(pages)
    assert table.rows == [
        ["Buntine", "5", "1", "1", "0", "1: one fold; 2: needs data"],
        ["Oates", "8", "0", "0", "8", "0"],
        ["together", "13", "1", "1", "8", ""],
    ]
    assert list(table.bold) == [2]
