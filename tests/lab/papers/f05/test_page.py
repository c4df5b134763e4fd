"""The reproduction of F05: its tables, its conclusions, and a page of small data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray
from scipy.stats import ttest_rel
from tests.lab.experiments.made import made_summary
from tests.lab.papers.cells import cells_of
from tests.lab.papers.marks import needs_data

from lab.experiments.data import DataSet
from lab.experiments.measuring import measure
from lab.experiments.report.pages import Page, Picture
from lab.experiments.report.tables import Table
from lab.experiments.summary import Summary
from lab.papers.data.datasets import F05, load
from lab.papers.data.generators import led7, rand30, waveform40
from lab.papers.f05 import gaps
from lab.papers.f05 import page as f05
from lab.papers.f05.controlled import PENALTIES
from lab.papers.f05.verdicts import paired, record, verdicts
from lab.papers.printed import conclusions, f05_cells, read, stated
from lab.papers.setting import PaperSetting

METHODS = f05_cells("auc").methods
CELLS = {(row["measure"], row["data_set"], row["approach"]): (row["value"], row["sd"]) for row in read("f05_results")}
STOPPING = ("MDLs", "BICs", "Chi")
ALL = f05_cells("auc").data_sets
UNCHANGED: Mapping[str, float] = {}


def spread(seed: int) -> NDArray[np.float64]:
    """Ten values of deviation 1, nearly, whose mean is 0 exactly, so that equal means stay equal."""
    values = np.random.default_rng(seed).normal(size=10)
    values = np.round((values - values.mean()) / values.std(ddof=1) * 256) / 256
    values[-1] -= values.sum()
    return values.reshape(1, 10)


def as_printed(plus: Mapping[str, float] = UNCHANGED, sets: Sequence[str] = F05, names: Sequence[str] = F05) -> Summary:
    """Folds that have the printed means and nearly the printed deviations.

    Those that stop while growing are faster by the least factor of the text. A key of `plus` is a measure and the name
    of an approach; the value is added on these sets. `names` are all sets.
    """
    values: dict[tuple[str, str], dict[str, ArrayLike]] = {}
    for name in names:
        for place, approach in enumerate(METHODS):
            found = {}
            for key, factor in (("auc", 100), ("leaves", 1)):
                mean, deviation = CELLS[key, name, approach]
                mean += plus.get(f"{key} {approach}", 0.0) * (name in sets)
                found[key] = (mean + deviation * spread(place)) / factor
            seconds = 1 / stated("f05")["faster_least"] if approach in STOPPING else 1.0
            found["seconds"] = np.full((1, 10), seconds + plus.get(f"seconds {approach}", 0.0))
            values[name, approach] = found
    return made_summary(values)


@pytest.fixture(scope="module")
def printed() -> Summary:
    return as_printed()


# -- protocol ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n_rows", "runs", "folds"), [(499, 5, 3), (500, 1, 10)])
def test_small_sets_are_divided_more_often(n_rows: int, runs: int, folds: int) -> None:
    trials = list(f05.trials_of(rand30(n_rows, 0), PaperSetting(Path())))
    assert [(trial.part.run, trial.part.fold) for trial in trials] == [*np.ndindex(runs, folds)]
    tested = Counter(row for trial in trials for row in trial.part.test.tolist())
    assert set(tested.values()) == {runs}
    assert len(tested) == n_rows


def test_approaches_are_those_of_the_printed_tables() -> None:
    assert tuple(method.name for method in f05.methods()) == METHODS
    assert {method.estimator.binning.max_thresholds for method in f05.methods(3)} == {3}
    assert {method.estimator.binning for method in f05.methods()} == {"entropy"}


# -- Tables 1 and 2 ----------------------------------------------------------------------------------------


def test_data_stand_beside_table_1() -> None:
    voting = DataSet("voting", {"x": np.arange(4.0)}, np.array(["a", "b"] * 2, object))
    assert f05._table_1([voting]).rows == [["voting", "4 (435)", "2 (2)", "3 (16)"]]


@needs_data
def test_our_data_are_nearly_those_of_table_1() -> None:
    printed = {row["data_set"]: (row["n_rows"], row["n_classes"]) for row in read("f05_sets")}
    for name in F05:
        data = load(name, prepared=False)
        assert data.n_rows == printed[name][0]
        assert abs(data.n_classes - printed[name][1]) <= 1, name


@pytest.mark.parametrize(("name", "decimals"), [("auc", 1), ("leaves", 0)])
def test_the_papers_own_results_differ_in_nothing(printed: Summary, name: str, decimals: int) -> None:
    rows = cells_of(f05._table_2(printed, name))
    assert list(rows) == list(F05)
    for data_set, cells in rows.items():
        values = [CELLS[name, data_set, approach][0] for approach in METHODS]
        assert [cell.lstrip("●○ ") for cell in cells] == [f"{value:.{decimals}f} (=)" for value in values]
        assert not set(cells[0]) & set("●○")


def test_marks_are_those_of_scipys_paired_test(printed: Summary) -> None:
    """Fewer leaves are better."""
    seen = set()
    for key in ("auc", "leaves"):
        for data_set, cells in cells_of(f05._table_2(printed, key)).items():
            for approach, cell in list(zip(METHODS, cells, strict=True))[1:]:
                own, reference = (printed.folds(key, data_set, one).ravel() for one in (approach, "C4.4"))
                test = ttest_rel(own, reference)
                assert paired(printed, key, data_set, approach).p == pytest.approx(test.pvalue)
                is_better = (test.statistic > 0) == (key == "auc")
                mark = ("●" if is_better else "○") if test.pvalue < 0.05 else ""
                assert cell.startswith(mark)
                assert cell[0].isdigit() == (not mark)
                seen.add(mark)
    assert seen == {"●", "○", ""}


def test_a_difference_is_ours_less_the_papers() -> None:
    changed = as_printed({"auc C4.4": -2.0, "leaves C4.4": 3.0})
    paper = CELLS["auc", "yeast", "C4.4"][0], CELLS["leaves", "yeast", "C4.4"][0]
    assert cells_of(f05._table_2(changed, "auc"))["yeast"][0] == f"{paper[0] - 2:.1f} ({paper[0]:.1f}, -2.0)"
    assert cells_of(f05._table_2(changed, "leaves"))["yeast"][0] == f"{paper[1] + 3:.0f} ({paper[1]:.0f}, +3)"


# -- conclusions -------------------------------------------------------------------------------------------

# Few and many classes, as Figure 1 is described; AUC and leaves.
MERGED = {
    name: ((0.91, 0.7), (10.0, 2.0)) if name in PENALTIES else ((0.92, 0.91), (40.0, 39.0)) for name in METHODS
}  # fmt: skip
WITHOUT_TREND = dict.fromkeys(METHODS, (0.8, 0.82, 0.81, 0.83, 0.82)) | {"C4.4": (0.8, 0.81, 0.82, 0.8, 0.81)}
UP = (0.7, 0.75, 0.8, 0.85, 0.9)


def made_merged(**changes: tuple[tuple[float, float], tuple[float, float]]) -> Summary:
    means = MERGED | {name.replace("C4_", "C4."): found for name, found in changes.items()}
    return made_summary(
        {
            (classes, name): {"auc": [[auc[place]] * 2], "leaves": [[leaves[place]] * 2]}
            for place, classes in enumerate(("3 classes", "19 classes"))
            for name, (auc, leaves) in means.items()
        }
    )


def made_tests(auc: Mapping[str, Sequence[float]]) -> Summary:
    numbers = range(len(WITHOUT_TREND["Chi"]))
    means = WITHOUT_TREND | dict(auc)
    return made_summary(
        {(f"{place} thresholds", name): {"auc": [[means[name][place]] * 2]} for place in numbers for name in METHODS}
    )


def judged(**parts: Summary) -> dict[str, bool | None]:
    usual = {"summary": as_printed(names=ALL), "merged": made_merged(), "tests": made_tests({})}
    return {key: verdict.holds for key, verdict in verdicts(**(usual | parts), rows={}).items()}


def test_the_papers_results_make_its_conclusions_hold() -> None:
    """All but those on relational data."""
    found = judged()
    keys = {conclusion.key for conclusion in conclusions("f05")}
    assert keys - set(found) == {"rows_hiv", "rows_hiv_alike", "rows_trains", "rows_trains_alike"}
    assert set(found) <= keys
    assert [key for key, holds in found.items() if holds is not True] == []


@pytest.mark.parametrize(
    ("key", "plus", "sets"),
    [
        ("stopping_faster", {"seconds Chi": 0.5}, ALL),
        ("stopping_faster", {"seconds C4.5": -0.9}, ALL),
        ("c44_best", {"auc C4.4": -4.0}, ALL),
        ("c44_best", {"auc C4.5": -4.0}, ALL),
        ("c45_smaller", {"leaves C4.5": 20.0}, ["voting"]),
        ("mdl_chi_worse", {"auc MDLp": 40.0}, ALL),
        ("mdl_chi_worse", {"auc Chi": 4.0}, ALL),
        ("mdl_chi_smaller", {"leaves MDLs": 30.0}, ["audiology"]),
        ("bic_two_classes", {"auc BICs": -10.0}, ["voting"]),
        ("bic_two_classes", {"leaves BICp": 10.0}, ["voting"]),
        ("bic_many_classes", {"auc BICp": 40.0}, ALL),
    ],
)
def test_other_results_make_them_fail(key: str, plus: Mapping[str, float], sets: Sequence[str]) -> None:
    assert judged(summary=as_printed(plus, sets, ALL))[key] is False


@pytest.mark.parametrize(
    ("key", "part", "make"),
    [
        ("merged_penalties", "merged", lambda: made_merged(BICs=((0.9, 0.9), (10.0, 2.0)))),
        ("merged_penalties", "merged", lambda: made_merged(BICs=((0.9, 0.7), (10.0, 20.0)))),
        ("merged_penalties", "merged", lambda: made_merged(C4_5=((0.92, 0.6), (40.0, 40.0)))),
        ("merged_others", "merged", lambda: made_merged(Chi=((0.92, 0.89), (40.0, 40.0)))),
        ("merged_others", "merged", lambda: made_merged(Chi=((0.92, 0.92), (40.0, 20.0)))),
        ("merged_alike", "merged", lambda: made_merged(MDLp=((0.9, 0.75), (10.0, 2.0)))),
        ("tests_no_trend", "tests", lambda: made_tests({"MDLp": UP, "C4.4": (0.8,) * 5})),
        ("tests_no_trend", "tests", lambda: made_tests({"MDLp": UP[::-1], "C4.4": (0.8,) * 5})),
    ],
)
def test_other_experiments_make_them_fail(key: str, part: str, make: Callable[[], Summary]) -> None:
    assert judged(**{part: make()})[key] is False


def test_wins_are_those_of_the_paired_test(printed: Summary) -> None:
    assert record(printed, "C4.4", F05) == (0, len(F05), 0)
    assert record(printed, "MDLs", ["audiology", "pen digits"]) == (0, 0, 2)


# -- the page ----------------------------------------------------------------------------------------------


class Small(NamedTuple):
    """Small sets in the place of two flat ones, of soybean and of vehicle; the setting, the page."""

    sets: dict[str, DataSet]
    setting: PaperSetting
    page: Page


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Small]:
    pytest.importorskip("matplotlib")
    waves = waveform40(90, 1)
    few = replace(waves, columns={name: waves.columns[name] for name in ("x7", "x11", "x15")})
    sets = {"voting": rand30(60, 1), "audiology": led7(70, 2), "yeast": few, "soybean": led7(100, 1), "vehicle": few}
    sets = {name: replace(data, name=name) for name, data in sets.items()}
    with pytest.MonkeyPatch.context() as patch:
        for module in (f05, gaps):
            patch.setattr(module, "load", lambda name, prepared: sets[name])
        chosen = {"F05": ("voting", "yeast"), "RELATIONAL": (), "CLASSES": (3, 5), "THRESHOLDS": (1, 3)}
        for name, value in chosen.items():
            patch.setattr(f05, name, value)
        setting = PaperSetting(tmp_path_factory.mktemp("results"), jobs=1)
        yield Small(sets, setting, f05.page(setting, "python -m lab.reproduce f05"))


def test_the_page_shows_what_the_folds_give(small: Small) -> None:
    shown = {block.title: block for block in small.page.blocks if isinstance(block, Table)}
    cells = cells_of(shown["Table 2: AUC, percent"])["yeast"]
    for method, cell in list(zip(f05.methods(), cells, strict=True))[::3]:
        trials = f05.trials_of(small.sets["yeast"], PaperSetting(Path()))
        expected = 100 * np.mean([measure(method, trial, trial.part.run)["auc"] for trial in trials])
        assert f"{expected:.1f} (" in cell
    assert list(cells_of(shown["Merged classes: AUC (one-vs-rest)"]))[:2] == ["3 classes", "5 classes"]
    assert list(cells_of(shown["Candidate tests: Leaves"]))[:2] == ["1 thresholds", "3 thresholds"]
    text = small.page.to_markdown()
    for conclusion in conclusions("f05"):
        assert conclusion.statement in text
    assert text.count("needs the relational data") == 5
    assert [block.name for block in small.page.blocks if isinstance(block, Picture)] == ["f05-classes.png"]


def test_the_page_goes_on_where_it_stopped(small: Small) -> None:
    kept = {file: file.read_bytes() for file in small.setting.folder.glob("*.csv")}
    assert sorted(file.stem for file in kept) == ["f05", "f05-classes", "f05-tests"]
    again = f05.page(replace(small.setting, pictures=False), "python -m lab.reproduce f05")
    assert {file: file.read_bytes() for file in small.setting.folder.glob("*.csv")} == kept
    assert not [block for block in again.blocks if isinstance(block, Picture)]
