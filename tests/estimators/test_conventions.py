"""What scikit-learn's tools ask of every estimator beyond its own checks: routed arguments, and the path of pruning."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import config_context
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from petree import (
    OptionTreeClassifier,
    ProbabilityTreeClassifier,
    RelationalOptionTreeClassifier,
    RelationalTreeClassifier,
    presets,
)
from petree.pruning import CostComplexity

KINDS = (ProbabilityTreeClassifier, OptionTreeClassifier, RelationalTreeClassifier, RelationalOptionTreeClassifier)
X, Y = load_breast_cancer(return_X_y=True)
X = X[:200, :5]
Y = Y[:200]


@pytest.mark.parametrize("kind", KINDS)
def test_arguments_of_fit_can_be_asked_for(kind: Any) -> None:
    with config_context(enable_metadata_routing=True):
        model = kind().set_fit_request(sample_weight=True, classes=True)
        assert not model.__sklearn_is_fitted__()
        asked = model.get_metadata_routing().fit.requests
    others = {} if kind in (OptionTreeClassifier, RelationalOptionTreeClassifier) else {"groups": None}
    assert asked == {"sample_weight": True, "classes": True} | others


@pytest.mark.parametrize("name", presets)
def test_presets_are_estimators_like_all_others(name: str) -> None:
    model = presets[name]()
    assert not model.__sklearn_is_fitted__()
    with config_context(enable_metadata_routing=True):
        assert model.set_fit_request(classes=True).get_metadata_routing().fit.requests["classes"]


def test_groups_and_classes_come_through_a_pipeline() -> None:
    groups = np.repeat(np.arange(20), 10)
    with config_context(enable_metadata_routing=True):
        model = ProbabilityTreeClassifier(max_depth=2).set_fit_request(groups=True, classes=True)
        pipeline = make_pipeline(FunctionTransformer(), model)
        pipeline.fit(X, Y, groups=groups, classes=[0, 1, 7])
        done = cross_validate(model, X, Y, cv=2, params={"groups": groups, "classes": [0, 1, 7]}, return_estimator=True)
    alone = ProbabilityTreeClassifier(max_depth=2).fit(X, Y, groups=groups, classes=[0, 1, 7])
    np.testing.assert_array_equal(pipeline.predict_proba(X), alone.predict_proba(X))
    assert pipeline[-1].n_classes_ == 3
    assert [one.classes_.tolist() for one in done["estimator"]] == [[0, 1, 7]] * 2


@pytest.mark.parametrize("loss", ["error", "log"])
def test_the_path_has_the_trees_of_its_alphas(loss: str) -> None:
    model = ProbabilityTreeClassifier(pruning=CostComplexity(loss=loss), smoothing="none")
    path = model.cost_complexity_pruning_path(X, Y)
    assert not model.__sklearn_is_fitted__()
    assert path.n_leaves[-1] == 1
    for alpha, impurity, n_leaves in list(zip(path.ccp_alphas, path.impurities, path.n_leaves, strict=True))[::3]:
        pruned = model.set_params(pruning=CostComplexity(loss=loss, alpha=alpha)).fit(X, Y)
        assert pruned.get_n_leaves() == n_leaves
        if loss == "error":
            assert 1 - pruned.score(X, Y) == pytest.approx(impurity)


def test_the_path_of_the_default_has_its_sizes() -> None:
    model = ProbabilityTreeClassifier()
    path = model.cost_complexity_pruning_path(X, Y, np.ones(200))
    assert tuple(path.n_leaves) == model.fit(X, Y).sizes_.n_leaves
    assert np.all(np.diff(path.ccp_alphas) > 0)
    with pytest.raises(ValueError, match="chooses from no path of trees"):
        ProbabilityTreeClassifier(pruning="mdl").cost_complexity_pruning_path(X, Y)
