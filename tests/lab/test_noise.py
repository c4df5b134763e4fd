"""The benchmark of trees on data without structure."""

import re

import numpy as np
import pytest
from rich.console import Console

from lab.noise import run as noise
from lab.noise.page import PANELS, UNPRUNED, Page
from lab.noise.reading import doubt, growth, judge, kind_of, read, share_split
from lab.noise.run import CONTENDERS, NewCases, fits, inner_nodes, measure
from lab.pages import show
from lab.pruning.contenders import Contender
from petree.pruning import MEMBERS

ROWS = (250, 1000, 4000)


def sizes_of(factor, power):
    """Two tables of each size, one a little smaller and one a little larger than factor * N^power."""
    return {n: [round(factor * n**power) - 1, round(factor * n**power) + 1] for n in ROWS}


NOTHING = {n: [0, 0, 0] for n in ROWS}
SIZES = {
    "none": sizes_of(0.3, 1),
    "error_based": sizes_of(0.2, 1),
    "reduced_error": sizes_of(0.1, 1),
    "reduced_error, alpha 0.5": sizes_of(0.2, 0.5),
    "reduced_error, fresh sets": NOTHING,
    "quinlan_rivest": NOTHING,
    "bic": {250: [8, 12], 1000: [2, 4], 4000: [0, 1]},
    "rand": sizes_of(0.01, 1.05),
    "rand, corrected": {250: [0, 0, 7], 1000: [0, 0, 0], 4000: [0, 0, 1]},
    "rand, pre": {250: [1] + [0] * 19, 1000: [0] * 20, 4000: [3, 1] + [0] * 18},
    "chi, pre": {250: [1, 1] + [0] * 8},
    "chi, corrected": {250: [0, 1, 1], 1000: [0, 0, 0], 4000: [0, 0, 0]},
}


def test_a_table_is_always_the_same_and_has_no_structure():
    X, y = NewCases(3, 400, 7)(400)
    again = NewCases(3, 400, 7)(400)
    assert np.array_equal(X, again[0])
    assert np.array_equal(y, again[1])
    assert X.shape == (400, 30)
    assert set(np.unique(X)) == {0.0, 1.0}
    assert 0.45 < X.mean() < 0.55
    assert 0.4 < y.mean() < 0.6
    make = NewCases(4)
    assert not np.array_equal(make(400)[0], make(400)[0]), "every call gives other cases"


def test_slow_criteria_get_fewer_tables_and_no_large_ones():
    quick, slow, small = (
        Contender("none", every=1),
        Contender("rand", every=3),
        Contender("chi", every=1, most_rows=10),
    )
    asked = list(fits([quick, slow, small], {10: 4, 20: 2}))
    assert [(n, number) for n, number, one in asked if one is quick] == [
        (10, 0),
        (20, 0),
        (10, 1),
        (20, 1),
        (10, 2),
        (10, 3),
    ]
    assert [(n, number) for n, number, one in asked if one is slow] == [(10, 0), (20, 0), (10, 3)]
    assert [(n, number) for n, number, one in asked if one is small] == [(10, 0), (10, 1), (10, 2), (10, 3)]


def test_tables_are_fewer_where_they_are_large():
    assert noise.parse([]).tables == {250: 300, 1000: 300, 4000: 300, 16_000: 75}
    assert noise.parse(["--quick"]).tables == {250: 40, 1000: 40}
    assert noise.parse(["--rows", "50", "20", "--tables", "3"]).tables == {20: 3, 50: 3}


def test_every_contender_is_a_criterion_and_has_one_place_in_the_figure():
    contenders = {one.member for one in CONTENDERS}
    assert contenders <= set(MEMBERS)
    assert len({one.name for one in CONTENDERS}) == len(CONTENDERS)
    shown = [UNPRUNED, *(member for members in PANELS.values() for member in members)]
    assert sorted(shown) == sorted(contenders)


def test_a_criterion_that_fails_is_left_out_and_named():
    contenders = [Contender("none", every=1), Contender("rand", {"nonsense": 1}, every=1)]
    sizes, failures = measure(contenders, {40: 2}, Console(quiet=True))
    assert sizes == {"none": {40: [inner_nodes(contenders[0], 40, number) for number in range(2)]}}
    [failure] = failures
    assert failure.startswith("rand is left out, because it failed on table 0 of 40 cases: TypeError")


@pytest.mark.parametrize("name", ["reduced_error", "reduced_error, fresh sets", "sampled, error_based", "rand, pre"])
def test_pruned_trees_are_no_larger_than_grown_ones(name):
    contenders = {one.name: one for one in CONTENDERS}
    most = inner_nodes(contenders["none"], 120, 0)
    assert 0 <= inner_nodes(contenders[name], 120, 0) < most


@pytest.mark.parametrize(("factor", "power"), [(0.3, 1.0), (2.0, 0.5), (400.0, -0.25)])
def test_growth_finds_the_power(factor, power):
    assert growth(sizes_of(factor, power)) == pytest.approx(power, abs=0.01)


def test_small_trees_have_no_growth():
    assert growth({250: [0, 0, 1], 1000: [0, 1, 1]}) is None
    assert growth({250: [5, 5]}) is None


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("error_based", "linear"),
        ("reduced_error, alpha 0.5", "slow"),
        ("quinlan_rivest", "small"),
        ("bic", "shrinking"),
        ("rand", "linear"),
        ("rand, pre", "small"),
    ],
)
def test_criteria_are_told_apart_by_their_growth(name, kind):
    assert kind_of(SIZES[name]) == kind


def test_faster_growth_than_linear_is_called_fast():
    assert kind_of(sizes_of(0.001, 1.5)) == "fast"


def test_large_trees_of_a_few_tables_are_no_growth():
    assert kind_of({250: [1, 1, 1], 1000: [0, 1, 30]}) == "uneven"
    assert kind_of({250: [1, 1, 1], 1000: [6, 7, 30]}) == "fast"


def test_what_was_expected_is_judged_by_what_was_found():
    words = {re.split(" (?:grows|stays|splits|leaves) ", verdict.bar)[0]: verdict for verdict in judge(SIZES)}
    assert {name: verdict.word for name, verdict in words.items()} == {
        "error_based": "holds",
        "reduced_error": "holds",
        "quinlan_rivest": "does not hold",
        "reduced_error, alpha 0.5": "does not hold",
        "reduced_error, fresh sets": "holds",
        "rand, pre": "holds",
        "chi, pre": "does not hold",
        "rand": "holds",
        "chi": "not measured",
        "rand, corrected": "holds",
        "chi, corrected": "does not hold",
    }
    assert words["quinlan_rivest"].measured == "inner nodes 0.0 / 0.0 / 0.0 in the mean"
    assert words["rand, pre"].measured == "5.0% of all, 5 / 0 / 10% at each N"
    assert words["chi, corrected"].measured == "medians 1 / 0 / 0, means 0.7 / 0.0 / 0.0"


def test_the_sentences_name_every_criterion_once():
    lines = read(SIZES)
    kinds = [line for line in lines if not line.startswith(("Roots", "Other cases"))]
    named = [part.partition(" (")[0] for line in kinds for part in line.partition(": ")[2].rstrip(".").split("; ")]
    assert sorted(named) == sorted(SIZES)
    assert any(
        line.startswith("Inner nodes grow in proportion to N") and "reduced_error (1.00)" in line for line in lines
    )
    roots = "rand while growing 5.0%, after it 100.0%, after it and corrected 22.2%"
    assert f"Roots that are split, over all N: {roots}." in lines
    assert any("reduced_error, alpha 0.5 3% of reduced_error;" in line for line in lines)


def test_what_does_not_hold_has_its_reasons_beside_it():
    more = {"reduced_error, alpha 0.1": NOTHING, "quinlan_rivest, c 3": sizes_of(0.1, 1)}
    overlap, code = doubt(SIZES | more)
    assert "smaller, and they are, by 97% at the largest N" in overlap
    assert overlap.endswith("With a tenth of the cases inner nodes are 0.0 / 0.0 / 0.0 in the mean.")
    assert code.startswith("quinlan_rivest: a test is 1 + log2 30 = 5.9 bits")
    assert code.endswith("inner nodes are 25.0 / 100.0 / 400.0 in the mean, exponent 1.00.")
    as_expected = {"reduced_error, alpha 0.5": NOTHING, "quinlan_rivest": sizes_of(0.1, 1)}
    assert doubt(SIZES | more | as_expected) == []


def test_the_same_test_before_and_after_growing_may_go_by_two_names():
    found = {"permutation": {250: [0, 0, 1, 0]}, "permutation, stumps": {250: [5, 6]}}
    assert "Roots that are split, over all N: permutation while growing 25.0%, after it 100.0%." in read(found)


def test_without_results_there_is_nothing_to_say():
    assert read({}) == doubt({}) == []
    assert {verdict.word for verdict in judge({})} == {"not measured"}


def test_shares_are_over_all_tables():
    assert share_split([0, 3], [0, 0, 0, 1, 0, 0]) == 25


def test_the_page_has_the_figure_the_tables_and_what_they_say(tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "noise.md"
    show(Page(SIZES, ["chi is left out."], "a command").report(), path)
    text = path.read_text()
    assert "by `a command`" in text
    assert "![Inner nodes by number of cases](noise.png)" in text
    assert (tmp_path / "noise.png").stat().st_size > 10_000
    assert "- chi is left out." in text
    assert "| error_based | 50 (50.0) | 200 (200.0) | 800 (800.0) | 1.00 | 2 / 2 / 2 |" in text
    assert "| rand, pre | 5% | 0% | 10% |" in text
    assert "| chi, pre | 20% |  |  |" in text


def test_a_run_writes_the_page(tmp_path, monkeypatch):
    chosen = [one for one in CONTENDERS if one.name in ("none", "mdl, pre")]
    monkeypatch.setattr(noise, "CONTENDERS", chosen)
    page = tmp_path / "page.md"
    noise.main(["--rows", "40", "80", "--tables", "4", "--page", str(page)])
    lines = page.read_text().splitlines()
    [none] = [line for line in lines if line.startswith("| none | ") and "/" in line]
    assert none.endswith("| 1 / 1 |")
    assert any(line.startswith("| mdl, pre |") and line.endswith("| 4 / 4 |") for line in lines)
