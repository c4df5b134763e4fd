"""The reproduction of CW488: its tables beside the paper's, and pages of small data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from tests.experiments.made import made_summary
from tests.reproduction.cw488_printed import CRITERIA, Printed
from tests.reproduction.marks import needs_data

from petree.evaluation.pages import Heading, Picture
from petree.evaluation.tables import Table
from petree.experiments.data import DataSet
from petree.experiments.measuring import measure
from petree.experiments.methods import Method
from petree.experiments.summary import Summary
from petree.experiments.trials import cross_validated
from petree.reproduction.cw488 import classes, page, protocol, skew, tables, when
from petree.reproduction.datasets import CW488, load
from petree.reproduction.generators import led7, waveform21, xd6
from petree.reproduction.printed import conclusions, cw488_cells, read, stated
from petree.reproduction.setting import Setting


@pytest.fixture(scope="module")
def printed() -> Summary:
    return Printed().summary()


def cells_of(table: Table) -> dict[str, list[str]]:
    return {row[0]: list(row[1:]) for row in table.rows}


# -- Table 1 -----------------------------------------------------------------------------------------------


@needs_data
def test_the_data_are_those_of_table_1() -> None:
    table = tables.table_1([load(name) for name in CW488])
    assert [row[0] for row in table.rows] == list(CW488)
    for name, rows, n_classes, tests in table.rows:
        assert rows.endswith("(=)"), name
        assert n_classes.endswith("(=)"), name
        assert tests.endswith("(=)"), name
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
def test_sizes_are_alike_within_a_share_or_one_node(plus: float, times: float, is_alike: Callable[[float], bool]) -> None:
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
    """It may have to compile."""
    clock, takes = [0.0], [60.0, 2.0]

    class Learner:
        def fit(self, X: object, y: object) -> None:
            clock[0] += takes.pop(0)

    monkeypatch.setattr(tables, "time", SimpleNamespace(perf_counter=lambda: clock[0]))
    method = SimpleNamespace(make=lambda seed: Learner())
    assert tables.seconds_of(method, xd6(10, 0)) == 2.0  # type: ignore[arg-type]


def test_sizes_are_compared_in_every_fold() -> None:
    sizes = {"MDL": [[1, 2], [3, 4]], "BIC": [[1, 3], [2, 5]], "NOPRUNING": [[9, 9], [9, 3]]}
    summary = made_summary({("voting", name): {"inner_nodes": found} for name, found in sizes.items()})
    assert tables.compare_sizes(summary, "BIC", "MDL") == (4, 1)
    assert tables.figure_3(summary).rows == [
        ["NOPRUNING at least as large as MDL", "4", "1"],
        ["NOPRUNING at least as large as BIC", "4", "1"],
        ["BIC at least as large as MDL", "4", "1"],
    ]


# -- pages of small data -----------------------------------------------------------------------------------


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> dict[str, DataSet]:
    """Small sets in the place of three flat ones and of the two that samples are drawn from."""
    sets = {
        "splice": replace(waveform21(200, 1), name="splice"),
        "voting": replace(xd6(80, 1), name="voting"),
        "soybean": replace(led7(120, 1), name="soybean"),
        "letter": replace(waveform21(300, 2), name="letter"),
        "adult": replace(xd6(300, 2), name="adult"),
    }
    for module in (page, classes, skew):
        monkeypatch.setattr(module, "load", lambda name, prepared: sets[name])
    monkeypatch.setattr(page, "CW488", ("splice", "voting", "soybean"))
    monkeypatch.setattr(classes, "CLASSES", (2, 3))
    monkeypatch.setattr(classes, "stated", lambda paper: {"diterpenes_examples": 150})
    monkeypatch.setattr(skew, "RARE", "1")
    monkeypatch.setattr(skew, "N_ROWS", 100)
    monkeypatch.setattr(skew, "SHARES", (0.5, 0.1))
    return sets


def mean_of(method: Method, data: DataSet, name: str) -> float:
    """Over 2 x 5-fold cross-validation."""
    return float(np.mean([measure(method, trial, trial.part.run)[name] for trial in cross_validated([data], 2, 5)]))


def test_criteria_are_those_of_the_printed_tables() -> None:
    assert tuple(method.name for method in protocol.methods()) == CRITERIA
    assert {method.estimator.binning for method in protocol.methods()} == {"entropy"}


def test_while_growing_and_after_are_told_apart() -> None:
    found = {method.name: method.estimator.pruning.when for method in when.methods()}
    assert found == {
        name: "pre" if name.endswith(" pre") else "post"
        for criterion in ("RAND", "MDL", "BIC", "CHI")
        for name in (criterion, f"{criterion} pre")
    }


def test_samples_have_the_same_rows_in_all_numbers_of_classes(made: dict[str, DataSet], tmp_path: Path) -> None:
    part = classes.number_of_classes(Setting(tmp_path, quick=True, jobs=1, pictures=False))
    assert part.summary.data_sets == ("2 classes", "3 classes")
    assert part.summary.folds("auc", "2 classes", "RAND").shape == (2, 5)
    shown = [block for block in part.blocks if isinstance(block, Table)]
    assert [table.title.partition(": ")[2] for table in shown] == [
        "inner nodes",
        "AUC",
        "log likelihood relative to RAND's",
    ]
    assert {row[1] for row in shown[2].rows} == {"1.000"}
    likelihoods = part.summary.means("log_likelihood")
    assert shown[2].rows[1][6] == f"{likelihoods[1, 5] / likelihoods[1, 0]:.3f}"


def test_shares_of_a_class_are_those_asked_for(made: dict[str, DataSet], tmp_path: Path) -> None:
    part = skew.skewness(Setting(tmp_path, quick=True, jobs=1, pictures=False))
    assert part.summary.data_sets == ("50% 1", "10% 1")
    assert part.summary.folds("auc", "10% 1", "MDL").shape == (2, 5)
    assert len([block for block in part.blocks if isinstance(block, Table)]) == 3


def test_after_growing_is_counted_beside_the_paper() -> None:
    larger = {"RAND": [[2, 2]], "RAND pre": [[1, 1]]}
    same = {f"{name}{ending}": [[1, 1]] for name in ("MDL", "BIC", "CHI") for ending in ("", " pre")}
    sizes = larger | same
    seconds = {name: [[1.0 if name.endswith("pre") else 3.0] * 2] for name in sizes}
    summary = made_summary(
        {("voting", name): {"inner_nodes": sizes[name], "seconds": seconds[name]} for name in sizes}
    )
    rows = cells_of(when.counts_table(summary))
    assert rows["RAND"] == ["1 of 1 (16 of 26)", "0/1/0", "0/1/0", "3.00 (2.0)"]
    assert rows["BIC"][0] == f"0 of 1 ({stated('cw488')['larger_when_post_BIC']:.0f} of 26)"


def test_the_page_shows_what_the_folds_give(made: dict[str, DataSet], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    setting = Setting(tmp_path, quick=True, jobs=1)
    found = page.page(setting, "petree reproduce cw488 --quick")
    text = found.to_markdown()
    assert "2 x 5-fold stratified cross-validation, seed 0." in text
    assert "`petree reproduce cw488 --quick`" in text
    for conclusion in conclusions("cw488"):
        assert conclusion.statement in text
    shown = {block.title: block for block in found.blocks if isinstance(block, Table)}
    auc = cells_of(shown["Table 3: AUC, percent"])["splice"]
    for method, cell in zip(protocol.methods(), auc, strict=True):
        assert f"{100 * mean_of(method, made['splice'], 'auc'):.1f} (" in cell
    sizes = cells_of(shown["Learning curve of splice: Log likelihood, bits a case"])
    assert list(sizes)[:4] == [f"splice, {n} rows" for n in (20, 40, 80, 160)]
    assert len(shown["Figure 3: sizes in every fold"].rows) == 6
    assert shown["Figure 3: sizes in every fold"].rows[0][1:] == ["30", "0"]
    pictures = [block.name for block in found.blocks if isinstance(block, Picture)]
    assert pictures == ["cw488-curve-splice.png", "cw488-classes.png"]
    headings = [block.text for block in found.blocks if isinstance(block, Heading)]
    assert headings[0] == "Conclusions"
    assert headings[-1] == "Section 5.3.1: skewness"


def test_the_page_goes_on_where_it_stopped(made: dict[str, DataSet], tmp_path: Path) -> None:
    setting = Setting(tmp_path, quick=True, jobs=1, pictures=False)
    page.page(setting, "petree reproduce cw488")
    kept = {file: file.read_bytes() for file in tmp_path.glob("*.csv")}
    assert sorted(file.stem for file in kept) == ["cw488", "cw488-classes", "cw488-curves", "cw488-skew", "cw488-when"]
    again = page.page(setting, "petree reproduce cw488")
    assert {file: file.read_bytes() for file in tmp_path.glob("*.csv")} == kept
    assert not [block for block in again.blocks if isinstance(block, Picture)]
