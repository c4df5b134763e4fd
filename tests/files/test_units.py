"""Signs of units beside numbers, and texts that differ in capitals alone, are told of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.files.tables import write

import petree


@pytest.mark.parametrize(
    ("texts", "numbers", "told"),
    [
        (["49.5%", "7 %", "-3%"], [49.5, 7, -3], "numbers with the sign '%': '49.5%' is 49.5"),
        (["49,5%", "7%", ""], [49.5, 7, np.nan], "numbers with the sign '%': '49,5%' is 49.5"),
        (["$1,200.50", "-$ 3", "$0"], [1200.5, -3, 0], "numbers with the sign '$': '$1,200.50' is 1200.5"),
        (["1.200,50 €", "n.a.", "3 €"], [1200.5, np.nan, 3], "numbers with the sign '€': '1.200,50 €' is 1200.5"),
        (["1,234%", "2,5%", "3%"], [1.234, 2.5, 3], "numbers with the sign '%': '1,234%' is 1.234"),
    ],
)
def test_numbers_with_the_sign_of_a_unit(tmp_path: Path, texts: list[str], numbers: list[float], told: str) -> None:
    table = petree.read(write(tmp_path / "table.csv", "x;t\n" + "".join(f"{text};a\n" for text in texts)))
    np.testing.assert_array_equal(table["x"], numbers)
    assert any(told in note for note in table.notes)
    again = petree.read(tmp_path / "table.csv", types={"x": "number"})
    np.testing.assert_array_equal(again["x"], numbers)


@pytest.mark.parametrize("texts", [["5%", "7", "3%"], ["5%", "$7", "3%"], ["%", "5%", "7%"], ["$x", "$y", "$z"]])
def test_other_signs_are_text(tmp_path: Path, texts: list[str]) -> None:
    table = petree.read(write(tmp_path / "table.csv", "x;t\n" + "".join(f"{text};a\n" for text in texts)))
    assert table["x"].tolist() == texts


def test_texts_that_differ_in_capitals_alone_are_kept_apart_and_told(tmp_path: Path) -> None:
    table = petree.read(write(tmp_path / "table.csv", "x,t\nrent,Yes\nRent ,yes\nown,no\n"))
    assert table["x"].tolist() == ["rent", "Rent", "own"]
    sentence = (
        "values that differ in capitals alone, and are kept apart: 'Rent', 'rent'. Write them alike if they are one."
    )
    assert f"column 'x' has {sentence}" in table.notes


def test_an_infinite_value_is_told_by_its_line(tmp_path: Path) -> None:
    table = petree.read(write(tmp_path / "table.csv", "x,t\n1,a\n\n-inf,b\n"))
    with pytest.raises(
        ValueError, match=r"Column 'x' holds an infinite value \(-inf\) in line 4 of .*; write a finite"
    ):
        table["x"]


def test_a_name_in_other_letters_is_hinted_at(tmp_path: Path) -> None:
    table = petree.read(write(tmp_path / "table.csv", "repaid,t\n1,a\n"))
    with pytest.raises(ValueError, match=r"no column ' REPAID' \(did you mean 'repaid'\?\)"):
        table.column(" REPAID")
