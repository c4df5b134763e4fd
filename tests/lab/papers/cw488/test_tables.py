"""The tables of CW488 beside ours: the paper's own numbers differ in nothing, others by what they were changed by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from tests.lab.experiments.made import made_summary
from tests.lab.papers.cells import cells_of
from tests.lab.papers.cw488.printed_summary import CRITERIA, Printed
from tests.lab.papers.marks import needs_data

from lab.experiments.data import DataSet
from lab.experiments.summary import Summary
from lab.papers.cw488 import classes, tables
from lab.papers.data.datasets import CW488, load
from lab.papers.data.generators import rand30
from lab.papers.printed import cw488_cells, read, stated


@pytest.fixture(scope="module")
def printed() -> Summary:
    return Printed().summary()


# -- Table 1 -----------------------------------------------------------------------------------------------


@needs_data
def test_the_data_are_those_of_table_1() -> None:
    table = tables.table_1([load(name) for name in CW488])
    assert [row[0] for row in table.rows] == list(CW488)
    assert all(cell.endswith("(=)") for row in table.rows for cell in row[1:])
    assert table.note.endswith("The number of tests is equal on 20 of 20 sets.")


def test_other_data_show_their_difference() -> None:
    bits = {f"a{place}": np.array(["y", "n"] * 20, object) for place in range(24)}
    voting = DataSet("voting", bits, np.array(["a"] * 15 + ["b"] * 25, object))
    table = tables.table_1([voting, replace(voting, name="diabetes", columns={"a1": bits["a1"]})])
    assert table.rows == [
        ["voting", "40 (435, -395)", "2 (=)", "48 (=)"],
        ["diabetes", "40 (768, -728)", "2 (=)", "2 (56, -54)"],
    ]
    assert table.note.endswith("The number of tests is equal on 1 of 2 sets.")


# -- Tables 2 to 4 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", tables.MEASURES)
def test_the_papers_own_results_differ_in_nothing(printed: Summary, name: str) -> None:
    """Neither in a cell, nor in a mark, nor in an average."""
    table = tables.cells_table(printed, name)
    marks = {
        (row["data_set"], row["criterion"]): {"better": "● ", "worse": "○ ", "": ""}[row["mark"]]
        for row in read("cw488_results")
        if row["measure"] == name
    }
    decimals = {"size": 1, "auc": 1, "cll": 3}[name]
    rows = cells_of(table)
    for data_set in CW488:
        values = [cw488_cells(name).value(data_set, one) for one in CRITERIA]
        expected = [
            f"{marks[data_set, one]}{value:.{decimals}f} (=)" for one, value in zip(CRITERIA, values, strict=True)
        ]
        assert rows[data_set] == expected
    averages = cw488_cells(name).of(CW488).averages()
    assert rows["average"] == [f"{averages[one]:.{decimals}f} (=)" for one in CRITERIA]
    assert list(rows)[20:] == ["average", "wins/ties/losses", "significant w/t/l", "average rank"]
    assert list(table.bold) == [20, 21, 22, 23]


def test_significant_wins_are_counted_from_the_marks(printed: Summary) -> None:
    marks = [row["mark"] for row in read("cw488_results") if row["data_set"] in CW488 and row["measure"] == "cll"]
    counts = cells_of(tables.cells_table(printed, "cll"))["significant w/t/l"]
    for column, criterion in list(enumerate(CRITERIA))[1:]:
        found = marks[column::6]
        assert counts[column] == f"{found.count('better')}/{found.count('')}/{found.count('worse')}", criterion


def test_a_difference_is_ours_less_the_papers() -> None:
    changed = Printed().put("cll", "BIC", "BIC", sets=["voting"], plus=0.1).summary()
    rows = cells_of(tables.cells_table(changed, "cll"))
    paper = cw488_cells("cll").value("voting", "BIC")
    assert rows["voting"][2] == f"○ {paper + 0.1:.3f} ({paper:.3f}, +0.100)"
    average = cw488_cells("cll").of(CW488).averages()["BIC"]
    assert rows["average"][2] == f"{average + 0.005:.3f} ({average:.3f}, +0.005)"


# -- agreement, and ranks ----------------------------------------------------------------------------------


def test_the_paper_agrees_with_itself(printed: Summary) -> None:
    found = tables.agreement_of(printed)
    assert found == pytest.approx((0, 0, 120, 120), abs=1e-12)
    assert [row[1] for row in tables.agreement(printed).rows] == ["0.00", "0.000", "120"]


def test_disagreement_is_a_mean_over_all_cells() -> None:
    changed = Printed().put("auc", "EBP", "EBP", plus=3).put("auc", "MDL", "MDL", plus=-3)
    found = tables.agreement_of(changed.put("cll", "CHI", "CHI", plus=0.06).summary())
    assert (found.auc, found.cll) == pytest.approx((6 / 6, 0.06 / 6))


@pytest.mark.parametrize(
    ("plus", "times", "is_alike"),
    [(0.9, 1.0, lambda size: True), (0.0, 1.29, lambda size: True), (0.0, 1.6, lambda size: 0.6 * size <= 1)],
)
def test_sizes_are_alike_within_a_share_or_one_node(
    plus: float, times: float, is_alike: Callable[[float], bool]
) -> None:
    changed = Printed()
    for criterion in CRITERIA:
        changed.put("size", criterion, criterion, plus=plus, times=times)
    expected = sum(is_alike(size) for size in cw488_cells("size").of(CW488).values.ravel())
    assert tables.agreement_of(changed.summary()).sizes == expected > 0


def test_the_papers_ranks_are_in_its_order(printed: Summary) -> None:
    table = tables.ranks_table(printed)
    for name, row in zip(tables.MEASURES, table.rows, strict=True):
        ranks = cw488_cells(name).of(CW488).average_ranks()
        assert row[1:] == [f"{ranks[criterion]:.2f} (=)" for criterion in CRITERIA]
        assert tables.swapped_ranks(printed, name) == []
    assert table.note.endswith("stand in the same order here, without exception.")


def test_ranks_in_another_order_are_named_unless_they_are_near() -> None:
    """BIC and EBP lie 0.17 apart in AUC, MDL and CHI 1.7 in CLL, with BIC and EBP between them."""
    changed = Printed().swap("auc", "BIC", "EBP").swap("cll", "MDL", "CHI").summary()
    assert tables.swapped_ranks(changed, "auc") == []
    swapped = ["BIC and MDL", "CHI and MDL", "CHI and BIC", "CHI and EBP", "EBP and MDL"]
    assert sorted(tables.swapped_ranks(changed, "cll")) == sorted(f"cll of {pair}" for pair in swapped)
    assert "but for cll of " in tables.ranks_table(changed).note


# -- Tables 5 and 6, and Figure 3 --------------------------------------------------------------------------


def test_accuracy_stands_above_the_papers(printed: Summary) -> None:
    rows = cells_of(tables.accuracy_table(printed))
    assert rows["ours, 20 sets: average"] == ["0.802", "0.751", "0.760", "0.787", "0.809", "0.797"]
    assert rows["paper, 26 sets: average in percent"] == ["80.2", "75.1", "76.0", "78.7", "80.9", "79.7"]
    assert rows["ours, 20 sets: average rank"] == ["2.00", "6.00", "5.00", "4.00", "1.00", "3.00"]
    assert rows["paper, 26 sets: average rank"] == ["2.90", "4.69", "3.87", "3.52", "2.08", "3.94"]
    assert rows["ours, 20 sets: significant w/t/l"][4] == "3/17/0"


def test_times_are_shares_of_rand() -> None:
    seconds = {"RAND": [1.0, 3.6], "MDL": [0.5, 0.36], "BIC": [0.5, 0.36], "CHI": [1.0, 1.8]}
    table = tables.times_table(seconds)
    assert table.heads == ("", "RAND", "MDL / RAND", "BIC / RAND", "CHI / RAND")
    assert table.rows == [
        ["min", "1.000 s (0.9 s)", "0.10 (0.03)", "0.10 (0.03)", "0.50 (0.08)"],
        ["max", "3.600 s (146.7 s)", "0.50 (0.22)", "0.50 (0.38)", "1.00 (0.83)"],
        ["average", "2.300 s (23.0 s)", "0.30 (0.12)", "0.30 (0.17)", "0.75 (0.37)"],
    ]
    assert "takes on average 1/10 of the time it took there" in table.note


def test_the_first_fit_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may have to load what later ones find loaded."""
    clock, takes = [0.0], [60.0, 2.0]

    class Learner:
        def fit(self, X: object, y: object) -> None:
            clock[0] += takes.pop(0)

    monkeypatch.setattr(tables, "time", SimpleNamespace(perf_counter=lambda: clock[0]))
    method = SimpleNamespace(make=lambda seed: Learner())
    assert tables.seconds_of(method, rand30(10, 0)) == 2.0  # type: ignore[arg-type]


def test_sizes_are_compared_in_every_fold() -> None:
    sizes = {"MDL": [[1, 2], [3, 4]], "BIC": [[1, 3], [2, 5]], "NOPRUNING": [[9, 9], [9, 3]]}
    summary = made_summary({("voting", name): {"inner_nodes": found} for name, found in sizes.items()})
    assert tables.compare_sizes(summary, "BIC", "MDL") == (4, 1)
    assert tables.figure_3(summary).rows == [
        ["NOPRUNING at least as large as MDL", "4", "1"],
        ["NOPRUNING at least as large as BIC", "4", "1"],
        ["BIC at least as large as MDL", "4", "1"],
    ]


def test_the_stand_in_has_the_printed_class_sizes() -> None:
    sizes = classes.class_sizes()
    assert len(sizes) == classes.CLASSES[-1] == 23
    assert sum(sizes) == 1503
    assert sum(sizes[:3]) == stated("cw488")["diterpenes_examples"]
    assert sizes == sorted(sizes, reverse=True)
