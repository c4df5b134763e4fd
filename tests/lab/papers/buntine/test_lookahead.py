"""Trees with a lookahead and cost-complexity pruning, as the paper compares them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from lab.experiments.data import DataSet
from lab.papers.buntine import protocol
from lab.papers.buntine.lookahead import LookaheadTree, first_options
from lab.papers.data.generators import led7, rand30, waveform40
from petree import OptionTreeClassifier, ProbabilityTreeClassifier
from petree.bayes import Prior
from petree.pruning import MAP, CostComplexity
from petree.smoothing import Bayes as BayesSmoothing
from petree.splitting import Bayes as Quality


def voting_like() -> DataSet:
    """Nominal columns of three values, of which some are missing, and a number."""
    random = np.random.default_rng(4)
    votes = random.choice(np.array(["y", "n", "u", None], object), (80, 4))
    number = random.normal(size=80)
    classes = np.where((votes[:, 0] == "y") ^ (number > 0.3) ^ (random.random(80) < 0.1), "1", "0").astype(object)
    return DataSet("votes", {f"v{place}": votes[:, place] for place in range(4)} | {"number": number}, classes)


@pytest.mark.parametrize("data", [led7(120, 3), waveform40(90, 3), voting_like()], ids=lambda data: data.name)
@pytest.mark.parametrize("structure", ["I", "IV"])
def test_with_one_ply_it_is_the_ordinary_tree(data: DataSet, structure: str) -> None:
    prior = Prior(structure)
    for pruning in ("none", MAP(prior), CostComplexity(alpha=0.02)):
        smoothing = BayesSmoothing(prior)
        ordinary = ProbabilityTreeClassifier(Quality(prior), pruning, smoothing, max_depth=6, **protocol.GROWING)
        ordinary.fit(data.columns, data.y, classes=data.classes)
        own = LookaheadTree(prior, 1, pruning, smoothing, **protocol.GROWING)
        own.fit(data.columns, data.y, data.classes)
        assert own.tree_.n_leaves == ordinary.tree_.n_leaves
        np.testing.assert_allclose(own.predict_proba(data.columns), ordinary.predict_proba(data.columns), atol=1e-12)


def xor() -> DataSet:
    """The class is x1 other than x2; a column that says nothing comes first."""
    bits = np.array(list(product("01", repeat=3)) * 2, object)
    classes = np.where(bits[:, 1] != bits[:, 2], "a", "b").astype(object)
    return DataSet("xor", {f"x{place}": bits[:, place] for place in range(3)}, classes)


def test_only_two_plies_find_the_tests_of_xor() -> None:
    data = xor()
    found = []
    for plies in (1, 2):
        model = LookaheadTree("I", plies, MAP("I")).fit(data.columns, data.y, data.classes)
        found.append((model.tree_.conditions[0].column.name, model.tree_.n_leaves))
    assert found[0][0] == "x0"
    assert found[1] == ("x1", 4)


def test_the_first_of_all_options_is_an_ordinary_tree() -> None:
    data = led7(150, 6)
    options = OptionTreeClassifier(max_depth=4).fit(data.columns, data.y).tree_
    tree = first_options(options)
    assert options.is_dag
    assert not tree.is_dag
    assert (np.diff(tree.split_start)[~tree.is_leaf] == 1).all()
    assert str(tree.conditions[0]) == str(options.conditions[0])
    for node in np.flatnonzero(~tree.is_leaf):
        split = tree.split_start[node]
        children = tree.children[tree.child_start[split] : tree.child_start[split + 1]]
        np.testing.assert_array_equal(tree.counts[children].sum(axis=0), tree.counts[node])


def test_a_fold_counts_the_cases_that_were_left_out() -> None:
    data = voting_like()
    learn, left_out = np.arange(0, 60), np.arange(60, 80)
    model = LookaheadTree("I", 2, **protocol.GROWING)
    tree, counts = model._grow_fold(data.columns, data.y, data.classes, learn, left_out)
    assert tree.counts[0].sum() == 60
    [n_no, n_yes] = (int((data.y[left_out] == label).sum()) for label in data.classes)
    assert counts[0].tolist() == [n_no, n_yes]
    assert counts[tree.is_leaf].sum() == 20


def test_cost_complexity_keeps_what_is_plain_and_cuts_what_is_noise() -> None:
    noise = rand30(150, 3)
    plain = replace(noise, y=noise.columns["a7"])
    leaves = {}
    for name, data in {"noise": noise, "plain": plain}.items():
        model = LookaheadTree("I", 2, CostComplexity(), "none").fit(data.columns, data.y, data.classes)
        leaves[name] = model.tree_.n_leaves
    assert leaves["plain"] == 2
    grown = LookaheadTree("I", 2).fit(noise.columns, noise.y, noise.classes)
    assert leaves["noise"] < grown.tree_.n_leaves / 2
