"""Systems by name, values chosen on the data, and intervals, on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.shell import Shell, pets

from petree import presets, storage


@pytest.fixture
def fit(shell: Shell) -> list[str]:
    shell.write("pets.csv", pets())
    return ["fit", "pets.csv", "--target", "kind", "--out", "m.json"]


def test_a_preset_and_options_that_override_it(shell: Shell, fit: list[str]) -> None:
    assert shell(*fit, "--preset", "smiles", "--max-depth", "1").code == 0
    model = storage.load("m.json")
    assert (model.split.restrictions, model.tests, model.max_depth, model.smoothing.m) == (False, "multiway", 1, 4)
    line = shell.refused(*fit, "--preset", "smile")
    assert line == f"petree: Unknown preset 'smile'; valid names are {', '.join(presets)}. Did you mean 'smiles'?\n"


def test_tuned_values_are_reported(shell: Shell, fit: list[str]) -> None:
    out = shell(*fit).out
    tuning = storage.load("m.json").tuning_
    words = f"shrinkage {tuning.chosen['0__shrinkage']:g} of hierarchical, m {tuning.chosen['1__m']:g} of m_branch"
    assert f"smoothing {words}, chosen on held-out rows ({min(tuning.losses):.3f} bits a row)\n" in out
    assert "chosen" not in shell(*fit, "--smoothing", "hierarchical").out


def test_intervals_in_rules(shell: Shell, model: Path) -> None:
    rules = shell("show", model, "--format", "rules", "--level", "0.5").out.splitlines()
    assert rules == storage.load(model).rules(0.5)
    assert "[" in rules[0]
    assert "The format text takes no 'level'; rules" in shell.refused("show", model, "--level", "0.5")
    assert "number between 0 and 1" in shell.refused("show", model, "--format", "rules", "--level", "50")
