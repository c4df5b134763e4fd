"""The printed numbers give the papers' own means, counts and ranks, so that a slip of the pen would show."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy.stats import rankdata

from lab.papers.oates.pruning_model import paper_averages
from lab.papers.printed import (
    Cells,
    conclusions,
    cw488_cells,
    f05_cells,
    ferri_cells,
    read,
    stated,
)

# The last digit that CW488 prints of an average.
DIGIT = {"size": 0.1, "auc": 0.1, "cll": 0.001}
# A mean of rounded cells may miss the mean of the unrounded ones by a little more than half a digit.
HALF = 0.55
FERRI_GROUPS = {"two-class": slice(0, 25), "multi-class": slice(25, 50), "all": slice(0, 50)}


def summary_of(measure: str) -> dict[str, dict[str, Any]]:
    return {row["criterion"]: row for row in read("cw488_summary") if row["measure"] == measure}


def losses_of(cells: Cells) -> Any:
    return -cells.values if cells.higher_is_better else cells.values


def outcomes(row: dict[str, Any], prefix: str = "") -> tuple[int, int, int]:
    return row[f"{prefix}wins"], row[f"{prefix}ties"], row[f"{prefix}losses"]


# -- CW488 -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", DIGIT)
def test_cw488_averages(measure: str) -> None:
    cells, summary = cw488_cells(measure), summary_of(measure)
    assert cells.values.shape == (26, 6)
    for criterion, average in cells.averages().items():
        assert average == pytest.approx(summary[criterion]["average"], abs=HALF * DIGIT[measure])


@pytest.mark.parametrize("measure", DIGIT)
def test_cw488_marks_are_counted(measure: str) -> None:
    marks = Counter((row["criterion"], row["mark"]) for row in read("cw488_results") if row["measure"] == measure)
    summary = summary_of(measure)
    assert marks[summary.pop("RAND")["criterion"], ""] == 26
    for criterion, row in summary.items():
        assert tuple(marks[criterion, mark] for mark in ("better", "", "worse")) == outcomes(row, "significant_")


@pytest.mark.parametrize("measure", DIGIT)
def test_cw488_marks_agree_with_the_cells(measure: str) -> None:
    cells = cw488_cells(measure)
    for row in read("cw488_results"):
        if row["measure"] == measure and row["mark"]:
            difference = row["value"] - cells.value(row["data_set"], "RAND")
            assert (difference > 0) == ((row["mark"] == "better") == cells.higher_is_better), row


@pytest.mark.parametrize("measure", DIGIT)
def test_cw488_direct_wins_up_to_equal_cells(measure: str) -> None:
    """Cells that are equal in print may be a win, a tie or a loss of the unrounded means."""
    cells = cw488_cells(measure)
    for criterion, row in list(summary_of(measure).items())[1:]:
        wins, equal, losses = cells.wins(criterion, "RAND")
        assert sum(outcomes(row)) == 26
        assert wins <= row["wins"] <= wins + equal
        assert losses <= row["losses"] <= losses + equal
        if measure == "size":
            assert outcomes(row) == (wins, equal, losses)


def test_cw488_ranks_of_sizes_recomputed() -> None:
    ranks = cw488_cells("size").average_ranks()
    assert list(ranks.values()) == pytest.approx([3.29, 1.02, 2.94, 3.15, 4.65, 5.94], abs=0.005)


@pytest.mark.parametrize("measure", DIGIT)
def test_cw488_ranks_up_to_equal_cells(measure: str) -> None:
    """The printed ranks lie between those where the criterion wins all of its equal cells and where it loses them."""
    losses, summary = losses_of(cw488_cells(measure)), summary_of(measure)
    best, worst = (rankdata(losses, method=method, axis=1).mean(axis=0) for method in ("min", "max"))
    printed = np.array([row["rank"] for row in summary.values()])
    assert (best - 0.005 <= printed).all()
    assert (printed <= worst + 0.005).all()


@pytest.mark.parametrize("measure", [*DIGIT, "accuracy"])
def test_cw488_ranks_share_out_all_places(measure: str) -> None:
    assert sum(row["rank"] for row in summary_of(measure).values()) == pytest.approx(21, abs=0.03)


def test_cw488_accuracy_counts_all_data_sets() -> None:
    summary = summary_of("accuracy")
    assert outcomes(summary.pop("RAND")) == (None, None, None)
    for row in summary.values():
        assert sum(outcomes(row)) == sum(outcomes(row, "significant_")) == 26


def test_cw488_sizes_as_told_in_the_text() -> None:
    average = {name: row["average"] for name, row in summary_of("size").items()}
    for criterion in ("EBP", "MDL", "RAND"):
        told = stated("cw488")[f"unpruned_over_{criterion}"]
        assert average["NOPRUNING"] / average[criterion] == pytest.approx(told, abs=0.055)


def test_cw488_times_lie_between_their_least_and_greatest() -> None:
    times = {(row["data_sets"], row["criterion"], row["statistic"]): row["value"] for row in read("cw488_times")}
    assert len(times) == 36
    for kind, criterion, _ in times:
        least, mean, most = (times[kind, criterion, statistic] for statistic in ("min", "average", "max"))
        assert least < mean < most


def test_cw488_rows_can_be_chosen() -> None:
    cells = cw488_cells("auc").of(["voting", "yeast"])
    assert cells.values.tolist() == [[98.2, 97.5, 98.3, 98.3, 97.6, 98.3], [80.1, 78.2, 78.2, 80.0, 79.1, 75.2]]
    assert cells.average_ranks()["BIC"] == (2 + 4.5) / 2
    assert cells.wins("BIC", "RAND") == (1, 0, 1)
    with pytest.raises(ValueError, match="The printed table has no 'weather'; it has australian credit"):
        cw488_cells("auc").of(["weather"])


# -- Ferri, Flach and Hernandez-Orallo ---------------------------------------------------------------------------------


def test_ferri_means_recomputed() -> None:
    cells = ferri_cells()
    assert cells.values.shape == (50, 4)
    checked = 0
    for row in read("ferri_means"):
        if row["measure"] == "auc" and row["split"] == "C4.5":
            group = cells.of(cells.data_sets[FERRI_GROUPS[row["data_sets"]]])
            means = group.averages() if row["mean"] == "arithmetic" else group.geometric_means()
            assert means[row["smoothing"]] == pytest.approx(row["value"], abs=HALF * 0.1), row
            checked += 1
    assert checked == 32


def test_ferri_means_of_all_sets_are_those_of_the_halves() -> None:
    """Of two groups of 25 sets each the geometric mean of all is that of the two means."""
    names = ("table", "split", "smoothing", "measure", "data_sets")
    means = {tuple(row[name] for name in names): row["value"] for row in read("ferri_means")}
    wholes = [key for key in means if key[-1] == "all"]
    assert len(wholes) == 12 + 8
    for *key, _ in wholes:
        halves = means[*key, "two-class"] * means[*key, "multi-class"]
        assert np.sqrt(halves) == pytest.approx(means[*key, "all"], abs=0.1)


def test_ferri_marks_are_counted() -> None:
    marks = [row["mark"] for row in read("ferri_smoothing") if row["smoothing"] == "m_branch"]
    printed = [row for row in read("wins") if row["paper"] == "ferri" and row["method"] == "m_branch"]
    assert len(printed) == 3
    for row in printed:
        counts = Counter(marks[FERRI_GROUPS[row["data_sets"]]])
        assert outcomes(row) == (counts["better"], counts[""], counts["worse"])


def test_ferri_marks_agree_with_the_cells() -> None:
    cells = ferri_cells()
    gains = cells.values[:, 3] - cells.values[:, 2]
    marks = np.array([row["mark"] for row in read("ferri_smoothing") if row["smoothing"] == "m_branch"])
    assert (gains[marks == "better"] >= 0).all()
    assert (gains[marks == "worse"] <= 0).all()


def test_ferri_means_of_the_text() -> None:
    means, told = ferri_cells().geometric_means(), stated("ferri")
    assert means["m_estimate"] == pytest.approx(told["auc_m_estimate"], abs=0.05)
    assert means["m_branch"] == pytest.approx(told["auc_m_branch"], abs=0.05)


def test_ferri_rarest_classes_are_whole_numbers_of_rows() -> None:
    rows = read("ferri_sets")
    assert [row["number"] for row in rows] == list(range(1, 51))
    assert all((row["n_classes"] == 2) == (row["number"] <= 25) for row in rows)
    for row in rows:
        cases = round(row["n_rows"] * row["percent_of_rarest_class"] / 100)
        assert 100 * cases / row["n_rows"] == pytest.approx(row["percent_of_rarest_class"], abs=0.0051), row


# -- Fierens et al. 2005 -----------------------------------------------------------------------------------------------


def test_f05_trees_are_as_large_as_the_definitions_say() -> None:
    """Pruning after growing prunes no more than while growing, BIC no more than MDL, and C4.4 not at all."""
    sizes = f05_cells("leaves")
    assert sizes.values.shape == (12, 7)
    column = dict(zip(sizes.methods, sizes.values.T, strict=True))
    for smaller, larger in (("MDLs", "MDLp"), ("BICs", "BICp"), ("MDLs", "BICs"), ("MDLp", "BICp")):
        assert (column[smaller] <= column[larger]).all()
    assert (sizes.values <= column["C4.4"][:, None]).all()


def test_f05_wins_agree_with_the_cells() -> None:
    """As many significant wins and losses as printed need as many differences of that sign."""
    cells = f05_cells("auc")
    groups = {"two-class": cells.data_sets[:7], "multi-class": cells.data_sets[7:], "all": cells.data_sets}
    n_classes = {row["data_set"]: row["n_classes"] for row in read("f05_sets")}
    assert all((n_classes[name] == 2) == (name in groups["two-class"]) for name in cells.data_sets)
    for row in read("wins"):
        if row["paper"] == "f05":
            group = cells.of(groups[row["data_sets"]])
            wins, _, losses = group.wins(row["method"], "C4.4")
            assert row["wins"] <= wins, row
            assert row["losses"] <= losses, row


def test_wins_of_all_sets_are_those_of_the_halves() -> None:
    names = ("paper", "method", "measure", "data_sets")
    wins = {tuple(row[name] for name in names): outcomes(row) for row in read("wins")}
    n_sets = {
        ("ferri", "two-class"): 25,
        ("ferri", "multi-class"): 25,
        ("f05", "two-class"): 7,
        ("f05", "multi-class"): 5,
    }
    whole = {("ferri", "all"): 50, ("f05", "all"): 12}
    assert all(sum(counts) == (n_sets | whole)[key[0], key[-1]] for key, counts in wins.items())
    checked = 0
    for *key, group in wins:
        halves = [wins.get((*key, half)) for half in ("two-class", "multi-class")]
        if group == "all" and all(halves):
            assert np.sum(halves, axis=0).tolist() == list(wins[*key, "all"])
            checked += 1
    assert checked == 5


def test_f05_spreads_are_printed_for_all_cells() -> None:
    assert all(0 <= row["sd"] < row["value"] for row in read("f05_results"))


# -- Oates and Jensen, Buntine -----------------------------------------------------------------------------------------


def test_oates_averages_are_those_of_the_model() -> None:
    told = stated("oates")
    for when, averages in paper_averages().items():
        digits = 0.001 if when == "before" else 0.01
        for n, average in averages.items():
            assert average == pytest.approx(told[f"{when}_{n}"], abs=digits / 2)


def test_buntine_sets_are_divided_in_whole() -> None:
    totals = {"LED": 3000, "pole": 1847, "glass": 214, "voting": 435, "hepatitis": 145}
    rows = read("buntine_results")
    assert len(rows) == 26
    assert all(row["n_train"] + row["n_test"] == totals[row["data_set"]] for row in rows)


def test_buntine_option_trees_are_best_as_the_text_says() -> None:
    rows = read("buntine_results")
    for experiment in {(row["data_set"], row["n_train"]) for row in rows}:
        group = [row for row in rows if (row["data_set"], row["n_train"]) == experiment]
        others = [row for row in group if not row["method"].endswith("option trees")]
        for measure in ("error", "mse"):
            assert min(row[measure] for row in group) < min(row[measure] for row in others)


def test_buntine_s_mse_cannot_be_half_a_brier_score() -> None:
    """An answer of a tenth for each of ten digits has the Brier score .9, half of it is .45."""
    rows = [row for row in read("buntine_results") if row["data_set"] == "LED" and row["n_train"] == 100]
    assert len(rows) == 5
    assert all(0.45 < row["mse"] < 0.9 and row["error"] < 40 for row in rows)


# -- all ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("paper", "n"), [("cw488", 36), ("f05", 19), ("ferri", 15), ("oates", 8), ("buntine", 5)])
def test_conclusions(paper: str, n: int) -> None:
    found = conclusions(paper)
    assert len({conclusion.key for conclusion in found}) == len(found) == n
    assert all(conclusion.section and conclusion.statement.endswith(".") for conclusion in found)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match=r"There is no printed table 'cw489'; lab\.papers\.printed lists"):
        read("cw489")
    with pytest.raises(ValueError, match=r"The printed table has no 'accuracy'; it has size, auc, cll\."):
        cw488_cells("accuracy")
    with pytest.raises(ValueError, match=r"The printed table has no 'c45'; it has cw488, ferri, oates, f05, buntine\."):
        conclusions("c45")
