"""The most probable single trees of an option tree."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bayes.made import PRIORS, option_trees
from tests.bayes.oracles import contained as trees_of
from tests.bayes.oracles import option_posterior
from tests.options.made import KINDS, ONE_SEARCH, pair, priors
from tests.options.trees import contained, grow, n_leaves, posterior
from tests.strategies import tables

from lab.papers.data.generators import led7
from petree import OptionTreeClassifier, ProbabilityTreeClassifier, presets
from petree.bayes.summary import most_probable
from petree.storage import dumps, loads

LEAVES = st.sampled_from((1, 2, 3, 4, 6, 50, None))


def posterior_of(model, tree):
    """Logarithm of the posterior probability of one tree: of its leaves and of its splits."""
    return model.prior_.leaves(tree)[tree.is_leaf].sum() + model.prior_.splits(tree).sum()


@settings(max_examples=30)
@given(
    table=tables(max_rows=10, kinds=KINDS), prior=priors(), tests=st.sampled_from(("binary", "multiway")), most=LEAVES
)
def test_no_tree_of_so_many_leaves_is_more_probable(table, prior, tests, most):
    model, world = pair(table, prior=prior, tests=tests, max_depth=2)
    found = [one for one in contained(grow(world)) if most is None or n_leaves(one) <= most]
    summary = model.summary(most)
    assert most is None or summary.get_n_leaves() <= most
    assert posterior_of(model, summary.tree_) == pytest.approx(max(map(posterior, found)), rel=1e-9, abs=1e-9)


def sub_leaves(one):
    return sum(map(sub_leaves, one[2])) if one[2] else 1


@settings(max_examples=50)
@given(option_trees(), PRIORS, LEAVES)
def test_any_tree_with_options(tree, prior, most):
    """Trees that nobody grew, with shared children and children of three."""
    found = [one for one in trees_of(tree) if most is None or sub_leaves(one) <= most]
    expected = max(option_posterior(prior, tree, one) for one in found)
    single = most_probable(tree, prior.leaves(tree), prior.splits(tree), most)
    assert not single.is_dag
    assert most is None or single.n_leaves <= most
    value = prior.leaves(single)[single.is_leaf].sum() + prior.splits(single).sum()
    assert value == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_of_equal_trees_the_smallest():
    """Where a split changes nothing, the leaf stands for it."""
    X, y = [["a"], ["a"], ["b"], ["b"]], [0, 1, 0, 1]
    assert OptionTreeClassifier().fit(X, y).summary().get_n_leaves() == 1


@pytest.fixture(scope="module")
def model():
    data = led7(300, 0)
    return presets["ind-option-1"](prior="II").fit(data.columns, data.y)


def test_more_leaves_are_never_less_probable(model):
    values = [posterior_of(model, model.summary(most).tree_) for most in range(1, 30)]
    assert (np.diff(values) >= -1e-9).all()
    assert values[-1] == pytest.approx(posterior_of(model, model.summary(None).tree_))
    assert values[0] == pytest.approx(model.prior_.leaves(model.tree_)[0])
    assert len(set(np.round(values, 6))) > 10


def test_a_summary_is_a_fitted_classifier(model):
    data = led7(2000, 1)
    summary = model.summary(8)
    assert isinstance(summary, ProbabilityTreeClassifier)
    assert summary.get_n_leaves() == 8
    assert summary.export_text().count("\n") >= 8
    assert len(summary.rules()) == 8
    assert summary.classes_.tolist() == model.classes_.tolist()
    assert summary.feature_names_in_.tolist() == list(data.columns)
    answers = summary.predict_proba(data.columns)
    np.testing.assert_allclose(answers.sum(axis=1), 1)
    assert summary.score(data.columns, data.y) > 0.5
    assert model.score(data.columns, data.y) > summary.score(data.columns, data.y)


def test_a_summary_is_smoothed_over_its_prunings_with_the_same_prior():
    """Its nodes weigh what they weigh in the option tree, the penalties of cuts included."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"size": rng.normal(size=100), "tone": rng.choice(["red", "blue"], 100)})
    y = (X["size"] > 0) ^ (rng.random(100) < 0.2)
    grown = OptionTreeClassifier(prior="I", max_options=1, max_depth=1, **ONE_SEARCH).fit(X, y)
    single = grown.summary(2)
    assert single.tree_.n_nodes == grown.tree_.n_nodes == 3
    assert single.tree_.split_annotations["cut_penalty"][0] < 0
    np.testing.assert_allclose(single.predict_proba(X), grown.predict_proba(X), rtol=1e-12)


def test_a_summary_comes_back_from_a_file(model):
    summary = model.summary(5)
    again = loads(dumps(summary))
    data = led7(50, 2)
    np.testing.assert_array_equal(again.predict_proba(data.columns), summary.predict_proba(data.columns))
    assert again.export_text() == summary.export_text()


@pytest.mark.parametrize("most", [0, -1, 2.5, "3"])
def test_other_numbers_of_leaves_are_refused(model, most):
    with pytest.raises(ValueError, match=f"at least 1 leaf.* Got {most!r}"):
        model.summary(most)
