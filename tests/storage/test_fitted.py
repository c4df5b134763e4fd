"""Grown models: saved and loaded, they say the same in every respect."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plain import plain_classifier
from tests.strategies import RawTable, tables

from petree import smoothing
from petree.estimators.intervals.certainty import Certainty
from petree.estimators.tree import ProbabilityTreeClassifier
from petree.estimators.tuning.grid import candidates_of, to_be_tuned
from petree.reading import export_text, rules, to_frame, to_html
from petree.storage import dumps, loads

WEIGHTED = st.sampled_from(("none", "whole", "fractions", "classes")).flatmap(lambda weights: tables(weights))


def fitted(table: RawTable, **parameters: object) -> ProbabilityTreeClassifier:
    present = {label: weight for label, weight in (table.class_weight or {}).items() if label in table.labels}
    model = plain_classifier(class_weight=present or None, **parameters)
    return model.fit(table.frame, table.y, sample_weight=table.sample_weight)


@settings(deadline=None)
@given(WEIGHTED, st.sampled_from(("binary", "multiway")), st.sampled_from(("none", "laplace")))
def test_a_loaded_model_predicts_the_same(table: RawTable, tests: str, smoothing: str) -> None:
    model = fitted(table, tests=tests, smoothing=smoothing)
    again = loads(dumps(model))
    assert dumps(again) == dumps(model)
    assert again.columns_ == model.columns_
    np.testing.assert_array_equal(again.node_probabilities_, model.node_probabilities_, strict=True)
    np.testing.assert_array_equal(again.predict_proba(table.frame), model.predict_proba(table.frame), strict=True)
    np.testing.assert_array_equal(again.predict(table.frame), model.predict(table.frame), strict=True)
    np.testing.assert_array_equal(again.apply(table.frame), model.apply(table.frame), strict=True)
    np.testing.assert_array_equal(again.feature_names_in_, model.feature_names_in_, strict=True)
    assert again.get_params().keys() == model.get_params().keys()


@settings(deadline=None, max_examples=13)
@given(WEIGHTED, st.sampled_from(("binary", "multiway")))
def test_a_loaded_model_reads_the_same(table: RawTable, tests: str) -> None:
    model = fitted(table, tests=tests)
    again = loads(dumps(model))
    assert export_text(again) == export_text(model)
    assert rules(again) == rules(model)
    assert to_html(again) == to_html(model)
    assert to_frame(again).equals(to_frame(model))
    assert len(rules(model)) == model.get_n_leaves()
    assert len(export_text(model).splitlines()) == 1 + model.tree_.n_nodes


@pytest.mark.parametrize("binning", ["quantile", "exact", "entropy"])
def test_columns_without_names(binning: str) -> None:
    X = np.random.default_rng(0).normal(size=(60, 3))
    model = plain_classifier(binning=binning, random_state=np.random.RandomState(0)).fit(X, X[:, 0] > 0.3)
    again = loads(dumps(model))
    assert not hasattr(again, "feature_names_in_")
    assert again.n_features_in_ == 3
    np.testing.assert_array_equal(again.predict(X), X[:, 0] > 0.3, strict=True)


# -- smoothings ----------------------------------------------------------------------------------------------------

MEMBERS = [member() for member in smoothing.MEMBERS.values()]
X = np.random.default_rng(1).normal(size=(80, 3))
Y = X[:, 0] + np.random.default_rng(2).normal(size=80) > 0


def plain_parameters(part: object) -> dict[str, object]:
    """All parameters that are not made of others, by name: a tuple comes back as a list, which is no difference."""
    return {name: value for name, value in part.get_params().items() if isinstance(value, (int, float, str))}


@pytest.mark.parametrize("alias", smoothing.MEMBERS)
def test_the_smoothing_that_was_used_comes_back(alias: str) -> None:
    model = plain_classifier(smoothing=alias).fit(X, Y)
    again = loads(dumps(model))
    assert again.smoothing == alias
    assert type(again.smoothing_) is type(model.smoothing_)
    assert plain_parameters(again.smoothing_) == plain_parameters(model.smoothing_)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    for bound, same in zip(again.predict_interval(X), model.predict_interval(X), strict=True):
        np.testing.assert_array_equal(bound, same)


@pytest.mark.parametrize("member", [member for member in MEMBERS if candidates_of(member)], ids=repr)
def test_chosen_values_come_back_without_fitting(member: object) -> None:
    model = plain_classifier(smoothing=to_be_tuned(member)).fit(X, Y)
    again = loads(dumps(model))
    for part, same in ((again.smoothing, model.smoothing), (again.smoothing_, model.smoothing_)):
        assert plain_parameters(part) == plain_parameters(same)
    assert "auto" in plain_parameters(again.smoothing).values()
    assert plain_parameters(again.smoothing_).items() >= model.tuning_.chosen.items()
    assert again.tuning_ == model.tuning_
    assert getattr(again, "certainty_", None) == getattr(model, "certainty_", None)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert dumps(again) == dumps(model)


def test_the_loss_of_each_size_comes_back_without_its_tree() -> None:
    model = ProbabilityTreeClassifier().fit(X, Y)
    again = loads(dumps(model))
    assert (again.sizes_.n_leaves, again.sizes_.bits) == (model.sizes_.n_leaves, model.sizes_.bits)
    assert repr(again.sizes_) == repr(model.sizes_)
    assert dumps(again) == dumps(model)
    with pytest.raises(ValueError, match="or it comes from a file"):
        again.resized(2)
    data = json.loads(dumps(model))
    del data["sizes"]  # as in files of earlier versions
    assert not hasattr(loads(json.dumps(data)), "sizes_")


def test_what_leaves_are_worth_comes_back_or_is_as_before() -> None:
    model = ProbabilityTreeClassifier().fit(X, Y)
    data = json.loads(dumps(model))
    assert data["certainty"] == {"each": model.certainty_.each, "most": model.certainty_.most}
    for bound, same in zip(loads(json.dumps(data)).predict_interval(X), model.predict_interval(X), strict=True):
        np.testing.assert_array_equal(bound, same)
    del data["certainty"]
    assert not hasattr(loads(json.dumps(data)), "certainty_")
    endless = json.dumps(data | {"certainty": {"each": 1.0, "most": {"float": "inf"}}})
    assert loads(endless).certainty_ == Certainty()
    assert loads(dumps(loads(endless))).certainty_ == Certainty()


def test_a_file_that_does_not_name_its_smoothing_has_that_of_its_parameters() -> None:
    model = plain_classifier(smoothing=smoothing.MEstimate(m=7.0)).fit(X, Y)
    data = json.loads(dumps(model))
    del data["smoothing"]
    again = loads(json.dumps(data))
    assert again.smoothing_.get_params() == {"m": 7.0, "prior": "uniform"}
    assert dumps(again) == dumps(model)
    data["parameters"]["smoothing"]["parameters"]["m"] = "auto"
    with pytest.raises(ValueError, match=r"is damaged: .*auto"):
        loads(json.dumps(data))


def test_parts_of_an_average_that_were_tuned_apart_are_kept() -> None:
    leaves = smoothing.Hierarchical("auto"), smoothing.MBranch("auto")
    parts = tuple(smoothing.Doubt("auto", leaf) for leaf in leaves)
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 3))
    model = plain_classifier(smoothing=smoothing.Average(parts)).fit(X, X[:, 0] > random.normal(size=60))
    again = loads(dumps(model))
    assert len(again.tuning_.parts) == 2
    assert again.tuning_ == model.tuning_
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("smoothing", ["laplace", "default"])
def test_constraints_come_back_and_are_kept(smoothing: str) -> None:
    random = np.random.default_rng(4)
    X = {name: random.normal(size=120).round(1) for name in "abc"}
    y = X["a"] + X["b"] * X["c"] + random.normal(size=120) > 0
    model = plain_classifier(smoothing=smoothing, monotonic_cst={"a": 1}, interaction_cst=[{"a", "b"}, {2}])
    model.fit(X, y)
    again = loads(dumps(model))
    assert again.monotonic_cst == {"a": 1}
    assert again.interaction_cst == [["a", "b"], [2]]
    np.testing.assert_array_equal(again.node_probabilities_, model.node_probabilities_, strict=True)
    assert (again.node_probabilities_ != again.smoothing_.estimate(again.tree_)).any()
    assert dumps(again) == dumps(model)


def test_a_file_of_a_column_that_is_not_there_is_damaged() -> None:
    X = np.random.default_rng(0).normal(size=(30, 2))
    model = plain_classifier(monotonic_cst=[1, 0]).fit(X, X[:, 0] > 0)
    text = dumps(model).replace('"monotonic_cst":[1,0]', '"monotonic_cst":[1,0,1]')
    with pytest.raises(ValueError, match="for each of the 2 columns"):
        loads(text)
