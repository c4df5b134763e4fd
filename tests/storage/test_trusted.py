"""Other ways to keep models: skops, with the types that it is told to trust, and MLflow."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

import petree
from petree import OptionTreeClassifier, ProbabilityTreeClassifier, binning, pruning, smoothing, splitting

X, Y = load_iris(return_X_y=True)


MODELS = {
    "default": lambda: ProbabilityTreeClassifier().fit(X, Y),
    "cut": lambda: ProbabilityTreeClassifier().fit(X, Y).cut([0]),
    "first": lambda: ProbabilityTreeClassifier(pruning="rand", smoothing="doubt", first_test="x2").fit(X, Y),
    "bayes": lambda: ProbabilityTreeClassifier("bayes", "map", "bayes", binning="exact", honest=True).fit(X, Y),
    "options": lambda: OptionTreeClassifier(n_searches=2).fit(X, Y),
}


def test_all_parts_are_among_the_types() -> None:
    types = petree.trusted_types()
    assert types == sorted(set(types))
    for family in (splitting, pruning, smoothing, binning):
        for member in family.MEMBERS.values():
            assert f"{member.__module__}.{member.__qualname__}" in types
    assert "petree.estimators.tree.ProbabilityTreeClassifier" in types


@pytest.mark.parametrize("name", MODELS)
def test_skops_reads_what_it_wrote(name: str) -> None:
    skops = pytest.importorskip("skops.io", reason="skops is not installed")
    model = MODELS[name]()
    written = skops.dumps(model)
    assert set(skops.get_untrusted_types(data=written)) <= set(petree.trusted_types())
    again = skops.loads(written, trusted=petree.trusted_types())
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.export_text() == model.export_text()


@pytest.mark.filterwarnings("ignore")
def test_mlflow_keeps_a_model(tmp_path: Path) -> None:
    mlflow = pytest.importorskip("mlflow.sklearn", reason="MLflow is not installed")
    pytest.importorskip("skops", reason="skops is not installed, in which MLflow writes models")
    model = MODELS["default"]()
    mlflow.save_model(model, str(tmp_path / "model"), skops_trusted_types=petree.trusted_types())
    again = mlflow.load_model(str(tmp_path / "model"))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
