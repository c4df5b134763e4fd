"""The page of a comparison: what it holds, and what is left of it when methods fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.lab.experiments.made import Fails, Shares, small_set

from lab.experiments.comparison import SHOWN, Comparison
from lab.experiments.methods import Method
from lab.experiments.report.measure_tables import TITLES
from lab.experiments.report.pages import Heading, Page, Picture, Points, Words
from lab.experiments.report.tables import Table
from lab.experiments.results import ResultsFile

FLAT, PLAIN = Method("flat", Shares(0.0)), Method("plain", Shares(1.0))


def compared(folder: Path, *methods: Method, **more: Any) -> Comparison:
    data_sets = more.pop("data_sets", [small_set("a", 60), small_set("b", 90, seed=1)])
    return Comparison(data_sets, methods, folder, **{"runs": 2, "folds": 2, "jobs": 1, **more})


def headings(page: Page) -> list[str]:
    return [block.text for block in page.blocks if isinstance(block, Heading)]


def tables(page: Page) -> dict[str, Table]:
    return {block.title: block for block in page.blocks if isinstance(block, Table)}


def pictures(page: Page) -> list[str]:
    return [block.name for block in page.blocks if isinstance(block, Picture)]


def points(page: Page) -> list[str]:
    return [sentence for block in page.blocks if isinstance(block, Points) for sentence in block.sentences]


def test_words_and_tables(tmp_path: Path) -> None:
    page = compared(tmp_path, FLAT, PLAIN, seed=3).page(pictures=False, curve=False, command="python -m lab.compare")
    first = page.blocks[0]
    assert isinstance(first, Words)
    assert first.text == "2 data sets, 2 x 2-fold stratified cross-validation, seed 3. Made by"
    assert first.command == "python -m lab.compare"
    assert headings(page) == ["In words", "Tables"]
    assert list(tables(page)) == [TITLES[measure][0] for measure in SHOWN]
    for table in tables(page).values():
        assert list(table.heads) == ["data set", "flat", "plain"]
        assert [row[0] for row in table.rows[:2]] == ["a", "b"]
    assert "Brier score: plain has the best average rank, 1.00 of 2 methods." in points(page)
    assert pictures(page) == []


def test_results_are_kept_and_used(tmp_path: Path) -> None:
    compared(tmp_path, FLAT).page(False, False, "")
    before = (tmp_path / "results.csv").read_bytes()
    assert len(ResultsFile(tmp_path / "results.csv").read()) == 2 * 2 * 2
    compared(tmp_path, FLAT, PLAIN).page(False, False, "")
    after = (tmp_path / "results.csv").read_bytes()
    assert after.startswith(before)
    assert after.count(b"\n") == 1 + 2 * 8


def test_pictures(tmp_path: Path) -> None:
    page = compared(tmp_path, FLAT, PLAIN).page(pictures=True, curve=False, command="")
    assert headings(page) == ["In words", "Tables", "Pictures"]
    assert pictures(page) == ["ranks-auc.png", "ranks-log-likelihood.png", "ranks-brier.png", "reliability.png"]


@pytest.mark.parametrize(
    ("methods", "data_sets"), [([FLAT], None), ([FLAT, PLAIN], [small_set("a", 60)])], ids=["one method", "one set"]
)
def test_ranks_need_several_methods_and_sets(tmp_path: Path, methods: list[Method], data_sets: Any) -> None:
    more = {} if data_sets is None else {"data_sets": data_sets}
    page = compared(tmp_path, *methods, **more).page(pictures=True, curve=False, command="")
    assert pictures(page) == ["reliability.png"]


def test_learning_curves(tmp_path: Path) -> None:
    page = compared(tmp_path, FLAT, PLAIN).page(pictures=True, curve=True, command="")
    assert headings(page)[-1] == "Learning curves"
    table = tables(page)["Learning curve of b: Log likelihood, bits a case"]
    assert [row[0] for row in table.rows[:2]] == ["b, 22 rows", "b, 45 rows"]
    assert table.rows[2][0] == "average"
    assert pictures(page)[-2:] == ["learning-curve-1-a.png", "learning-curve-2-b.png"]
    assert len(ResultsFile(tmp_path / "learning-curve.csv").read()) == (1 + 2) * 2 * 2  # sizes, folds, methods


def test_pictures_of_sets_with_similar_names(tmp_path: Path) -> None:
    data_sets = [small_set("a b", 60), small_set("a-b", 60, seed=1), small_set("表", 60, seed=2)]
    page = compared(tmp_path, FLAT, data_sets=data_sets).page(pictures=True, curve=True, command="")
    assert len(set(pictures(page))) == len(pictures(page)) == 4


# -- failures ------------------------------------------------------------------------------------------------


def test_a_method_that_always_fails_is_told_and_left_out(tmp_path: Path) -> None:
    page = compared(tmp_path, Method("bad", Fails()), FLAT, PLAIN).page(pictures=True, curve=True, command="")
    told = points(page)
    assert [sentence.split(":")[0] for sentence in told[:2]] == ["bad failed on a", "bad failed on b"]
    for table in tables(page).values():
        assert list(table.heads) == ["data set", "flat", "plain"]
    assert "reliability.png" in pictures(page)
    assert any(sentence.startswith("bad failed on b, 22 rows:") for sentence in told)


def test_a_set_on_which_a_method_fails_is_left_out(tmp_path: Path) -> None:
    page = compared(tmp_path, FLAT, Method("bad", Fails(at_most=30))).page(pictures=True, curve=False, command="")
    told = points(page)
    assert told[0].startswith("bad failed on a: ArithmeticError: no luck with ")
    assert told[1] == "Left out, since some method has no result there: a."
    for table in tables(page).values():
        assert list(table.heads) == ["data set", "flat", "bad"]
        assert [row[0] for row in table.rows] == ["b"]


def test_a_curve_without_the_sizes_on_which_a_method_fails(tmp_path: Path) -> None:
    page = compared(tmp_path, FLAT, Method("bad", Fails(at_most=22))).page(pictures=False, curve=True, command="")
    told = points(page)
    assert [sentence.split(":")[0] for sentence in told if "failed" in sentence] == ["bad failed on b, 22 rows"]
    assert "Left out, since some method has no result there: b, 22 rows." in told
    assert [row[0] for row in tables(page)["Learning curve of b: Log likelihood, bits a case"].rows] == ["b, 45 rows"]


def test_nothing_but_failures(tmp_path: Path) -> None:
    page = compared(tmp_path, Method("bad", Fails())).page(pictures=True, curve=True, command="")
    assert tables(page) == {}
    assert pictures(page) == []
    assert "Left out, since some method has no result there: a and b." in points(page)
