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


def test_chosen_values_are_told(shell: Shell, fit: list[str]) -> None:
    outcome = shell(*fit, "--smoothing", "hierarchical", "--tune")
    tuning = storage.load("m.json").tuning_
    told = next(line for line in outcome.out.splitlines() if line.startswith("smoothing"))
    words = f"shrinkage {tuning.chosen['shrinkage']:g} of hierarchical"
    assert told == f"smoothing {words}, chosen on held-out rows ({min(tuning.losses):.3f} bits a row)"
    assert "chosen" not in shell(*fit, "--smoothing", "hierarchical").out
    out = shell(*fit).out
    chosen = storage.load("m.json").tuning_.chosen
    words = f"shrinkage {chosen['0__shrinkage']:g} of hierarchical, m {chosen['1__m']:g} of m_branch, chosen"
    assert f"smoothing {words}" in out
    outcome = shell(*fit, "--smoothing", "laplace", "--tune")
    assert "--tune changes nothing: the smoothing Laplace() has no parameter that can be chosen" in outcome.err


def test_intervals_in_rules(shell: Shell, model: Path) -> None:
    rules = shell("show", model, "--format", "rules", "--level", "0.5").out.splitlines()
    assert rules == storage.load(model).rules(0.5)
    assert "[" in rules[0]
    assert "add --format rules" in shell.refused("show", model, "--level", "0.5")
    assert "number between 0 and 1" in shell.refused("show", model, "--format", "rules", "--level", "50")
