"""The reproduction of CW488 from end to end, on small data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.experiments.made import made_summary
from tests.reproduction.cells import cells_of
from tests.reproduction.cw488_printed import CRITERIA

from petree.evaluation.pages import Heading, Picture
from petree.evaluation.tables import Table
from petree.experiments.data import DataSet
from petree.experiments.measuring import measure
from petree.experiments.methods import Method
from petree.experiments.trials import cross_validated
from petree.reproduction.cw488 import classes, page, protocol, skew, when
from petree.reproduction.generators import led7, waveform21, xd6
from petree.reproduction.printed import conclusions, stated
from petree.reproduction.setting import Setting


def waves(n_rows: int, seed: int) -> DataSet:
    """Three classes and a few of the numbers that tell them apart."""
    data = waveform21(n_rows, seed)
    return replace(data, columns={name: data.columns[name] for name in ("x7", "x11", "x15")})


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> dict[str, DataSet]:
    """Small sets in the place of two flat ones and of the two that samples are drawn from."""
    sets = {
        "splice": replace(waves(200, 1), name="splice"),
        "soybean": replace(led7(120, 1), name="soybean"),
        "letter": replace(waves(300, 2), name="letter"),
        "adult": replace(xd6(300, 2), name="adult"),
    }
    for module in (page, classes, skew):
        monkeypatch.setattr(module, "load", lambda name, prepared: sets[name])
    for module in (page, when, classes, skew):
        monkeypatch.setattr(module, "FOLDS", 3)
    monkeypatch.setattr(page, "CW488", ("splice", "soybean"))
    monkeypatch.setattr(classes, "CLASSES", (2, 3))
    monkeypatch.setattr(classes, "stated", lambda paper: {"diterpenes_examples": 150})
    monkeypatch.setattr(skew, "RARE", "1")
    monkeypatch.setattr(skew, "N_ROWS", 100)
    monkeypatch.setattr(skew, "SHARES", (0.5, 0.1))
    return sets


def mean_of(method: Method, data: DataSet, name: str) -> float:
    """Over 2 x 3-fold cross-validation."""
    return float(np.mean([measure(method, trial, trial.part.run)[name] for trial in cross_validated([data], 2, 3)]))


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
    assert part.summary.folds("auc", "2 classes", "RAND").shape == (2, 3)
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
    assert part.summary.folds("auc", "10% 1", "MDL").shape == (2, 3)
    assert len([block for block in part.blocks if isinstance(block, Table)]) == 3


def test_after_growing_is_counted_beside_the_paper() -> None:
    larger = {"RAND": [[2, 2]], "RAND pre": [[1, 1]]}
    same = {f"{name}{ending}": [[1, 1]] for name in ("MDL", "BIC", "CHI") for ending in ("", " pre")}
    sizes = larger | same
    seconds = {name: [[1.0 if name.endswith("pre") else 3.0] * 2] for name in sizes}
    summary = made_summary({("voting", name): {"inner_nodes": sizes[name], "seconds": seconds[name]} for name in sizes})
    rows = cells_of(when.counts_table(summary))
    assert rows["RAND"] == ["1 of 1 (16 of 26)", "0/1/0", "0/1/0", "3.00 (2.0)"]
    assert rows["BIC"][0] == f"0 of 1 ({stated('cw488')['larger_when_post_BIC']:.0f} of 26)"


def test_the_page_shows_what_the_folds_give(made: dict[str, DataSet], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    setting = Setting(tmp_path, quick=True, jobs=1)
    found = page.page(setting, "petree reproduce cw488 --quick")
    text = found.to_markdown()
    assert "2 x 3-fold stratified cross-validation, seed 0." in text
    assert "`petree reproduce cw488 --quick`" in text
    for conclusion in conclusions("cw488"):
        assert conclusion.statement in text
    shown = {block.title: block for block in found.blocks if isinstance(block, Table)}
    auc = cells_of(shown["Table 3: AUC, percent"])["splice"]
    for method, cell in zip(protocol.methods(), auc, strict=True):
        assert f"{100 * mean_of(method, made['splice'], 'auc'):.1f} (" in cell
    sizes = cells_of(shown["Learning curve of splice: Log likelihood, bits a case"])
    assert list(sizes)[:3] == [f"splice, {n} rows" for n in (33, 66, 133)]
    assert len(shown["Figure 3: sizes in every fold"].rows) == 6
    assert shown["Figure 3: sizes in every fold"].rows[0][1:] == ["12", "0"]
    pictures = [block.name for block in found.blocks if isinstance(block, Picture)]
    assert pictures == ["cw488-curve-splice.png", "cw488-classes.png"]
    headings = [block.text for block in found.blocks if isinstance(block, Heading)]
    assert headings[0] == "Conclusions"
    assert headings[-1] == "Section 5.3.1: skewness"
    goes_on_where_it_stopped(setting)


def goes_on_where_it_stopped(setting: Setting) -> None:
    kept = {file: file.read_bytes() for file in setting.folder.glob("*.csv")}
    assert sorted(file.stem for file in kept) == ["cw488", "cw488-classes", "cw488-curves", "cw488-skew", "cw488-when"]
    again = page.page(replace(setting, pictures=False), "petree reproduce cw488")
    assert {file: file.read_bytes() for file in setting.folder.glob("*.csv")} == kept
    assert not [block for block in again.blocks if isinstance(block, Picture)]
