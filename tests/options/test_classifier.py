"""Option trees as a scikit-learn classifier."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.estimator_checks import check_estimator
from tests.options.made import KINDS, fit, options_of
from tests.strategies import tables

from petree import OptionTreeClassifier, presets
from petree.bayes import Prior
from petree.binning import Quantile
from petree.storage import dumps, loads

VARIANTS = [
    OptionTreeClassifier(),
    presets["ind-option-1"](),
    OptionTreeClassifier("II", lookahead=2, max_depth=3, n_searches=3, class_weight="balanced"),
    OptionTreeClassifier(Prior("III", alpha=2.0, mean="uniform"), binning="exact", n_searches=3, random_state=1),
    OptionTreeClassifier("IV", tests="multiway", binning="entropy", min_samples_leaf=2, n_searches=3, n_jobs=2),
    OptionTreeClassifier("II", n_searches=2, growing="best_first", max_nodes=300, max_seconds=60.0, weights="even"),
]


@pytest.mark.parametrize("estimator", VARIANTS, ids=repr)
def test_contract(estimator):
    check_estimator(estimator, on_skip=None)


@pytest.fixture(scope="module")
def frame():
    """Text, categories, booleans and numbers with missing values."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "tone": rng.choice(["red", "green", "blue"], 240),
            "grade": pd.Categorical(rng.choice(["low", "high"], 240), ["low", "middle", "high"], ordered=True),
            "flag": rng.random(240) < 0.5,
            "size": rng.normal(size=240),
        }
    )
    frame.loc[::7, "tone"] = None
    frame.loc[::5, "size"] = np.nan
    return frame


@pytest.fixture(scope="module")
def labels(frame):
    noise = np.random.default_rng(1).random(240) < 0.1
    return pd.Series(np.where(((frame["tone"] == "red") | (frame["size"] > 1)) ^ noise, "yes", "no"))


@pytest.fixture(scope="module")
def model(frame, labels):
    return OptionTreeClassifier(n_searches=4).fit(frame, labels)


def assert_same(model, other, X):
    np.testing.assert_array_equal(model.predict_proba(X), other.predict_proba(X))
    assert model.tree_.n_nodes == other.tree_.n_nodes
    for node in range(model.tree_.n_nodes):
        assert options_of(model, node) == options_of(other, node)


# -- scikit-learn's tools ---------------------------------------------------------------------------------------------


def test_answers_are_probabilities(model, frame, labels):
    answers = model.predict_proba(frame)
    np.testing.assert_allclose(answers.sum(axis=1), 1)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(frame)), answers)
    assert (model.predict(frame) == model.classes_[answers.argmax(axis=1)]).all()
    assert model.score(frame, labels) > 0.85


def test_clone_keeps_parameters_and_forgets_the_tree(frame, labels):
    model = OptionTreeClassifier(Prior("II", alpha=2.0), binning=Quantile(max_bins=9), max_depth=3).fit(frame, labels)
    copy = clone(model)
    assert not hasattr(copy, "tree_")
    assert copy.prior is not model.prior
    assert repr(copy) == repr(model)
    assert_same(copy.fit(frame, labels), model, frame)


def test_a_fitted_model_does_not_follow_changes_of_its_parameters(frame, labels):
    model = OptionTreeClassifier(Prior("II"), max_depth=2).fit(frame, labels)
    before = model.predict_proba(frame)
    model.set_params(prior__alpha=50.0, prior__mean="uniform")
    np.testing.assert_array_equal(model.predict_proba(frame), before)
    assert (model.fit(frame, labels).predict_proba(frame) != before).any()


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(protocol, model, frame):
    copy = pickle.loads(pickle.dumps(model, protocol))
    assert_same(copy, model, frame)
    assert copy.summary().export_text() == model.summary().export_text()
    assert repr(pickle.loads(pickle.dumps(OptionTreeClassifier(max_depth=3)))) == "OptionTreeClassifier(max_depth=3)"


def test_models_come_back_from_a_file(model, frame):
    again = loads(dumps(model))
    assert_same(again, model, frame)
    assert dumps(again) == dumps(model)


def test_parameters_of_the_prior_can_be_searched(frame, labels):
    grid = {"prior__alpha": [0.5, 8.0], "max_options": [1, 4]}
    search = GridSearchCV(OptionTreeClassifier(Prior(), max_depth=3), grid, scoring="neg_log_loss", cv=3)
    search.fit(frame, labels)
    assert search.best_estimator_.prior_.alpha == search.best_params_["prior__alpha"]
    assert len(set(search.cv_results_["mean_test_score"].tolist())) == 4


def test_cross_validation_of_a_frame_with_text(frame, labels):
    assert cross_val_score(OptionTreeClassifier(), frame, labels, scoring="roc_auc").min() > 0.7


# -- what must not matter ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_jobs", [2, -1])
def test_threads_do_not_matter(n_jobs, model, frame, labels):
    other = OptionTreeClassifier(n_searches=4, n_jobs=n_jobs).fit(frame, labels)
    many = pd.concat([frame] * 10, ignore_index=True)
    assert_same(other, model, many)
    for bound, same in zip(other.predict_interval(frame), model.predict_interval(frame), strict=True):
        np.testing.assert_array_equal(bound, same)


@settings(max_examples=15)
@given(table=tables(max_rows=20, kinds=KINDS), data=st.data())
def test_the_order_of_rows_does_not_matter(table, data):
    shuffled = table.take(data.draw(st.permutations(range(len(table.labels)))))
    model, other = fit(table, max_depth=3), fit(shuffled, max_depth=3)
    assert_same(model, other, table.frame)


def test_columns_of_very_many_values(labels):
    """More than one byte can tell apart, beside columns that need no more."""
    rng = np.random.default_rng(3)
    X = pd.DataFrame({"few": rng.integers(0, 5, 600), "many": rng.normal(size=600), "some": rng.normal(size=600)})
    y = (X["many"] + X["few"] / 3 + rng.normal(size=600) / 3 > 0.6).to_numpy()
    exact = OptionTreeClassifier(binning="exact", max_depth=3).fit(X, y)
    bins = OptionTreeClassifier(max_depth=3).fit(X, y)
    assert np.abs(exact.predict_proba(X) - bins.predict_proba(X)).mean() < 0.05
    assert exact.tree_.conditions.columns[exact.tree_.conditions.column[0]].name == "many"


# -- input ------------------------------------------------------------------------------------------------------------


def test_declared_classes_without_rows():
    X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "c", "c"]
    base_rate = OptionTreeClassifier().fit(X, y, classes=["a", "b", "c"])
    assert base_rate.classes_.tolist() == ["a", "b", "c"]
    assert (base_rate.predict_proba(X)[:, 1] == 0).all()
    np.testing.assert_allclose(base_rate.predict_proba(X)[:, [0, 2]], OptionTreeClassifier().fit(X, y).predict_proba(X))
    uniform = OptionTreeClassifier(Prior(mean="uniform")).fit(X, y, classes=["a", "b", "c"])
    assert (uniform.predict_proba(X)[:, 1] > 0).all()
    with pytest.raises(ValueError, match="'c'"):
        OptionTreeClassifier().fit(X, y, classes=["a", "b"])


def test_rows_without_weight_are_not_there(frame, labels):
    weights = np.where(np.arange(240) % 3 == 0, 0, 1)
    some = OptionTreeClassifier(n_searches=4).fit(frame[weights > 0], labels[weights > 0])
    assert_same(OptionTreeClassifier(n_searches=4).fit(frame, labels, weights), some, frame)


def test_a_column_without_values_is_left_out():
    X = {"empty": [None, None, None, None], "n": [1, 2, 3, 4]}
    with pytest.warns(UserWarning, match="'empty' has no values at all") as caught:
        model = OptionTreeClassifier().fit(X, [0, 0, 1, 1])
    assert caught[0].filename == __file__
    assert set(model.tree_.conditions.column.tolist()) == {1}


def test_columns_that_cannot_divide_leave_a_root():
    model = OptionTreeClassifier().fit({"same": [5, 5, 5], "word": ["a", "a", "a"]}, [0, 1, 1])
    assert model.tree_.n_nodes == 1
    np.testing.assert_allclose(model.predict_proba({"same": [7], "word": ["b"]}), [[1 / 3, 2 / 3]])
    assert model.summary().get_n_leaves() == 1


def test_a_fit_that_fails_leaves_the_model_as_it_was(model, frame):
    before = model.predict_proba(frame)
    with pytest.raises(ValueError, match="only one class"):
        model.fit(frame[["size"]], ["yes"] * 240)
    np.testing.assert_array_equal(model.predict_proba(frame), before)
    unfitted = OptionTreeClassifier()
    with pytest.raises(ValueError, match="only one class"):
        unfitted.fit(frame, ["yes"] * 240)
    assert not hasattr(unfitted, "n_features_in_")


PARAMETERS = [
    (
        {"prior": "V"},
        ValueError,
        "'prior' parameter must be one of I, II, III, IV, cautious, averaged, drawn, or a Prior. Got 'V'",
    ),
    (
        {"prior": None},
        TypeError,
        "'prior' parameter must be one of I, II, III, IV, cautious, averaged, drawn, or a Prior. Got None",
    ),
    ({"prior": Prior(alpha=-1)}, ValueError, "'alpha' parameter of Prior .* Got -1"),
    ({"prior": Prior("II", omega=2)}, ValueError, "'omega' parameter of Prior .* Got 2"),
    ({"prior": Prior(mean="median")}, ValueError, "'mean' parameter of Prior .* Got 'median'"),
    ({"prior": Prior(shrink=0)}, ValueError, "'shrink' parameter of Prior .* Got 0"),
    ({"prior": Prior(power=1.5)}, ValueError, "'power' parameter of Prior .* above 0 and not above 1. Got 1.5"),
    ({"prior": Prior(penalties={"size": 0})}, ValueError, "'penalties' parameter of Prior .* above 0"),
    ({"prior": Prior(penalties=["size"])}, ValueError, r"'penalties' parameter of Prior .* Got \['size'\]"),
    ({"prior": Prior(penalties={"age": 0.5})}, ValueError, "penalises the column 'age', but the tree has size, tone"),
    ({"lookahead": 0}, ValueError, "'lookahead' .* integer not below 1. Got 0"),
    ({"lookahead": None}, ValueError, "'lookahead' .* Got None"),
    ({"max_options": 0}, ValueError, "'max_options' .* integer not below 1. Got 0"),
    ({"max_options": 2.0}, ValueError, "'max_options' .* Got 2.0"),
    ({"option_depth": 0}, ValueError, "'option_depth' .* integer not below 1. Got 0"),
    ({"option_depth": 1.5}, ValueError, "'option_depth' .* Got 1.5"),
    ({"factor": 0}, ValueError, "'factor' .* above 0 and not above 1. Got 0"),
    ({"factor": 1.5}, ValueError, "'factor' .* Got 1.5"),
    ({"factor": "0.1"}, ValueError, "'factor' .* Got '0.1'"),
    ({"max_depth": 0}, ValueError, "'max_depth' .* integer not below 1. Got 0"),
    ({"max_depth": None}, ValueError, "'max_depth' .* Got None"),
    ({"max_depth": 101}, ValueError, "'max_depth' .* not be above 100, .* Got 101"),
    ({"tests": "ternary"}, ValueError, "'tests' .* binary, multiway. Got 'ternary'"),
    ({"binning": "foo"}, ValueError, "binning 'foo'; valid names are entropy, exact, quantile"),
    ({"min_samples_leaf": 0}, ValueError, "'min_samples_leaf' .* integer not below 1. Got 0"),
    ({"min_samples_leaf": True}, ValueError, "'min_samples_leaf' .* Got True"),
    ({"max_nodes": 0}, ValueError, "'max_nodes' .* integer not below 1. Got 0"),
    ({"n_searches": 0}, ValueError, "'n_searches' .* integer not below 1. Got 0"),
    ({"max_features": 0}, ValueError, "'max_features' .* integer not below 1. Got 0"),
    ({"max_features": "log2"}, ValueError, "'max_features' .* Got 'log2'"),
    ({"random_state": -1}, ValueError, "'random_state' .* Got -1"),
    ({"class_weight": "even"}, ValueError, "'class_weight' parameter must be None, 'balanced' or a dict"),
    ({"categorical_features": ["taste"]}, ValueError, "categorical_features names 'taste'"),
    ({"n_jobs": 0}, ValueError, "'n_jobs' .* Got 0"),
]


@pytest.mark.parametrize(("parameters", "error", "words"), PARAMETERS, ids=[str(case[0]) for case in PARAMETERS])
def test_parameters(parameters, error, words):
    frame = pd.DataFrame({"size": [1.0, 2.0, 3.0, 4.0], "tone": ["red", "red", "blue", "blue"]})
    with pytest.raises(error, match=words):
        OptionTreeClassifier(**parameters).fit(frame, [0, 1, 0, 1])


def test_numbers_of_numpy_are_numbers(frame, labels):
    model = OptionTreeClassifier(max_depth=np.int32(2), max_options=np.int64(3), factor=np.float32(0.5))
    assert_same(
        model.fit(frame, labels), OptionTreeClassifier(max_depth=2, max_options=3, factor=0.5).fit(frame, labels), frame
    )
