"""The relational rows of CW488 and F05, on small generated trains."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from tests.lab.experiments.made import made_summary
from tests.lab.papers.cells import cells_of
from tests.lab.papers.marks import needs_data

from lab.experiments.measuring import measure
from lab.experiments.methods import Method
from lab.experiments.relational import RelationalDataSet
from lab.experiments.report.pages import Block, Heading, Picture, Points
from lab.experiments.report.tables import Table
from lab.experiments.trials import Trial
from lab.papers.cw488 import page as cw488
from lab.papers.cw488 import protocol, related, skew
from lab.papers.data import relational_sets
from lab.papers.data.generators import goes_east_by_four, rand30, trains, trains_database, waveform40
from lab.papers.data.relational_sets import NOTES, READERS, Sets, at_hand, best_table, count_root_tests, said_of
from lab.papers.f05 import page as f05
from lab.papers.f05 import rows
from lab.papers.f05.protocol import RELATIONAL
from lab.papers.printed import cw488_cells, f05_cells, read
from lab.papers.setting import PaperSetting
from petree import RelationalTreeClassifier


def small_trains(name: str = "trains", n_trains: int = 90, seed: int = 1) -> RelationalDataSet:
    return RelationalDataSet.of(name, trains_database(n_trains, seed))


# -- trains in two tables ----------------------------------------------------------------------------------


def test_trains_have_the_cars_of_the_flat_table() -> None:
    flat, database = trains(200, 4), trains_database(200, 4)
    assert database.relation("car").n_rows == flat.n_rows
    assert database.keys("train").tolist() == list(range(1, 201))  # type: ignore[union-attr]
    for column in ("length", "shape", "roof", "load_shape"):
        assert database.labels(f"car.{column}").tolist() == flat.columns[column].tolist()


def test_a_tenth_of_the_trains_go_the_other_way() -> None:
    flat, database = trains(20_000, 2), trains_database(20_000, 2)
    goes_east = goes_east_by_four(flat.columns, 20_000)
    share = ((database.labels("train.class") == "east") != goes_east).mean()
    assert share == pytest.approx(0.1, abs=3 * np.sqrt(0.09 / 20_000))


def test_trees_find_most_of_the_rule_of_trains_in_many_leaves() -> None:
    data = small_trains(n_trains=2000)
    model = RelationalTreeClassifier(data.database, pruning="bic", smoothing="laplace", aggregates=()).fit(
        data.given(np.arange(data.n_rows)), data.y
    )
    goes_east = goes_east_by_four(trains(2000, 1).columns, 2000)
    assert ((model.predict(data.given(np.arange(data.n_rows))) == "east") == goes_east).mean() > 0.9
    assert model.get_n_leaves() > 12


# -- what is at hand ---------------------------------------------------------------------------------------


def test_every_set_has_a_note() -> None:
    assert set(NOTES) == set(READERS) >= {*protocol.RELATIONAL, *RELATIONAL, *related.VERSIONS}
    printed = {"cw488": cw488_cells("auc").data_sets, "f05": f05_cells("auc").data_sets}
    assert set(protocol.RELATIONAL) | set(related.VERSIONS.values()) < set(printed["cw488"])
    assert set(RELATIONAL) < set(printed["f05"])


def test_without_the_data_the_page_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PETREE_DATA", raising=False)
    sets = at_hand(["mutagenesis", "mutagenesis, ACE's language"])
    assert sets.found == []
    assert [sentence.partition(":")[0] for sentence in sets.missing] == [
        "mutagenesis is left out",
        "mutagenesis, ACE's language is left out",
    ]
    said = said_of(sets).sentences
    assert any("Set PETREE_DATA to a folder" in sentence for sentence in said)
    assert any("diterpenes is left out" in sentence for sentence in said)


def test_a_folder_without_the_sets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PETREE_DATA", str(tmp_path))
    sets = at_hand(["hiv", "mutagenesis, ACE's language"])
    assert sets.found == []
    assert "There is no" in sets.missing[0]


@needs_data
@pytest.mark.parametrize("name", ["biodegradability", "mutagenesis", "gene"])
def test_our_sets_are_those_of_table_1(name: str) -> None:
    """Examples, classes and the share of the rarest of two classes."""
    (data,) = at_hand([name]).found
    row = next(row for row in read("cw488_table1") if row["data_set"] == name)
    assert (data.n_rows, data.n_classes) == (row["rows"], row["classes"])
    if row["minority"] is not None:
        rarest = 100 * np.unique(data.y, return_counts=True)[1].min() / data.n_rows
        assert rarest == pytest.approx(row["minority"], abs=0.05)


@needs_data
def test_tests_at_the_root_in_aces_language() -> None:
    """ACE generates 47 refinements at the root of mutagenesis."""
    (data,) = at_hand(["mutagenesis, ACE's language"]).found
    assert count_root_tests(data) == 47


def test_tests_at_the_root_by_hand() -> None:
    """The values of text, and thresholds between two values of a number: two numbers of wheels, four of loads."""
    data = small_trains(n_trains=300)
    texts = ("length", "shape", "double", "roof", "load_shape")
    values = sum(len(set(data.database.labels(f"car.{column}").tolist())) for column in texts)
    exists, directions = 1, 2
    assert count_root_tests(data) == exists + values + directions * (1 + 3)


# -- the best AUC ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("plus", "n_near"), [(0.0, 2), (-3.9, 2), (-4.1, 1), (10.0, 2)])
def test_the_best_of_ours_beside_the_best_of_the_paper(plus: float, n_near: int) -> None:
    paper = cw488_cells("auc")
    values = {
        (name, method): {"auc": [[(paper.value(name, method) + plus * (name == "hiv")) / 100] * 2]}
        for name in ("hiv", "gene")
        for method in paper.methods
    }
    table = best_table(made_summary(values), paper)
    assert table.rows[0] == ["hiv", f"{76.1 + plus:.1f} (NOPRUNING)", "76.1 (NOPRUNING)", f"{plus:+.1f}"]
    assert table.rows[1][3] == "+0.0"
    assert f"on {n_near} of 2 sets" in table.note


def test_a_quick_run_leaves_the_slow_sets_out() -> None:
    sets = at_hand(["hiv", "gene"], quick=True)
    assert not sets.found
    assert sets.missing == ["hiv is left out of a quick run.", "gene is left out of a quick run."]


# -- CW488 -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n_trains", "runs"), [(30, 2), (41, 1)])
def test_large_sets_are_divided_once(monkeypatch: pytest.MonkeyPatch, n_trains: int, runs: int) -> None:
    monkeypatch.setattr(protocol, "MANY_EXAMPLES", 40)
    setting = PaperSetting(Path(), quick=True)
    assert len(list(protocol.trials_of([small_trains(n_trains=n_trains)], setting))) == 5 * runs
    assert len(list(protocol.trials_of([rand30(n_trains, 0)], setting))) == 10


Sizes = dict[str, RelationalDataSet]


@pytest.fixture
def sets(monkeypatch: pytest.MonkeyPatch) -> Sizes:
    """Small sets in the place of the papers'."""
    pytest.importorskip("matplotlib")
    names = ("hiv", "mutagenesis", "trains", "cora")
    sets = {name: small_trains(name, 40 + 10 * place, place) for place, name in enumerate(names)}
    readers = {name: lambda data=data: data.database for name, data in sets.items()}
    monkeypatch.setattr(relational_sets, "READERS", readers)
    monkeypatch.setattr(relational_sets, "SLOW", ())
    waves = waveform40(60, 1)
    numbers = replace(waves, columns={name: waves.columns[name] for name in ("x7", "x11", "x15")})
    flat = {"voting": rand30(60, 1), "soybean": numbers, "vehicle": numbers, "adult": rand30(60, 2)}
    for module in (f05, cw488, skew):
        monkeypatch.setattr(module, "load", lambda name, prepared: replace(flat[name], name=name))
    return sets


@pytest.fixture
def setting(tmp_path: Path) -> PaperSetting:
    return PaperSetting(tmp_path, quick=True, jobs=1)


def tables_of(blocks: Iterable[Block]) -> dict[str, Table]:
    return {block.title: block for block in blocks if isinstance(block, Table)}


def mean_auc(trials: Iterable[Trial], method: Method) -> float:
    return 100 * float(np.mean([measure(method, trial, trial.part.run)["auc"] for trial in trials]))


def blocks_of_cw488(setting: PaperSetting, sets: Sets) -> list[Block]:
    """What the page has of relational sets, without the flat ones."""
    summary = setting.summary("cw488", protocol.trials_of(sets.found, setting), protocol.methods())
    parts = skew.skewness(setting, next(data for data in sets.found if data.name == "hiv"))
    return [*related.blocks(setting, summary, sets), *(block for part in parts for block in part.blocks)]


def test_relational_rows_of_cw488(sets: Sizes, setting: PaperSetting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(related, "VERSIONS", {"cora": "cora"})
    for module in (protocol, skew):
        monkeypatch.setattr(module, "FOLDS", 2)
    monkeypatch.setattr(skew, "SHARES", (0.5, 0.3))
    monkeypatch.setattr(skew, "FLAT", skew.Sampled("adult", "1", 30, 1))
    monkeypatch.setattr(skew, "HIV", skew.Sampled("hiv", "east", 20, 1))
    blocks = blocks_of_cw488(setting, at_hand(["hiv", "mutagenesis"]))
    shown = tables_of(blocks)
    data = RelationalDataSet.of("mutagenesis", sets["mutagenesis"].database)
    means = {method.name: mean_auc(protocol.trials_of([data], setting), method) for method in protocol.methods()}
    best = max(means, key=means.__getitem__)
    assert cells_of(shown["Best AUC, percent"])["mutagenesis"][0] == f"{means[best]:.1f} ({best})"
    other = cells_of(shown["Other versions"])
    assert other["cora: examples"][0] == "70 (865, -795)"
    assert other["cora: classes"][0] == "2 (10, -8)"
    assert len(other["cora: AUC, percent"]) == 6
    assert "relational sets" in next(title for title in shown if title.startswith("Table 6"))
    assert list(cells_of(shown["Skewness, hiv: AUC (one-vs-rest)"]))[:2] == ["50% east", "30% east"]
    assert list(cells_of(shown["Skewness, adult: AUC (one-vs-rest)"]))[:2] == ["50% 1", "30% 1"]
    headings = [block.text for block in blocks if isinstance(block, Heading)]
    assert headings == ["The relational sets", "Section 5.3.1: skewness of adult", "Section 5.3.1: skewness of hiv"]


# -- F05 ---------------------------------------------------------------------------------------------------


def test_relational_rows_of_f05(sets: Sizes, setting: PaperSetting, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = {"F05": ("voting",), "RELATIONAL": ("hiv", "trains"), "CLASSES": (2, 3), "THRESHOLDS": (1, 3)}
    for name, value in chosen.items():
        monkeypatch.setattr(f05, name, value)
    monkeypatch.setattr(rows, "SETS", {name: rows.Sizes(2, 20, (10, 500)) for name in ("hiv", "trains")})
    page = f05.page(setting, "python -m lab.reproduce f05")
    shown = tables_of(page.blocks)
    cells = cells_of(shown["Table 2: AUC, percent"])
    assert list(cells) == ["voting", "hiv", "trains"]
    data = RelationalDataSet.of("trains", sets["trains"].database)
    for method, cell in zip(f05.methods(), cells["trains"], strict=True):
        assert f"{mean_auc(f05.trials_of(data, setting), method):.1f} (" in cell
    assert cells_of(shown["Table 1: the data sets"])["hiv"][:2] == ["40 (41768)", "2 (2)"]
    said = [sentence for block in page.blocks if isinstance(block, Points) for sentence in block.sentences]
    assert any("generated here" in sentence for sentence in said)
    assert page.to_markdown().count("not tried") == 1  # that few classes are as good as it gets needs many as well
    assert list(cells_of(shown["Rows of trains: Leaves"]))[:2] == ["trains, 10 rows", "trains, 40 rows"]
    pictures = [block.name for block in page.blocks if isinstance(block, Picture)]
    assert pictures == ["f05-classes.png", "f05-rows-hiv.png", "f05-rows-trains.png"]


def test_rows_that_are_asked_are_never_learned() -> None:
    setting, data = PaperSetting(Path()), small_trains(n_trains=100)
    found = rows.trials(data, rows.Sizes(3, 30, (20, 50, 90)), setting)
    assert [len(trial.part.learn) for trial in found] == [20, 50, 70] * rows.RUNS
    for small, large in pairwise(found):
        assert len(small.part.test) == 30
        assert not set(small.part.learn.tolist()) & set(small.part.test.tolist())
        if small.part.run == large.part.run:
            assert set(small.part.learn.tolist()) <= set(large.part.learn.tolist())
