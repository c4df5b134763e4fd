"""The conclusions of Ferri, Flach and Hernandez-Orallo by constructed results."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest
from tests.lab.papers.cells import cells_of
from tests.lab.papers.ferri.printed_summary import PAPER, as_printed
from tests.lab.papers.marks import needs_data

from lab.experiments.summary import Summary
from lab.papers.ferri import readings, sets
from lab.papers.ferri.protocol import ACCURACY, AUC, CLASSICAL_PRUNINGS
from lab.papers.ferri.verdicts import verdicts
from lab.papers.printed import conclusions
from lab.papers.verdicts import Verdict


@cache
def verdicts_as_printed() -> Mapping[str, Verdict]:
    return verdicts(as_printed())


@pytest.fixture(scope="module")
def printed() -> Summary:
    return as_printed(data_sets=PAPER.data_sets)


K_1 = "MSEE + m_branch + K=1"


def test_the_papers_results_make_its_conclusions_hold(printed: Summary) -> None:
    """All but the one on CardPerClass, of which the paper prints no numbers."""
    found = verdicts(printed)
    assert set(found) == {conclusion.key for conclusion in conclusions("ferri")}
    assert [key for key, verdict in found.items() if verdict.holds is not True] == ["card_per_class_mild"]


@pytest.mark.parametrize(
    ("key", "shifts"),
    [
        ("laplace_over_none", {f"{AUC} C4.5 + laplace": -10.0}),
        ("m_estimate_like_laplace", {f"{AUC} C4.5 + m_estimate": 0.3}),
        ("m_branch_over_m_estimate", {f"{AUC} C4.5 + m_branch": -3.0}),
        ("splits_alike", {f"{ACCURACY} GAIN + m_branch": -1.0}),
        ("msee_best", {f"{AUC} DKM + m_branch": 1.0}),
        ("msee_best", {f"{ACCURACY} DKM + m_branch": 1.0}),
        ("dkm_best_classical", {f"{AUC} MGINI + m_branch": 1.0}),
        ("mauc_over_c45", {f"{AUC} MAUC + m_branch": -0.3}),
        ("pruning_hurts_smoothed", {f"{AUC} C4.5 + laplace + minimum error": 1.1}),
        ("pruning_helps_unsmoothed", {f"{AUC} C4.5 + none + {name}": -4.0 for name in CLASSICAL_PRUNINGS}),
        ("mauc_over_c45", {f"{AUC} MAUC + m_branch": 0.95}),  # as much as m-branch gains is not slightly
        ("msee_over_c45", {f"{ACCURACY} MSEE + m_branch": -1.0}),
        ("pruning_and_smoothing", {f"{AUC} C4.5 + m_branch + minimum error": 0.6}),
        ("steps_add_up", {f"{AUC} {K_1}": -1.0}),
        ("steps_win", {f"{AUC} {K_1}": -9.0}),
    ],
)
def test_other_results_make_them_fail(key: str, shifts: Mapping[str, float]) -> None:
    assert verdicts_as_printed()[key].holds is True
    assert verdicts(as_printed(shifts))[key].holds is False


def test_a_slight_gain_of_mauc_may_exceed_half_a_point() -> None:
    assert verdicts(as_printed({f"{AUC} MAUC + m_branch": 0.4}))["mauc_over_c45"].holds is True


@pytest.mark.parametrize(
    ("shifts", "mild", "accuracy"),
    [
        ({}, False, True),
        ({"leaves MSEE + m_branch + K=4": -40.0}, True, True),  # 2 cases per class
        ({"leaves MSEE + m_branch + K=4": -40.0, f"{AUC} MSEE + m_branch + K=2": -1.0}, False, True),
        ({"leaves MSEE + m_branch + K=16": -20.0}, False, True),  # 8 cases per class: K = 4 of the other reading
        ({f"{ACCURACY} C4.5 + none + minimum error": -3.0}, False, False),  # strong pruning is no worse than others
        ({f"{ACCURACY} MSEE + m_branch + K=2": -1.0}, False, False),
        ({f"{ACCURACY} MSEE + m_branch + K=16": 1.0}, False, False),  # 8 cases per class: K = 4 of the other reading
    ],
)
def test_mild_pruning_is_judged_in_the_reading_of_table_8(
    shifts: Mapping[str, float], mild: bool, accuracy: bool
) -> None:
    found = verdicts(as_printed(shifts))
    assert found["card_per_class_mild"].holds is mild
    assert found["card_per_class_accuracy"].holds is accuracy


def test_one_group_cannot_tell_of_two(printed: Summary) -> None:
    assert verdicts(printed.of_sets(["IRIS", "WINE"]))["laplace_over_none"].holds is None


def test_what_fails_is_explained_with_figures() -> None:
    shifts = {f"{ACCURACY} DKM + m_branch": 1.0, f"{AUC} C4.5 + laplace + minimum error": 1.1}
    found = verdicts(as_printed(shifts))
    assert "MSEE by frequencies 8" in found["msee_best"].cause
    assert "Leaves that are left: minimum error 100%" in found["pruning_hurts_smoothed"].cause
    assert "with Card / c < 2K and K = 4, 0.2 points of AUC" in found["card_per_class_mild"].cause
    assert all(verdict.cause == "" for verdict in found.values() if verdict.holds)


def test_the_measure_and_the_cuts_that_fit_are_told(printed: Summary) -> None:
    rows = cells_of(readings.fits_table(printed.of_sets(["IRIS", "WINE"])))
    assert {cell.lstrip("+-") for cell in rows["multi-class: p_i / (p_i + p_j), cuts anywhere"]} == {"0.0 (0.0)"}
    assert rows["multi-class: p_i, as Hand and Till, cuts anywhere"] == ["-1.0 (1.0)"] * 3
    assert len(rows) == 8


def test_versions_of_a_set_stand_beside_what_is_printed_of_it(printed: Summary) -> None:
    version = "TIC-TAC less nothing"
    values = {(version, method): folds for (name, method), folds in printed.values.items() if name == "TIC-TAC"}
    table = sets.versions_table(Summary(printed.methods, (version,), (), values), "TIC-TAC")
    assert table.rows == [["less nothing", *["76.2 (=)", "87.2 (=)", "87.2 (=)", "86.9 (=)"]]]


@needs_data
def test_versions_of_sets_are_what_they_are_called() -> None:
    assert [len(data.columns) for data in sets.squares().values()] == [9, *[8] * 9]
    versions = sets.hormones()
    assert "T3" not in versions["less T3"].columns
    only = versions["no number but T3, in whole units"]
    assert [name for name, values in only.columns.items() if values.dtype.kind != "O"] == ["T3"]
    assert (only.columns["T3"] == np.floor(versions["as it is"].columns["T3"])).all()
