"""The papers' systems by name."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from sklearn.base import clone

import petree
from petree import OptionTreeClassifier, ProbabilityTreeClassifier, RelationalTreeClassifier, presets
from petree.pruning import prune, resolve_pruning
from petree.reading import export_text
from petree.relational import Database
from petree.smoothing import MBranch
from petree.storage import dumps, loads

# the parts of each system, as they print themselves
TILDE = ("entropy", "gain", "laplace", "binary")
C45 = ("exact", "gain_ratio", "none", "multiway")
IND = ("exact", "bayes")
EXPECTED = {
    "c4.4": (*TILDE, "none"),
    "smiles": ("quantile", "GainRatio(restrictions=False)", "MBranch()", "multiway", "none"),
    "smiles-msee": ("quantile", "MSEE(laplace=True)", "MBranch()", "multiway", "none"),
    "c4.5": (*C45, "ErrorBased(collapsing=True, raising=True)"),
    "tilde-c4.5": (*TILDE, "error_based"),
    "c4": ("exact", "gain", "none", "binary", "pessimistic"),
    "cart": ("exact", "gini", "none", "sets", "CostComplexity()"),
    "mdl-s": (*TILDE, "MDL(keep_equal=True, when='pre')"),
    "mdl-p": (*TILDE, "mdl"),
    "bic-s": (*TILDE, "BIC(keep_equal=True, when='pre')"),
    "bic-p": (*TILDE, "bic"),
    "chi": (*TILDE, "Chi()"),
    "chi-2005": ("entropy", "chi_square", "laplace", "binary", "Chi(alpha=0.1, when='pre')"),
    "rand": (*TILDE, "Rand()"),
    "rand-pre": (*TILDE, "Rand(when='pre')"),
    "rep": (*C45, "ReducedError()"),
    "rep-sampled": (*C45, "ReducedError(alpha=0.5)"),
    "cart-like": (*IND, "none", "multiway", "CostComplexity()"),
    "c4-early": (*IND, "none", "multiway", "pessimistic"),
    "ind-bayes": (*IND, "bayes", "multiway", "none"),
    "mdl-like": (
        "exact",
        "Bayes(prior='IV')",
        "MEstimate(m=1.0, prior='base_rate')",
        "multiway",
        "MAP(prior='IV')",
    ),
}
OPTIONS = {"ind-option-1": 1, "ind-option-2": 2, "kwok-carter": 1}
RELATIONAL = "tilde"
OWN = "best-single"
PRUNED = [name for name, parts in EXPECTED.items() if parts[-1] != "none"]


def table(n_rows: int = 200) -> tuple[pd.DataFrame, NDArray[Any]]:
    """A number and a category that decide together."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"size": rng.normal(size=n_rows), "tone": rng.choice(["red", "green", "blue"], n_rows)})
    return X, np.where((X["size"] > 0) & (X["tone"] != "red"), "yes", "no")


def noisy() -> tuple[pd.DataFrame, NDArray[Any]]:
    """The same with every fifth class turned round, and a column of noise."""
    X, y = table(400)
    X["noise"] = np.random.default_rng(1).normal(size=len(X))
    y[::5] = np.where(y[::5] == "yes", "no", "yes")
    return X, y


def test_every_preset_has_a_row_here_and_tells_its_paper() -> None:
    assert set(presets) == {*EXPECTED, *OPTIONS, RELATIONAL, OWN}
    for name, preset in presets.items():
        assert preset.name == name
        assert name == OWN or re.search(r"^\S.+ \(.+ \d{4}\)\.$", preset.description)
        assert f"{name!r}: {preset.description}" in repr(presets)


@pytest.mark.parametrize("name", OPTIONS)
def test_a_preset_may_be_of_another_estimator(name: str) -> None:
    model = presets[name](max_depth=3)
    assert isinstance(model, OptionTreeClassifier)
    assert (model.lookahead, model.max_depth) == (OPTIONS[name], 3)
    assert (model.tests, model.binning) == ("multiway", "exact")
    X, y = table()
    assert model.fit(X, y).score(X, y) > 0.95


def test_tilde_asks_several_tables() -> None:
    kinds = ["a", "b", "b", "a", "b", "a", "a", "b"]
    tables = {
        "thing": {"id": range(8), "class": ["yes" if kind == "a" else "no" for kind in kinds]},
        "part": {"thing": range(8), "kind": kinds},
    }
    model = presets[RELATIONAL](database=Database(tables, ["part.thing -> thing.id"]), target="thing.class")
    assert isinstance(model, RelationalTreeClassifier)
    tree = model.fit(range(8)).tree_
    assert [str(condition) for condition in tree.conditions] == ["part(A, a, B)"]
    assert tree.counts[tree.is_leaf].tolist() == [[0, 4], [4, 0]]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_preset_makes_an_estimator_that_learns(name: str) -> None:
    model = presets[name]()
    assert isinstance(model, ProbabilityTreeClassifier)
    parts = ("binning", "split", "smoothing", "tests", "pruning")
    assert tuple(str(model.get_params()[part]) for part in parts) == EXPECTED[name]
    assert repr(clone(model)) == repr(model)
    X, y = table()
    assert model.fit(X, y).score(X, y) > 0.95


def test_the_best_single_tree_is_unpruned_and_tuned() -> None:
    X, y = table()
    model = presets[OWN]().fit(X, y)
    assert model.get_n_leaves() == presets[OWN](smoothing="none").fit(X, y).get_n_leaves()
    assert len(model.tuning_.chosen) == 4
    assert model.score(X, y) > 0.95


@pytest.mark.parametrize("name", PRUNED)
def test_a_pruned_tree_is_what_its_parts_leave(name: str) -> None:
    X, y = noisy()
    model = presets[name](random_state=0).fit(X, y)
    criterion = model.tree_.pruning_log.frontier().criterion
    assert criterion == repr(resolve_pruning(model.pruning))
    assert 1 < model.get_n_leaves() < presets[name](pruning="none").fit(X, y).get_n_leaves()
    assert len(model.why()) > 0
    assert loads(dumps(model)).why() == model.why()


COUNTED = [name for name in PRUNED if name in ("tilde-c4.5", "c4", "mdl-p", "bic-p", "chi", "mdl-s", "bic-s")]


@pytest.mark.parametrize("name", COUNTED)
def test_criteria_of_counts_prune_the_unpruned_tree_in_the_same_way(name: str) -> None:
    X, y = noisy()
    model, unpruned = presets[name]().fit(X, y), presets[name](pruning="none").fit(X, y)
    assert export_text(prune(model.pruning, unpruned.tree_)) == export_text(model.tree_)


def test_systems_that_answer_by_frequencies() -> None:
    X, y = noisy()
    for name in ("c4.5", "c4", "cart"):
        model = presets[name]().fit(X, y)
        shares = model.tree_.counts / model.tree_.counts.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(model.node_probabilities_, shares)


def test_c45_and_cart_try_every_cut() -> None:
    X = pd.DataFrame({"x": np.arange(2000.0)})
    y = X["x"].to_numpy() >= 1003
    for name in ("c4.5", "c4", "cart"):
        assert presets[name]().fit(X, y).rules()[0].startswith("if x < 1003 ")


def test_c45_asks_for_two_branches_of_two_cases() -> None:
    tree = presets["c4.5"](pruning="none").fit(*noisy()).tree_
    for node in np.flatnonzero(~tree.is_leaf):
        assert (tree.sizes[tree.children_of(np.array([node]))] >= 2).sum() >= 2


def test_c45_leaves_out_a_number_that_gains_less_than_the_choice_of_its_cut_costs() -> None:
    """Cuts that separate single rows gain most here, and less than log2(9) / 12 bits; so it is for J48."""
    y = list("ababababbaab")
    assert presets["c4.5"](pruning="none").fit({"x": range(1, 13)}, y).tree_.n_nodes == 1


@pytest.mark.parametrize(("name", "way"), [("c4.5", "fractions"), ("cart", "surrogates"), ("c4.4", "branch")])
def test_missing_values_go_where_the_system_sends_them(name: str, way: str) -> None:
    X, y = noisy()
    X["size"] = X["size"].where(np.random.default_rng(2).random(len(X)) > 0.3)
    tree = presets[name]().fit(X, y).tree_
    assert presets[name]().missing == way
    is_whole = (tree.counts == np.rint(tree.counts)).all()
    assert is_whole == (way != "fractions")
    assert (tree.surrogates is not None) == (way == "surrogates")


def test_a_part_of_a_system_can_be_searched() -> None:
    model = presets["rand"]().set_params(pruning__alpha=0.2)
    assert model.pruning.alpha == 0.2
    assert presets["rand"]().pruning.alpha == 0.05


def test_smiles_has_the_m_branch_estimate_of_its_paper() -> None:
    for name in ("smiles", "smiles-msee"):
        smoothing = presets[name]().smoothing
        assert type(smoothing) is MBranch
        assert smoothing.m == 4
        assert presets[name]().smoothing is not smoothing


def test_parameters_override_those_of_the_system() -> None:
    model = presets["smiles"](max_depth=3, tests="binary")
    assert (model.max_depth, model.tests, model.pruning) == (3, "binary", "none")
    with pytest.raises(TypeError, match="depth"):
        presets["c4.4"](depth=3)


def test_an_unknown_name_is_answered_with_the_valid_ones() -> None:
    sentence = r"Unknown preset 'c44'; valid names are c4\.4, smiles, smiles-msee, .*\. Did you mean 'c4\.4'\?"
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
