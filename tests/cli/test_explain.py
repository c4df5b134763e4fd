"""``petree explain``: what a model says of rows of a file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.cli.shell import ACE_FACTS, ACE_SETTINGS, Shell

from petree import storage
from petree.files import read_table


@pytest.fixture
def told(model: Path) -> list[str]:
    """What the model itself says of all rows."""
    features = read_table("pets.csv").select(["weight", "colour", "code"])
    return [one.told("-") for one in storage.load(model).explain(features)]


def test_the_first_rows_are_explained(shell: Shell, model: Path, told: list[str]) -> None:
    outcome = shell("explain", model, "pets.csv")
    assert outcome.code == 0
    parts = outcome.out.rstrip("\n").split("\n\n")
    assert [part.split(":")[0] for part in parts] == [f"row {n} (line {n + 1} of pets.csv)" for n in (1, 2, 3)]
    assert [part.split(":", 1)[1] for part in parts] == [text.split(":", 1)[1] for text in told[:3]]
    assert "ignoring columns that the model does not know: kind." in outcome.err


def test_rows_are_counted_from_one_without_the_header(shell: Shell, model: Path, told: list[str]) -> None:
    first, second = shell("explain", model, "pets.csv", "--row", "60", "--row", "7").out.rstrip("\n").split("\n\n")
    assert first == "row 60 (line 61 of pets.csv)" + told[59][1:]
    assert second == "row 7 (line 8 of pets.csv)" + told[6][1:]


def test_columns_and_level(shell: Shell, model: Path) -> None:
    out = shell("explain", model, "pets.csv", "--row", "2", "--columns", "weight", "--level", "0.5").out
    features = read_table("pets.csv").select(["weight", "colour", "code"])
    one = storage.load(model).explain(features, level=0.5)[1]
    assert out == one.told("row 2 (line 3 of pets.csv)", ["weight"]) + "\n"
    assert "  weight = " in out


def test_a_screen_gets_tables(shell: Shell, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    features = read_table("pets.csv").select(["weight", "colour", "code"])
    one = storage.load(model).explain(features)[0]
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "200")
    out = shell("explain", model, "pets.csv", "--row", "1").out
    assert f"row 1 (line 2 of pets.csv): {one.verdict}" in out
    for cell in ("probability", "contribution", str(one.nearest), *(text for pair in one.steps for text in pair)):
        assert cell in out


def test_related_tables(shell: Shell) -> None:
    Path("ace").mkdir()
    shell.write("ace/app.s", ACE_SETTINGS)
    shell.write("ace/app.kb", ACE_FACTS)
    words = ("--pruning", "none", "--smoothing", "laplace", "--out", "m.json")
    assert shell("fit", "--ace", "ace", *words).code == 0
    out = shell("explain", "m.json", "--ace", "ace", "--row", "2").out
    assert out.startswith("row 2 (key m2): P(fix)=")
    assert "all rows" in out
    assert "contributions" not in out
    assert "not defined for this model" in shell.refused("explain", "m.json", "--ace", "ace", "--columns", "x")


def test_refusals(shell: Shell, model: Path) -> None:
    line = shell("explain", model, "pets.csv", "--row", "61").err
    assert "There is no row 61: pets.csv has 60 rows, counted from 1." in line
    assert "--row" in shell.refused("explain", model, "pets.csv", "--row", "0")
    line = shell("explain", model, "pets.csv", "--columns", "wings").err
    assert "The model has no column 'wings'; its columns are weight, colour, code." in line
    assert "level of an interval" in shell("explain", model, "pets.csv", "--level", "2").err
    assert "Name one thing to read" in shell.refused("explain", model)


def test_words_for_what_is_missing_are_given_as_to_fit(shell: Shell, model: Path) -> None:
    text = Path("pets.csv").read_text(encoding="utf-8").replace("kind", "sort", 1).splitlines()
    cells = text[1].split(",")
    cells[text[0].split(",").index("weight")] = "nobody-knows"
    shell.write("odd.csv", "\n".join([text[0], ",".join(cells), *text[2:]]) + "\n")
    assert "say so by --missing-values" in shell.refused("explain", model, "odd.csv", "--row", "1")
    outcome = shell("explain", model, "odd.csv", "--row", "1", "--missing-values", "nobody-knows")
    assert outcome.code == 0
    assert "weight is missing" in outcome.out
