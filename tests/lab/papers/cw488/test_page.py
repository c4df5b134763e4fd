"""The reproduction of CW488 from end to end, on small data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from tests.lab.experiments.made import made_summary
from tests.lab.papers.cells import cells_of
from tests.lab.papers.cw488.printed_summary import CRITERIA

from lab.experiments.data import DataSet
from lab.experiments.measuring import measure
from lab.experiments.methods import Method
from lab.experiments.report.pages import Heading, Page, Picture
from lab.experiments.report.tables import Table
from lab.experiments.trials import cross_validated
from lab.papers.cw488 import classes, page, protocol, related, skew, thresholds, when
from lab.papers.data.generators import led7, rand30, waveform40
from lab.papers.printed import conclusions, cw488_cells, stated
from lab.papers.setting import PaperSetting
from petree.pruning import resolve_pruning


def waves(n_rows: int, seed: int) -> DataSet:
    """Three classes and a few of the numbers that tell them apart."""
    data = waveform40(n_rows, seed)
    return replace(data, columns={name: data.columns[name] for name in ("x7", "x11", "x15")})


class Small(NamedTuple):
    """Small sets in the place of two flat ones and of the two that samples are drawn from; the setting, the page."""

    sets: dict[str, DataSet]
    setting: PaperSetting
    page: Page


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Small]:
    pytest.importorskip("matplotlib")
    sets = {"splice": waves(200, 1), "soybean": led7(120, 1), "letter": waves(300, 2), "adult": rand30(300, 2)}
    sets = {name: replace(data, name=name) for name, data in sets.items()}
    with pytest.MonkeyPatch.context() as patch:
        for module in (page, classes, skew):
            patch.setattr(module, "load", lambda name, prepared: sets[name])
        for module in (page, protocol, when, classes, skew):
            patch.setattr(module, "FOLDS", 3)
        patch.setattr(page, "RELATIONAL", ())
        patch.setattr(related, "VERSIONS", {})
        patch.setattr(page, "CW488", ("splice", "soybean"))
        patch.setattr(classes, "CLASSES", (2, 3))
        patch.setattr(classes, "class_sizes", lambda: [40, 30, 15])
        patch.setattr(skew, "FLAT", skew.FLAT._replace(rare="1", n_rows=100))
        patch.setattr(skew, "SHARES", (0.5, 0.1))
        setting = PaperSetting(tmp_path_factory.mktemp("results"), quick=True, jobs=1)
        yield Small(sets, setting, page.page(setting, "python -m lab.reproduce cw488 --quick"))


def mean_of(method: Method, data: DataSet, name: str) -> float:
    """Over 2 x 3-fold cross-validation."""
    return float(np.mean([measure(method, trial, trial.part.run)[name] for trial in cross_validated([data], 2, 3)]))


def test_criteria_are_those_of_the_printed_tables() -> None:
    assert tuple(method.name for method in protocol.methods()) == CRITERIA
    assert {method.estimator.binning for method in protocol.methods()} == {"entropy"}


def test_while_growing_and_after_are_told_apart() -> None:
    found = {method.name: resolve_pruning(method.estimator.pruning).when for method in when.methods()}
    assert found == {
        name: "pre" if name.endswith(" pre") else "post"
        for criterion in ("RAND", "MDL", "BIC", "CHI")
        for name in (criterion, f"{criterion} pre")
    }
    assert [method.name for method in when.stopping()] == ["RAND pre", "MDL pre", "BIC pre", "CHI pre"]


def test_the_curve_of_a_large_set_ends_with_what_was_measured_before(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(when, "is_large", lambda data: True)
    monkeypatch.setattr(when, "SHARES_OF_LARGE", (1 / 2,))
    without_permutations = when.methods()[2:]
    monkeypatch.setattr(when, "methods", lambda: without_permutations)
    setting = replace(small.setting, pictures=False)
    data = small.sets["splice"]
    whole = setting.summary("large", cross_validated([data], 1, 3), when.methods())
    (curve,) = when.learning_curves(setting, [data], whole)
    assert curve.summary.data_sets == ("splice, 66 rows", "splice, 133 rows")
    for method in curve.summary.methods:
        expected = whole.folds("auc", "splice", method)
        np.testing.assert_array_equal(curve.summary.folds("auc", "splice, 133 rows", method), expected)


def test_both_orders_of_thresholds_stand_beside_the_paper(small: Small) -> None:
    part = thresholds.order_of_thresholds(small.setting, list(small.sets.values())[:2])
    (table,) = [block for block in part.blocks if isinstance(block, Table)]
    rows = cells_of(table)
    assert list(rows) == ["splice", "mean, without signs"]  # soybean's stand-in has no numbers
    ours = [part.summary.mean("inner_nodes", "splice", name) for name in thresholds.BINNINGS]
    printed = cw488_cells("size").value("splice", "NOPRUNING")
    assert rows["splice"][0].startswith("21 (287")  # seven of each of three columns
    assert [rows["splice"][place] for place in (2, 5)] == [f"{np.log(size / printed):+.3f}" for size in ours]
    assert rows["mean, without signs"][2] == f"{abs(np.log(ours[0] / printed)):.3f}"


def test_numbers_of_classes(small: Small) -> None:
    part = classes.number_of_classes(small.setting)
    assert part.summary.data_sets == ("2 classes", "3 classes")
    assert part.summary.folds("auc", "2 classes", "RAND").shape == (2, 3)
    shown = [block for block in part.blocks if isinstance(block, Table)]
    titles = ("inner nodes", "AUC", "log likelihood relative to RAND's")
    assert [table.title for table in shown] == [f"Number of classes: {title}" for title in titles]
    likelihoods = part.summary.means("log_likelihood")
    for row, values in zip(shown[2].rows, likelihoods, strict=True):
        assert row[1:] == [f"{value / values[0]:.3f}" for value in values]


def test_shares_of_a_class(small: Small) -> None:
    (part,) = skew.skewness(replace(small.setting, pictures=False), None)
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


def test_the_page_shows_what_the_folds_give(small: Small) -> None:
    text = small.page.to_markdown()
    assert "2 x 3-fold stratified cross-validation, seed 0;" in text
    assert "`python -m lab.reproduce cw488 --quick`" in text
    for conclusion in conclusions("cw488"):
        assert conclusion.statement in text
    shown = {block.title: block for block in small.page.blocks if isinstance(block, Table)}
    auc = cells_of(shown["Table 3: AUC, percent"])["splice"]
    for method, cell in zip(protocol.methods(), auc, strict=True):
        assert f"{100 * mean_of(method, small.sets['splice'], 'auc'):.1f} (" in cell
    sizes = cells_of(shown["Learning curve of splice: Log likelihood, bits a case"])
    assert list(sizes)[:3] == [f"splice, {n} rows" for n in (33, 66, 133)]
    assert shown["Figure 3: sizes in every fold"].rows[0][1:] == ["12", "0"]


def test_the_page_has_all_parts_and_pictures(small: Small) -> None:
    headings = [block.text for block in small.page.blocks if isinstance(block, Heading)]
    assert headings == [
        "Conclusions",
        "Tables 1 to 6",
        "Figure 3",
        "The order of the thresholds",
        "The relational sets",
        "Section 5.2: while growing or after",
        "Figure 4: the number of classes",
        "Section 5.3.1: skewness of adult",
        "Beyond the paper: the correction",
    ]
    pictures = [block.name for block in small.page.blocks if isinstance(block, Picture)]
    assert pictures == ["cw488-curve-splice.png", "cw488-classes.png"]


def test_the_page_goes_on_where_it_stopped(small: Small) -> None:
    kept = {file: file.read_bytes() for file in small.setting.folder.glob("*.csv")}
    names = {"cw488", "cw488-classes", "cw488-cure", "cw488-curves", "cw488-skew"}
    assert {file.stem for file in kept} >= names
    again = page.page(replace(small.setting, pictures=False), "python -m lab.reproduce cw488")
    assert {file: file.read_bytes() for file in small.setting.folder.glob("*.csv")} == kept
    assert not [block for block in again.blocks if isinstance(block, Picture)]
