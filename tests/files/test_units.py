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


@pytest.mark.parametrize("text", ["nan%", "inf%", "$ -Infinity", "NaN €"])
def test_a_sign_without_a_digit_makes_no_number(tmp_path: Path, text: str) -> None:
    table = petree.read(write(tmp_path / "table.csv", f"x;t\n{text};a\n{text};b\n"))
    assert table["x"].tolist() == [text, text]


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["5%", "0", "6%"], "most values are numbers with the sign '%', but not '0'."),
        (["$5", "$ 7", "free"], "most values are numbers with the sign '$', but not 'free'."),
        (["5", "7", "9%"], "most values are numbers, but not '9%'."),
        (["1.5%", "1,5%", "2,5%"], "its numbers with the sign '%' are not all written in one way."),
    ],
)
def test_numbers_with_a_sign_but_for_a_few_are_told(tmp_path: Path, texts: list[str], told: str) -> None:
    table = petree.read(write(tmp_path / "table.csv", "x;t\n" + "".join(f"{text};a\n" for text in texts)))
    assert table["x"].tolist() == texts
    assert table.notes == [f"column 'x' is nominal: {told}"]


@pytest.mark.parametrize(("most", "odd"), [("1.5", "1,5"), ("1.234,5", "1.5"), ("1,5%", "2.5%")])
def test_a_few_numbers_in_another_style_are_refused(tmp_path: Path, most: str, odd: str) -> None:
    lines = [f"{most};a"] * 40
    lines[30] = f"{odd};b"
    path = write(tmp_path / "table.csv", "\n".join(["x;t", *lines]))
    with pytest.raises(ValueError, match=rf"'x' of .* are written differently, first '{odd}' in line 32 .*x=nominal"):
        petree.read(path)["x"]
    assert petree.read(path, types={"x": "nominal"})["x"].tolist()[30] == odd


def test_many_numbers_with_a_sign_but_for_one_are_refused_to_who_asks(tmp_path: Path) -> None:
    table = petree.read(write(tmp_path / "table.csv", "x;t\n" + "5%;a\n" * 40 + "0;b\n"))
    assert table["t"].tolist() == ["a"] * 40 + ["b"]
    with pytest.raises(ValueError, match=r"'x' of .* holds numbers with the sign '%' but for '0', first in line 42"):
        table["x"]


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["5%", "6%", "foo"], r"must hold numbers, but line 4 of .* has 'foo'"),
        (["5%", "foo", "bar"], r"must hold numbers, but line 3 of .* has 'foo'"),
        (["5%", "6%", "nan%"], r"must hold numbers, but line 4 of .* has 'nan%'"),
        (["5%", "6%", "0"], r"must hold numbers, which are not all written in one way: '5%', but '0' in line 4 of "),
        (["5", "6", "$7"], r"must hold numbers, which are not all written in one way: '5', but '\$7' in line 4 of "),
    ],
)
def test_the_odd_one_among_numbers_with_a_sign_is_named(tmp_path: Path, texts: list[str], told: str) -> None:
    write(tmp_path / "table.csv", "x;t\n" + "".join(f"{text};a\n" for text in texts))
    with pytest.raises(ValueError, match=told):
        petree.read(tmp_path / "table.csv", types={"x": "number"}).column("x")


def test_texts_that_differ_in_capitals_alone_are_kept_apart_and_told(tmp_path: Path) -> None:
    table = petree.read(write(tmp_path / "table.csv", "x,t\nrent,Yes\nRent ,yes\nown,no\n"))
    assert table["x"].tolist() == ["rent", "Rent", "own"]
    sentence = (
        "values that differ in capitals alone, and are kept apart: 'Rent', 'rent'. Write them alike if they are one."
    )
    assert f"column 'x' has {sentence}" in table.notes


def test_a_few_of_many_texts_that_differ_in_capitals_alone_are_shown(tmp_path: Path) -> None:
    names = "abcdefgh"
    table = petree.read(
        write(tmp_path / "table.csv", "x,t\n" + "".join(f"{name},1\n" for name in names + names.upper()))
    )
    (note,) = table.notes
    assert "kept apart: 'A', 'a'; 'B', 'b'; 'C', 'c'; 'D', 'd'; 'E', 'e'; and 3 more. Write them alike" in note


def test_a_table_has_columns_that_it_refuses(tmp_path: Path) -> None:
    table = petree.read(write(tmp_path / "table.csv", "x,t\n1,a\ninf,b\n"))
    assert "x" in table
    assert "z" not in table


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
