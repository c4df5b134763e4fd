"""What the relational rows of CW488 and F05 must show for their conclusions to hold."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.lab.experiments.made import made_summary
from tests.lab.papers.f05.test_page import METHODS, as_printed, made_merged, made_tests

from lab.experiments.summary import Summary
from lab.papers.f05 import verdicts as f05_verdicts
from lab.papers.f05.controlled import rows_verdicts
from lab.papers.printed import conclusions, f05_cells

ROWS = dict.fromkeys(METHODS, ((0.6, 0.7), (5.0, 20.0))) | {
    "C4.4": ((0.5, 0.6), (90.0, 900.0)),
    "BICp": ((0.6, 0.8), (5.0, 30.0)),
}


def made_rows(changes: Mapping[str, tuple[tuple[float, float], tuple[float, float]]]) -> Summary:
    """AUC and leaves with few and with many rows."""
    return made_summary(
        {
            (f"{size} rows", name): {"auc": [[auc[place]]], "leaves": [[leaves[place]]]}
            for place, size in enumerate((1000, 9000))
            for name, (auc, leaves) in (ROWS | dict(changes)).items()
        }
    )


@pytest.mark.parametrize(
    ("key", "changes", "holds"),
    [
        ("rows_hiv", {}, True),
        ("rows_hiv", {"MDLp": ((0.6, 0.9), (5.0, 20.0))}, False),
        ("rows_hiv", {"BICs": ((0.6, 0.7), (5.0, 40.0))}, False),
        ("rows_hiv", {"C4.5": ((0.6, 0.9), (5.0, 40.0))}, True),
        ("rows_trains", {}, True),
        ("rows_trains", {"C4.5": ((0.4, 0.9), (5.0, 40.0))}, False),
        ("rows_trains", {"Chi": ((0.6, 0.9), (5.0, 4000.0))}, False),
        ("rows_hiv_alike", {}, True),
        ("rows_hiv_alike", {"Chi": ((0.63, 0.7), (5.0, 20.0))}, False),
        ("rows_trains_alike", {"BICp": ((0.6, 0.71), (5.0, 30.0)), "Chi": ((0.63, 0.7), (5.0, 20.0))}, True),
        ("rows_trains_alike", {}, False),  # BICp is ahead with many rows
    ],
)
def test_what_figures_2_and_3_show(
    key: str, changes: Mapping[str, tuple[tuple[float, float], tuple[float, float]]], holds: bool
) -> None:
    made = made_rows(changes)
    assert rows_verdicts({"hiv": made, "trains": made})[key].holds is holds


def printed_with_hiv(plus: float) -> Summary:
    """The paper's AUC on hiv, that of C4.5 changed."""
    cells = f05_cells("auc")
    return made_summary(
        {("hiv", name): {"auc": [[(cells.value("hiv", name) + plus * (name == "C4.5")) / 100] * 2]} for name in METHODS}
    )


@pytest.mark.parametrize(("plus", "holds"), [(0.0, True), (12.0, False), (16.5, False)])
def test_a_very_low_auc_on_hiv(plus: float, holds: bool) -> None:
    assert f05_verdicts._skewed(printed_with_hiv(plus)).holds is holds


def test_the_papers_results_on_all_sets_make_its_conclusions_hold() -> None:
    found = f05_verdicts.verdicts(
        as_printed(names=f05_cells("auc").data_sets),
        made_merged(),
        made_tests({}),
        {"hiv": made_rows({}), "trains": made_rows({"BICp": ((0.6, 0.71), (5.0, 30.0))})},
    )
    assert set(found) == {conclusion.key for conclusion in conclusions("f05")}
    assert [key for key, verdict in found.items() if verdict.holds is not True] == []
