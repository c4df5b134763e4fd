"""The classifier keeps scikit-learn's contract, and works inside scikit-learn's own tools."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator
from tests.plain import plain_classifier

from petree import ProbabilityTreeClassifier, pruning, smoothing, splitting
from petree.binning import Quantile
from petree.estimators.tuning.grid import to_be_tuned
from petree.smoothing import Laplace

# In a pure leaf without smoothing no class weight can bring another class back, so leaves must not all be pure.
# Shrinkage can leave the leaf nearly all the weight.
NEEDS = {"none": {"min_samples_leaf": 10}, "shrinkage": {"min_samples_leaf": 10}}
# All are tuned in one way, but for those that answer by the row.
TUNED = [smoothing.MEstimate(), smoothing.Confusion()]
VARIANTS = [
    ProbabilityTreeClassifier(),
    ProbabilityTreeClassifier(honest=True, update_ratio=1),
    plain_classifier(tests="sets"),
    plain_classifier(tests="multiway"),
    plain_classifier(binning="exact"),
    plain_classifier(binning="entropy"),
    plain_classifier(n_jobs=2),
    *(plain_classifier(split=alias) for alias in splitting.MEMBERS),
    *(plain_classifier(smoothing=alias, **NEEDS.get(alias, {})) for alias in smoothing.MEMBERS),
    *(plain_classifier(smoothing=to_be_tuned(member)) for member in TUNED),
]


# One test for all checks of an estimator, since there are thousands and each takes milliseconds.
@pytest.mark.parametrize("estimator", VARIANTS, ids=repr)
def test_contract(estimator: Any) -> None:
    check_estimator(estimator, on_skip=None)


# Few permutations, so that the checks do not take long.
QUICK = {"subtree_randomisation": pruning.SubtreeRandomisation(permutations=10)}
PRUNED = [plain_classifier(pruning=QUICK.get(alias, alias)) for alias in pruning.MEMBERS]
DRAWN = "Rows are drawn, and a row of weight 2 is or is not, while of two copies one may be."


def failures_of_pruned(estimator: Any) -> dict[str, str]:
    """Checks that no criterion can pass that draws rows."""
    draws = isinstance(pruning.resolve_pruning(estimator.pruning), pruning.Sampled)
    return {"check_sample_weight_equivalence_on_dense_data": DRAWN} if draws else {}


@pytest.mark.parametrize("estimator", PRUNED, ids=repr)
def test_contract_of_pruned_trees(estimator: Any) -> None:
    check_estimator(estimator, on_skip=None, expected_failed_checks=failures_of_pruned(estimator))


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    """Text, categories, booleans and numbers with missing values."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "tone": rng.choice(["red", "green", "blue"], 240),
            "grade": pd.Categorical(rng.choice(["low", "high"], 240), ["low", "high"], ordered=True),
            "flag": rng.random(240) < 0.5,
            "size": rng.normal(size=240),
        },
        index=rng.permutation(240),
    )
    frame.loc[frame.index[::7], "tone"] = None
    frame.loc[frame.index[::5], "size"] = np.nan
    return frame


@pytest.fixture(scope="module")
def labels(frame: pd.DataFrame) -> pd.Series:
    return pd.Series(np.where((frame["tone"] == "red") | (frame["size"] > 1), "yes", "no"), index=frame.index)


def test_clone_keeps_parameters_and_forgets_the_tree(frame: pd.DataFrame, labels: pd.Series) -> None:
    model = plain_classifier(binning=Quantile(max_bins=9), max_depth=3, class_weight={"yes": 2}).fit(frame, labels)
    copy = clone(model)
    assert not hasattr(copy, "tree_")
    assert copy.binning is not model.binning
    assert repr(copy) == repr(model)
    np.testing.assert_array_equal(copy.fit(frame, labels).predict_proba(frame), model.predict_proba(frame))


def test_fit_leaves_the_parameters_alone(frame: pd.DataFrame, labels: pd.Series) -> None:
    model = plain_classifier(smoothing=Laplace(), binning="entropy", class_weight="balanced")
    before = model.get_params()
    assert model.fit(frame, labels).get_params() == before


def test_set_params_reaches_the_parts() -> None:
    model = plain_classifier(binning=Quantile()).set_params(binning__max_bins=5, max_depth=2)
    assert (model.binning.max_bins, model.max_depth) == (5, 2)
    assert "binning__max_bins" in model.get_params()
    with pytest.raises(ValueError, match="Invalid parameter 'depth'"):
        model.set_params(depth=3)


def test_grid_search_over_a_part(frame: pd.DataFrame, labels: pd.Series) -> None:
    grid = {"binning__max_bins": [2, 64], "smoothing": ["none", "laplace"]}
    model = plain_classifier(binning=Quantile(), min_samples_leaf=5)
    search = GridSearchCV(model, grid, scoring="neg_log_loss", error_score="raise").fit(frame, labels)
    assert search.best_params_["binning__max_bins"] == 64
    assert search.best_estimator_.binning.max_bins == 64
    scores = search.cv_results_["mean_test_score"]
    assert len(scores) == 4
    assert len(set(scores.tolist())) == 4


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(protocol: int, frame: pd.DataFrame, labels: pd.Series) -> None:
    model = plain_classifier(class_weight={"yes": 3}).fit(frame, labels)
    copy = pickle.loads(pickle.dumps(model, protocol))
    np.testing.assert_array_equal(copy.predict_proba(frame), model.predict_proba(frame))
    np.testing.assert_array_equal(copy.predict(frame), model.predict(frame))
    np.testing.assert_array_equal(copy.apply(frame), model.apply(frame))
    assert copy.columns_ == model.columns_
    assert copy.export_text() == model.export_text()
    assert repr(pickle.loads(pickle.dumps(plain_classifier(max_depth=3)))) == repr(plain_classifier(max_depth=3))


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_joblib(backend: str, frame: pd.DataFrame, labels: pd.Series) -> None:
    models = [plain_classifier(max_depth=depth, n_jobs=2) for depth in (1, 2, 3, None)]
    fitted = Parallel(n_jobs=2, backend=backend)(delayed(model.fit)(frame, labels) for model in models)
    for model, elsewhere in zip(models, fitted, strict=True):
        here = clone(model).fit(frame, labels)
        np.testing.assert_array_equal(elsewhere.predict_proba(frame), here.predict_proba(frame))


@pytest.mark.parametrize("tests", ["binary", "sets", "multiway"])
def test_cross_validation_of_a_frame_with_text(tests: str, frame: pd.DataFrame, labels: pd.Series) -> None:
    model = plain_classifier(tests=tests, min_samples_leaf=3)
    scores = cross_val_score(model, frame, labels, scoring="roc_auc", error_score="raise")
    assert scores.min() > 0.9
    answers = cross_val_predict(model, frame, labels, method="predict_proba")
    np.testing.assert_allclose(answers.sum(axis=1), 1)


def test_pipelines(frame: pd.DataFrame, labels: pd.Series) -> None:
    plain = plain_classifier(max_depth=4).fit(frame, labels)
    piped = Pipeline([("tree", plain_classifier())]).set_params(tree__max_depth=4).fit(frame, labels)
    np.testing.assert_array_equal(piped.predict_proba(frame), plain.predict_proba(frame))
    steps = make_pipeline(SimpleImputer(), StandardScaler(), plain_classifier()).set_output(transform="pandas")
    steps.fit(frame[["size"]], labels)
    assert steps[-1].feature_names_in_.tolist() == ["size"]
    assert steps.score(frame[["size"]], labels) > 0.7


def test_weights_pass_through_other_estimators(frame: pd.DataFrame, labels: pd.Series) -> None:
    numbers = frame[["size"]]
    bagged = BaggingClassifier(plain_classifier(max_depth=3), n_estimators=5, random_state=0).fit(numbers, labels)
    calibrated = CalibratedClassifierCV(plain_classifier(max_depth=3), cv=3)
    calibrated.fit(numbers, labels, sample_weight=np.ones(len(labels)))
    for model in (bagged, calibrated):
        np.testing.assert_allclose(model.predict_proba(numbers).sum(axis=1), 1)
        assert model.score(numbers, labels) > 0.7


def test_parameters_of_parts_that_are_aliases(frame: pd.DataFrame) -> None:
    """An alias becomes an object once it gets a parameter, alone or together with the alias."""
    model = plain_classifier(pruning="rand", smoothing="m_estimate").set_params(pruning__alpha=0.2, smoothing__m=7.0)
    assert (repr(model.pruning), repr(model.smoothing)) == ("Rand(alpha=0.2)", "MEstimate(m=7.0)")
    assert repr(model.set_params(pruning="chi", pruning__alpha=0.3).pruning) == "Chi(alpha=0.3)"
    assert model.set_params(pruning="mdl", binning="quantile").pruning == "mdl"
    with pytest.raises(ValueError, match="Invalid parameter 'omega'"):
        model.set_params(pruning__omega=1)
    labels = np.where(np.arange(len(frame)) % 3 == 0, "yes", "no")
    search = GridSearchCV(plain_classifier(pruning="chi"), {"pruning__alpha": [0.01, 0.9]}, cv=3, n_jobs=1)
    assert search.fit(frame, labels).best_params_["pruning__alpha"] in (0.01, 0.9)
