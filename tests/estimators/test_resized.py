"""The size of a fit, asked for again, is the model that was fitted; where there are no sizes, an error says why."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

import petree
from petree import ProbabilityTreeClassifier
from petree.demo import make_loans


@pytest.fixture(scope="module")
def fitted() -> ProbabilityTreeClassifier:
    return ProbabilityTreeClassifier().fit(*make_loans())


def assert_same_model(one: Any, other: Any) -> None:
    np.testing.assert_array_equal(one.node_probabilities_, other.node_probabilities_)
    assert repr(one.smoothing_) == repr(other.smoothing_)
    assert one.tuning_ == other.tuning_
    assert one.certainty_ == other.certainty_
    assert one.why() == other.why()


def test_the_size_that_was_chosen_is_the_model_itself(fitted: ProbabilityTreeClassifier) -> None:
    n_leaves = fitted.get_n_leaves()
    assert_same_model(fitted.resized(n_leaves), fitted)
    assert_same_model(fitted.resized(20).resized(1).resized(n_leaves), fitted)
    assert_same_model(pickle.loads(pickle.dumps(fitted.resized(20))).resized(n_leaves), fitted)


def test_a_size_does_not_depend_on_the_way_to_it(fitted: ProbabilityTreeClassifier) -> None:
    twenty = fitted.resized(20).node_probabilities_
    np.testing.assert_array_equal(fitted.resized(fitted.get_n_leaves()).resized(20).node_probabilities_, twenty)
    np.testing.assert_array_equal(fitted.resized(1).resized(20).node_probabilities_, twenty)


def test_a_new_fit_forgets_the_old_size(fitted: ProbabilityTreeClassifier) -> None:
    loans, repaid = make_loans(300, seed=5)
    again = clone(fitted).fit(*make_loans()).resized(20).set_params(max_leaf_nodes=None).fit(loans, repaid)
    fresh = ProbabilityTreeClassifier().fit(loans, repaid)
    assert_same_model(again.resized(fresh.get_n_leaves()), fresh)


def test_a_single_leaf_that_was_chosen_is_the_model_itself() -> None:
    random = np.random.default_rng(0)
    noise = ProbabilityTreeClassifier().fit(random.normal(size=(200, 4)), random.integers(0, 2, 200))
    assert noise.get_n_leaves() == 1
    assert_same_model(noise.resized(1), noise)


@pytest.mark.parametrize("size", [0, -3, 2.5, True, "12", None])
def test_other_sizes_are_refused_as_what_resized_was_given(fitted: ProbabilityTreeClassifier, size: Any) -> None:
    words = r"^The argument of resized\(max_leaf_nodes\), .* must be an integer not below 1\. Got"
    with pytest.raises(ValueError, match=words):
        fitted.resized(size)


@pytest.mark.parametrize(
    ("settings", "name", "sentence"),
    [
        ({"pruning": "rand"}, "sizes_", "there is only the size that it has. Fit with pruning='best_size'"),
        ({"honest": True}, "sizes_", "and honest=False"),
        ({"smoothing": "laplace"}, "tuning_", "no parameter of its smoothing was 'auto'"),
        ({"pruning": "none", "smoothing": "laplace"}, "certainty_", "intervals go by the counts. Fit with"),
    ],
)
def test_what_a_fit_did_not_leave_is_told(settings: dict[str, Any], name: str, sentence: str) -> None:
    model = ProbabilityTreeClassifier(**settings).fit(*make_loans())
    assert not hasattr(model, name)
    with pytest.raises(AttributeError, match=f"This ProbabilityTreeClassifier has no '{name}'") as refused:
        getattr(model, name)
    assert sentence in str(refused.value)


def test_a_model_from_a_file_knows_the_loss_of_each_size(fitted: ProbabilityTreeClassifier, tmp_path: Path) -> None:
    petree.save(fitted, tmp_path / "model.json")
    loaded = petree.load(tmp_path / "model.json")
    assert (loaded.sizes_.n_leaves, loaded.sizes_.bits) == (fitted.sizes_.n_leaves, fitted.sizes_.bits)
    with pytest.raises(ValueError, match=r"This model has one size only: .* comes from a file\. Fit one with"):
        loaded.resized(2)


def test_before_a_fit_there_is_nothing() -> None:
    model = ProbabilityTreeClassifier()
    assert not hasattr(model, "sizes_")
    with pytest.raises(AttributeError, match="has no 'sizes_', since it is not fitted yet; call fit"):
        _ = model.sizes_
