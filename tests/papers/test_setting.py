"""How much of a paper is run, how its results are kept, and how its conclusions are shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.experiments.made import Fails, Shares, small_set

from petree.experiments.methods import Method
from petree.experiments.trials import cross_validated
from petree.papers.printed import conclusions
from petree.papers.setting import Setting, Verdict, beside, verdict_table

PLAIN = Method("plain", Shares(1.0))


@pytest.mark.parametrize(("usual", "quick"), [(10, 2), (20, 2), (2, 2), (1, 1)])
def test_quick_means_at_most_two_runs(tmp_path: Path, usual: int, quick: int) -> None:
    assert Setting(tmp_path).runs(usual) == usual
    assert Setting(tmp_path, quick=True).runs(usual) == quick


def test_a_summary_is_kept_under_its_name(tmp_path: Path) -> None:
    data_sets = [small_set("b"), small_set("a", seed=1)]
    setting = Setting(tmp_path / "new", jobs=1)
    summary = setting.summary("tiny", cross_validated(data_sets, 2, 3), [PLAIN, Method("flat", Shares(0.0))])
    assert (summary.data_sets, summary.methods) == (("b", "a"), ("plain", "flat"))
    assert summary.folds("auc", "a", "flat").shape == (2, 3)
    kept = (tmp_path / "new" / "tiny.csv").read_bytes()
    assert kept.count(b"\n") == 1 + 2 * 2 * 3 * 2
    again = setting.summary("tiny", cross_validated(data_sets, 2, 3), [PLAIN])
    assert (tmp_path / "new" / "tiny.csv").read_bytes() == kept
    assert again.mean("brier", "b", "plain") == summary.mean("brier", "b", "plain")


def test_a_method_that_fails_stops_the_work_in_a_sentence(tmp_path: Path) -> None:
    """What the others found is kept."""
    methods = [PLAIN, Method("bad", Fails())]
    sentence = r"^The experiment tiny is incomplete: bad failed on pets: ArithmeticError: no luck with \d+ cats; mend"
    with pytest.raises(ValueError, match=sentence):
        Setting(tmp_path, jobs=1).summary("tiny", cross_validated([small_set()], 1, 3), methods)
    assert (tmp_path / "tiny.csv").read_text().count("pets,plain,") == 3


# -- what stands beside what --------------------------------------------------------------------------------


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


# -- conclusions -------------------------------------------------------------------------------------------


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
