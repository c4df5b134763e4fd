"""Our numbers beside a paper's, and how its conclusions are shown."""

from __future__ import annotations

import pytest

from petree.papers.printed import conclusions
from petree.papers.verdicts import Verdict, beside, verdict_table


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
