"""The papers' systems by name."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import petree
from petree import ProbabilityTreeClassifier, presets
from petree.smoothing import MBranch

EXPECTED = {
    "c4.4": {"split": "gain", "pruning": "none", "smoothing": "laplace", "tests": "binary"},
    "smiles": {"split": "gain_ratio", "pruning": "none", "tests": "multiway"},
    "smiles-msee": {"split": "msee", "pruning": "none", "tests": "multiway"},
}


def test_every_preset_has_a_row_here_and_tells_its_paper() -> None:
    assert list(presets) == list(EXPECTED)
    assert len(presets) == len(EXPECTED)
    for name, preset in presets.items():
        assert preset.name == name
        assert re.search(r"^\S.+ \(.+ \d{4}\)\.$", preset.description)
        assert f"{name!r}: {preset.description}" in repr(presets)


@pytest.mark.parametrize("name", presets)
def test_a_preset_makes_an_estimator_that_learns(name: str) -> None:
    model = presets[name]()
    assert isinstance(model, ProbabilityTreeClassifier)
    parameters = model.get_params(deep=False)
    assert {key: parameters[key] for key in EXPECTED[name]} == EXPECTED[name]
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"size": rng.normal(size=200), "tone": rng.choice(["red", "green", "blue"], 200)})
    y = np.where((X["size"] > 0) & (X["tone"] != "red"), "yes", "no")
    assert model.fit(X, y).score(X, y) > 0.95


def test_smiles_has_the_m_branch_estimate_of_its_paper() -> None:
    for name in ("smiles", "smiles-msee"):
        smoothing = presets[name]().smoothing
        assert type(smoothing) is MBranch
        assert smoothing.m == 4
        assert presets[name]().smoothing is not smoothing


def test_parameters_override_those_of_the_system() -> None:
    model = presets["smiles"](max_depth=3, tests="binary")
    assert (model.max_depth, model.tests, model.split) == (3, "binary", "gain_ratio")
    with pytest.raises(TypeError, match="depth"):
        presets["c4.4"](depth=3)


def test_an_unknown_name_is_answered_with_the_valid_ones() -> None:
    sentence = r"Unknown preset 'c44'; valid names are c4\.4, smiles, smiles-msee.*\. Did you mean 'c4\.4'\?"
    with pytest.raises(KeyError, match=sentence):
        presets["c44"]
    with pytest.raises(KeyError, match=r"Unknown preset 3; valid names"):
        presets[3]
    assert "c44" not in presets
    assert presets.get("c44") is None


def test_presets_are_there_however_they_are_imported() -> None:
    assert petree.presets is presets
    assert "presets" in dir(petree)
    code = "import sys, petree; assert 'petree.systems' not in sys.modules; print(len(petree.presets))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(found.stdout) == len(presets)
