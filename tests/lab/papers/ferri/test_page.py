"""The reproduction of Ferri, Flach and Hernandez-Orallo: its tests and tables, and a page of small data."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ttest_ind, ttest_ind_from_stats
from tests.lab.papers.cells import cells_of
from tests.lab.papers.ferri.printed_summary import PAPER, as_printed, printed_deviations

from lab.experiments.measuring import measure
from lab.experiments.report.tables import Table
from lab.experiments.summary import Summary
from lab.experiments.trials import cross_validated
from lab.papers.data.generators import rand30, waveform40
from lab.papers.ferri import page as ferri
from lab.papers.ferri import sets, tables
from lab.papers.ferri.checks import Check
from lab.papers.ferri.protocol import (
    AUC,
    CARDS,
    CASES_PER_CLASS,
    READINGS,
    SMOOTHINGS,
    groups,
    method_name,
    methods,
)
from lab.papers.ferri.pruning import cards_table, pruning_table, readings_table
from lab.papers.ferri.significance import mark, printed_marks, wins
from lab.papers.printed import conclusions
from lab.papers.setting import PaperSetting
from lab.statistics.significance import TTest, independent_test
from petree.pruning import CardPerClass


@pytest.fixture(scope="module")
def printed() -> Summary:
    return as_printed(data_sets=PAPER.data_sets)


# -- the paper's test --------------------------------------------------------------------------------------


def test_the_unpaired_test_is_scipys() -> None:
    random = np.random.default_rng(0)
    for shift in (0.0, 0.3, -1.0):
        one, other = random.normal(shift, 1.0, 40), random.normal(0.0, 2.0, 40)
        expected = ttest_ind(one, other)
        found = independent_test(one, other)
        assert found == pytest.approx((expected.statistic, expected.pvalue))


def test_values_that_do_not_vary_are_a_tie_or_significant() -> None:
    assert independent_test([0.5] * 4, [0.5] * 4) == (0.0, 1.0)
    assert independent_test([0.5] * 4, [0.6] * 4) == (-np.inf, 0.0)


def printed_test(gain: float, deviations: tuple[float, float]) -> TTest:
    """The test of two independent samples of 100 folds, from what the paper prints of them."""
    return TTest(*ttest_ind_from_stats(gain, deviations[0], 100, 0.0, deviations[1], 100))


def test_the_papers_marks_are_those_of_the_unpaired_test() -> None:
    """As printed on 46 sets, and on all once the printed numbers may have been rounded."""
    deviations = dict(zip(PAPER.methods, printed_deviations().T, strict=True))
    n_equal = 0
    for place, (name, printed) in enumerate(zip(PAPER.data_sets, printed_marks(PAPER.data_sets), strict=True)):
        gain = PAPER.value(name, "m_branch") - PAPER.value(name, "m_estimate")
        pair = deviations["m_branch"][place], deviations["m_estimate"][place]
        n_equal += mark(printed_test(gain, pair)) == printed
        rounded = {
            mark(printed_test(gain + by, (max(pair[0] + wider, 0), max(pair[1] + wider, 0))))
            for by, wider in product((-0.0999, 0.0, 0.0999), (-0.0499, 0.0499))
        }
        assert printed in rounded, name
    assert n_equal == 46


def test_wins_are_counted_at_a_tenth(printed: Summary) -> None:
    """The paper has 21/23/6; four marks need the digits that are not printed."""
    record = wins(printed, AUC, method_name("C4.5", "m_branch"), method_name("C4.5", "m_estimate"))
    assert record == (19, 27, 4)


# -- the systems -------------------------------------------------------------------------------------------


def test_every_system_is_named_once_and_grows_multiway_trees() -> None:
    found = methods()
    assert len({method.name for method in found}) == len(found)
    assert len({method.settings for method in found}) == len(found)
    assert {method.estimator.tests for method in found} == {"multiway"}


def test_both_readings_ask_for_so_many_cases_per_class() -> None:
    readings = dict(zip(READINGS.values(), ("ratio", "Kc/2"), strict=True))
    for cases, n_classes, (scale, reading) in product(CASES_PER_CLASS, (2, 5), readings.items()):
        assert CardPerClass(cases * scale, reading).cases_needed(n_classes) == cases * n_classes
    names = [f"K={2 * cases:g}" for cases in CASES_PER_CLASS]
    assert [CARDS[name].cases_needed(3) for name in names] == [3 * cases for cases in CASES_PER_CLASS]


def test_data_sets_are_grouped_by_their_classes(printed: Summary) -> None:
    found = {group: len(members.data_sets) for group, members in groups(printed).items()}
    assert found == {"two-class": 25, "multi-class": 25, "all": 50}
    assert list(groups(printed.of_sets(["IRIS", "WINE"]))) == ["multi-class", "all"]


# -- tables ------------------------------------------------------------------------------------------------


def test_the_papers_own_results_differ_in_nothing(printed: Summary) -> None:
    for group in ("two-class", "multi-class"):
        rows = cells_of(tables.smoothing_table(printed, group))
        assert len(rows) == 28
        for cells in rows.values():
            assert all("(=)" in cell for cell in cells[:4])
    for name, cells in cells_of(tables.order_table(printed)).items():
        assert all("(=)" in cell for cell in cells[:3]), name
        for cell in cells[3:]:
            ours, paper = cell.rstrip(")").split(" (")
            assert ours == paper


def test_a_difference_is_ours_less_the_papers() -> None:
    rows = cells_of(tables.smoothing_table(as_printed({f"{AUC} C4.5 + laplace": -1.0}), "multi-class"))
    assert rows["IRIS"] == ["97.3 (=)", "97.5 (98.5, -1.0)", "98.5 (=)", "98.5 (=)", "- (-)"]
    assert rows["arithmetic mean"][1] == "83.0 (84.0, -1.0)"
    assert rows["HORSECOLICOUTC"][4] == "✓ (✓)"


def test_the_means_stand_beside_tables_7_and_8(printed: Summary) -> None:
    splits, steps = cells_of(tables.splits_table(printed)), cells_of(tables.steps_table(printed))
    assert len(splits) == 3 * 8
    assert splits["all: DKM + m_branch"][0] == "82.4 (=)"
    assert splits["two-class: MSEE + m_branch"][0] == "82.5 (82.0, +0.5)"
    assert "(" not in splits["all: MSEE by frequencies + m_branch"][1]
    assert steps["all: C4.5 + laplace"][1] == "86.7 (=)"
    assert list(steps)[-1] == "all: MSEE + m_branch + K=1"


def test_all_printed_wins_have_three_of_ours_beside_them(printed: Summary) -> None:
    rows = cells_of(tables.wins_table(printed))
    assert len(rows) == 12
    assert rows["Section 3: m_branch over m_estimate, auc, all sets"][:2] == ["21/23/6", "19/27/4"]


def test_only_sets_that_differ_are_listed() -> None:
    alike = Check("IRIS", {"n_rows": 150}, {"n_rows": 150})
    other = Check("MONKS1", {"n_rows": 556, "n_classes": 2}, {"n_rows": 566, "n_classes": 2}, "A misprint.")
    table = tables.sets_table([alike, other])
    assert table.rows == [["MONKS1", "rows 556 (566)", "A misprint."]]
    assert table.note.startswith("The other 1 have")


def test_pruning_is_compared_with_the_unpruned_tree(printed: Summary) -> None:
    rows = cells_of(pruning_table(printed))
    assert rows["none: minimum error"][1].startswith("+2.0")
    assert not any("safe" in name for name in rows)  # not of the paper
    assert rows["m_branch: pessimistic"][1].startswith("-1.5")
    assert rows["laplace: unpruned"][1:] == ["", "", "100.0"]
    cards = cards_table(printed).rows
    assert [row[:3] for row in cards][:3] == [["0", "0", "0"], ["0.5", "0.25", "1"], ["1", "0.5", "2"]]
    assert [row[5] for row in cards] == ["100.0", "100.0", "95.0", "90.0", "85.0", "40.0", "40.0", "40.0"]


def test_the_readings_of_card_per_class_are_compared_at_k_1() -> None:
    shifts = {f"{AUC} MSEE + m_branch + K=1": 0.1, f"{AUC} MSEE + m_branch + K=4": -0.3}
    rows = cells_of(readings_table(as_printed(shifts)))
    assert rows["two-class: auc"] == ["+0.1", "-0.3", "+0.1"]
    assert rows["all: accuracy"] == ["+0.1", "+0.0", "+0.0"]


# -- the page ----------------------------------------------------------------------------------------------


def test_the_page_shows_what_the_folds_give(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = {"MONKS1": replace(rand30(60, 1), name="MONKS1"), "IRIS": replace(waveform40(60, 1), name="IRIS")}
    monkeypatch.setattr(ferri, "FERRI", tuple(made))
    monkeypatch.setattr(ferri, "load", made.__getitem__)
    monkeypatch.setattr(sets, "QUESTIONS", (sets.Question("IRIS", lambda: {"as it is": made["IRIS"]}, "Some words."),))
    monkeypatch.setattr(ferri, "check_ferri", lambda: [Check("IRIS", {"n_rows": 60}, {"n_rows": 150})])
    monkeypatch.setattr(ferri, "RUNS", 1)
    page = ferri.page(PaperSetting(tmp_path, jobs=1, pictures=False), "python -m lab.reproduce ferri")
    text = page.to_markdown()
    assert "2 of the paper's 50 data sets, whole, 1 x 5-fold" in text
    assert "PIMA-ABALONE is left out" in text
    assert "| IRIS | rows 60 (150) |" in text
    [laplace] = [method for method in methods() if method.name == "C4.5 + laplace"]
    trials = cross_validated([made["IRIS"]], 1, 5, 0)
    expected = 100 * np.mean([measure(laplace, trial, 0)[AUC] for trial in trials])
    [table] = [block for block in page.blocks if isinstance(block, Table) and "Tables 4 and 6" in block.title]
    assert table.rows[0][1 + list(SMOOTHINGS).index("laplace")].startswith(f"{expected:.1f} (")
    for conclusion in conclusions("ferri"):
        assert conclusion.statement in text
