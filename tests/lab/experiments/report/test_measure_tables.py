"""Tables say what the summary says."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.lab.experiments.made import made_summary

from lab.experiments.measuring import MEASURES
from lab.experiments.report.measure_tables import NOTES, TITLES, measure_table, number, summary_rows

LEVEL = np.array([[0.70, 0.72, 0.71], [0.71, 0.70, 0.73]])
VALUES: dict[tuple[str, str], Any] = {
    ("iris", "plain"): LEVEL,
    ("iris", "good"): LEVEL + 0.1,
    ("iris", "odd"): LEVEL - 0.1,
    ("voting", "plain"): LEVEL,
    ("voting", "good"): LEVEL + 0.2,
    ("voting", "odd"): LEVEL,
}


def filled(measure: str = "auc") -> Any:
    return made_summary({pair: {measure: values} for pair, values in VALUES.items()})


def test_every_measure_has_a_title() -> None:
    assert list(TITLES) == list(MEASURES)
    assert len({title for title, _ in TITLES.values()}) == len(TITLES)
    assert set(NOTES) <= set(TITLES)


def test_cells() -> None:
    table = measure_table(filled(), "auc")
    assert table.title == "AUC (one-vs-rest)"
    assert list(table.heads) == ["data set", "plain", "good", "odd"]
    assert [list(row) for row in table.rows] == [
        ["iris", "0.712", "0.812 ●", "0.612 ○"],
        ["voting", "0.712", "0.912 ●", "0.712"],
        ["average", "0.712", "0.862", "0.662"],
        ["wins/ties/losses", "", "2/0/0", "0/1/1"],
        ["significant w/t/l", "", "2/0/0", "0/1/1"],
        ["average rank", "2.25", "1.00", "2.75"],
    ]
    assert list(table.bold) == [2, 3, 4, 5]
    assert "significantly better than plain" in table.note


def test_where_less_is_better() -> None:
    table = measure_table(filled("brier"), "brier")
    assert [list(row) for row in table.rows][:2] == [
        ["iris", "0.712", "0.812 ○", "0.612 ●"],
        ["voting", "0.712", "0.912 ○", "0.712"],
    ]
    assert list(table.rows[3]) == ["wins/ties/losses", "", "0/0/2", "1/1/0"]


@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_has_a_table(measure: str) -> None:
    summary = filled(measure)
    table = measure_table(summary, measure)
    decimals = TITLES[measure][1]
    for row, name in zip(table.rows, summary.data_sets, strict=False):
        shown = [cell.split()[0] for cell in row[1:]]
        assert shown == [f"{summary.mean(measure, name, method):.{decimals}f}" for method in summary.methods]
    assert ("average rank" in [row[0] for row in table.rows]) == (measure in summary.ranks)


def test_what_a_title_says_first() -> None:
    assert measure_table(filled(), "auc", "Curve of iris").title == "Curve of iris: AUC (one-vs-rest)"


def test_measures_that_are_not_defined() -> None:
    summary = made_summary(
        {("a", "tree"): {"leaves": [[3.0, 4.0]] * 2}, ("a", "forest"): {"leaves": [[math.nan] * 2] * 2}}
    )
    assert measure_table(summary, "leaves").rows == [["a", "3.5", "-"]]


def test_one_method() -> None:
    summary = made_summary({("a", "one"): {"auc": [[0.5, 0.75]]}})
    assert measure_table(summary, "auc").rows == [["a", "0.625"]]


def test_rows_below() -> None:
    assert summary_rows(filled(), "auc") == measure_table(filled(), "auc").rows[2:]


def test_numbers() -> None:
    assert number(0.12345, 3) == "0.123"
    assert number(2.0, 1) == "2.0"
    assert number(math.nan, 3) == "-"
