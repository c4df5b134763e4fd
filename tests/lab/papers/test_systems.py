"""What the papers' experiments learn with are the presets, and nothing that is defined again."""

from __future__ import annotations

import numpy as np
import pytest
from tests.lab.papers.marks import needs_data

from lab.papers.buntine import protocol as buntine
from lab.papers.cw488 import protocol as cw488
from lab.papers.cw488 import when
from lab.papers.data.datasets import load
from lab.papers.data.generators import led7
from lab.papers.f05 import protocol as f05
from lab.papers.ferri import protocol as ferri
from lab.papers.oates import protocol as oates
from petree import presets

CW488 = {"RAND": "rand", "MDL": "mdl-p", "BIC": "bic-p", "CHI": "chi", "EBP": "tilde-c4.5", "NOPRUNING": "c4.4"}
F05 = {"C4.4": "c4.4", "C4.5": "tilde-c4.5", "MDLs": "mdl-s", "MDLp": "mdl-p", "BICs": "bic-s", "BICp": "bic-p"}
FERRI = {ferri.method_name("C4.5"): "smiles", ferri.method_name("MSEE"): "smiles-msee"}
OATES = {"EBP": "c4.5", "REP": "rep", "sampled REP": "rep-sampled"}
CASES = [
    *[(cw488.methods, name, preset) for name, preset in CW488.items()],
    *[(when.methods, name, preset) for name, preset in {"RAND": "rand", "RAND pre": "rand-pre"}.items()],
    *[(f05.methods, name, preset) for name, preset in {**F05, "Chi": "chi-2005"}.items()],
    *[(ferri.methods, name, preset) for name, preset in FERRI.items()],
    *[(lambda: oates.pruned() + oates.resampled(), name, preset) for name, preset in OATES.items()],
]


@pytest.mark.parametrize(("methods", "name", "preset"), CASES)
def test_a_system_is_its_preset(methods, name, preset):
    made = {method.name: method.estimator for method in methods()}[name]
    assert repr(made.get_params()) == repr(presets[preset]().get_params())


BUNTINE = {
    "CART-like": "cart-like",
    "C4-early": "c4-early",
    "MDL-like": "mdl-like",
    "Bayes trees": "ind-bayes",
    "1-ply option trees": "ind-option-1",
}


@pytest.mark.parametrize("name", BUNTINE)
def test_with_the_plain_prior_buntines_systems_answer_as_their_presets(name):
    data = led7(120, 0)
    problem = next(problem for problem in buntine.PROBLEMS if problem.name == "LED 100")
    made = {method.name: method.make(0) for method in buntine.methods(problem)}[name]
    own = presets[BUNTINE[name]]().fit(data.columns, data.y)
    np.testing.assert_array_equal(
        made.fit(data.columns, data.y).predict_proba(data.columns), own.predict_proba(data.columns)
    )


@needs_data
@pytest.mark.parametrize("name", sorted(set(CW488.values())))
def test_presets_have_the_candidate_tests_of_table_1(name):
    data = load("diabetes")
    tree = presets[name](max_depth=1, pruning="none").fit(data.columns, data.y).tree_
    assert tree.n_tests[0] == 56
