"""Tables of results beside those of the paper."""

from __future__ import annotations

from itertools import product

import pytest
from tests.lab.papers.buntine.made import NAMES, PRINTED, priors_of, summary_of, times_of
from tests.lab.papers.cells import cells_of

from lab.papers.buntine import apart, priors, samples, tables
from lab.papers.buntine.measures import BRIER, ERROR, gains, values
from lab.papers.buntine.protocol import OPTIONS, OTHERS


def test_measures_are_in_percent_and_gains_above_0_are_better() -> None:
    summary = summary_of(PRINTED)
    assert values(summary, ERROR, "glass", "C4-early").mean() == pytest.approx(36.2)
    assert gains(summary, ERROR, "glass", "2-ply option trees", "C4-early").mean() == pytest.approx(5.7)
    assert gains(summary, BRIER, "glass", "2-ply option trees", "C4-early").mean() == pytest.approx(0.16)


def test_the_papers_own_results_differ_in_nothing() -> None:
    printed = tables.printed_cells()
    assert len(printed) == 19
    rows = cells_of(tables.table_1(summary_of(PRINTED), times_of(20)))
    assert len(rows) == 30
    for problem, method in product(NAMES, (*OTHERS, *OPTIONS)):
        error, _, brier, seconds = rows[f"{problem}: {method}"]
        is_printed = (problem, method) in printed
        assert error.endswith("(=)") == brier.endswith("(=)") == ("(" in seconds) == is_printed
    assert rows["hepatitis: CART-like"][3] == "0.006 + 0.004 (4.2 + 0.1)"


def test_a_difference_is_ours_less_the_papers() -> None:
    cells = PRINTED | {("glass", "C4-early"): (38.0, 0.61)}
    rows = cells_of(tables.table_1(summary_of(cells), times_of(1)))
    assert rows["glass: C4-early"][:3] == ["38.0 (36.2, +1.8)", "0.1 (4.3, -4.2)", "0.61 (0.59, +0.02)"]


def test_predicted_accuracy_stands_beside_the_true_one() -> None:
    rows = cells_of(tables.predicted_table(summary_of(PRINTED)))
    assert rows["voting"][0] == "92.7 (87.7, +5.0)"


def test_option_trees_are_marked_where_they_differ_significantly() -> None:
    cells = PRINTED | {("voting", "CART-like"): (9.0, 0.22)}
    rows = cells_of(tables.against_table(summary_of(cells), ERROR))
    assert rows["voting: 1-ply option trees"][:2] == ["-1.4 ○", "+2.5 ●"]
    equal = PRINTED | {("voting", "CART-like"): PRINTED["voting", "1-ply option trees"]}
    assert cells_of(tables.against_table(summary_of(equal), BRIER))["voting: 1-ply option trees"][0] == "+0.000"


def test_contributions_are_means_over_the_problems() -> None:
    cells = {
        (problem, apart.name(part, plies)): (20.0 - 2 * (part == "options") - place * (plies == 2), 0.3)
        for (place, problem), plies, part in product(enumerate(NAMES), apart.PLIES, apart.PARTS)
    }
    rows = cells_of(apart.changes_table(summary_of(cells)))
    assert rows["options beside smoothing, 1 ply"] == ["+2.0", "0.0", "5/0/0", "+0.000", "0.000", "0/5/0"]
    assert rows["a second ply, smoothed"][:3] == ["+2.0", "0.0", "4/1/0"]
    table = cells_of(apart.cells_table(summary_of(cells), ERROR))
    assert table["mean"][:4] == ["20.0", "20.0", "20.0", "18.0"]


def test_spreads_are_the_worst_prior_less_the_best() -> None:
    summary = priors_of(smoothed=4.0, options=1.0)
    rows = cells_of(priors.spread_table(summary))
    assert rows["glass"] == ["4.0", "1.0", "0.040", "0.010", "1.3", "0.3", "0.013", "0.003"]
    assert priors.papers_types("hepatitis") == [("I", "2"), ("II", "2")]
    assert priors.options_ahead(summary) == (80, 80)
    assert cells_of(priors.priors_table(summary))["IV, alpha C"] == ["34.0", "31.0", "0.540", "0.410"]


def test_samples_of_led_stand_beside_the_paper() -> None:
    names = [f"LED 900, sample {place}" for place in (1, 2)]
    cells = {(name, method): (27.0 + place, 0.45) for place, name in enumerate(names) for method in samples.SHOWN}
    rows = cells_of(samples.samples_table({"LED 900": summary_of(cells)}))
    assert rows["LED 900: CART-like"] == ["27.5 (28.8, -1.3)", "27.0 to 28.0", "0.1 (0.6, -0.5)", "0.45 (=)"]
