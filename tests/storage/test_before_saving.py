"""What is saved can be loaded: a model that could not be read again is refused, with what to do about it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.fuzzing.valid_files import made_table
from tests.relational.made_trees import made_database, made_model

from petree import OptionTreeClassifier, ProbabilityTreeClassifier, smoothing
from petree.bayes import Prior
from petree.estimators.stored import Stored
from petree.storage import dumps, loads, models
from petree.storage.invariants.settings import work_is_bounded
from petree.storage.values import DamagedFileError

FRAME, Y = made_table(0)


def fitted(**parameters: Any) -> ProbabilityTreeClassifier:
    given = {"pruning": "none", "smoothing": "laplace", **parameters}
    return ProbabilityTreeClassifier(**given).fit(FRAME, Y)


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("n_jobs", 0, "'n_jobs' parameter"),
        ("min_samples_leaf", 0, "'min_samples_leaf' parameter"),
        ("class_weight", {0: -1.0}, "class_weight of class 0"),
        ("categorical_features", ["taste"], "no such column"),
        ("tests", "ternary", "'tests' parameter"),
        ("split", "guess", "Unknown split 'guess'"),
    ],
)
def test_a_parameter_that_was_set_wrong_after_fit_is_not_saved(name: str, value: Any, complaint: str) -> None:
    model = fitted().set_params(**{name: value})
    with pytest.raises(ValueError, match=rf"cannot be saved as it is now: .*{complaint}.*; set .* and fit it again\."):
        dumps(model)


def test_a_parameter_that_is_only_another_is_saved() -> None:
    model = fitted().set_params(min_samples_leaf=np.int64(5), class_weight={0: np.float32(2)}, n_jobs=2)
    assert loads(dumps(model)).min_samples_leaf == 5


@pytest.mark.parametrize("prior", ["I", Prior("II", omega=0.7, shrink=0.6, power=0.5), "unheard of", 3])
def test_an_option_tree_is_saved_with_the_prior_of_its_fit_alone(prior: Any) -> None:
    model = OptionTreeClassifier("cautious", max_depth=2).fit(FRAME[:25], Y[:25])
    with pytest.raises(ValueError, match=r"cannot be saved as it is now: .*prior.*fit it again\."):
        dumps(model.set_params(prior=prior))


def test_the_same_prior_in_other_words_is_saved() -> None:
    model = OptionTreeClassifier("cautious", max_depth=2).fit(FRAME[:25], Y[:25])
    model.set_params(prior=Prior("II", omega=0.7, shrink=0.6, power=0.25))
    np.testing.assert_array_equal(loads(dumps(model)).predict_proba(FRAME), model.predict_proba(FRAME))


def test_a_prior_that_changes_no_answer_but_the_intervals_is_refused_too() -> None:
    leaf = OptionTreeClassifier(Prior("I"), min_samples_leaf=20).fit(FRAME[:25], Y[:25])
    assert leaf.tree_.n_nodes == 1
    with pytest.raises(ValueError, match="its prior is another"):
        dumps(leaf.set_params(prior=Prior("I", alpha=9.0)))


def test_estimates_that_are_no_probabilities_are_refused_in_a_sentence() -> None:
    model = fitted()
    model.node_probabilities_ = np.full_like(model.node_probabilities_, np.nan)
    with pytest.raises(ValueError, match=r"its counts and settings do not give probabilities; .*fit it again\."):
        dumps(model)


def test_answers_of_another_tree_are_refused() -> None:
    model = fitted()
    model.node_probabilities_ = model.node_probabilities_[:, ::-1]
    with pytest.raises(ValueError, match="does not answer as its counts and settings give"):
        dumps(model)


def test_a_relational_tree_with_wrong_parameters_is_not_saved() -> None:
    model = made_model(made_database(0))
    assert loads(dumps(model)).export_text() == model.export_text()
    with pytest.raises(ValueError, match="'min_examples' parameter"):
        dumps(model.set_params(min_examples=0))


def test_steps_of_em_are_counted_whatever_integers_they_are() -> None:
    model = fitted()
    parameters = {"smoothing": smoothing.Shrinkage(np.int64(2000))}
    with pytest.raises(DamagedFileError, match="1000 iterations"):
        work_is_bounded(Stored(parameters, model.tree_, model.columns_, model.classes_))


def test_a_model_is_written_as_it_was_when_saving_began(monkeypatch: pytest.MonkeyPatch) -> None:
    model = fitted()
    expected, write = dumps(model), models.voices_of

    def fit_first(one: Any) -> Any:
        model.fit({"other": np.arange(4)}, ["a", "b", "a", "b"])
        return write(one)

    monkeypatch.setattr(models, "voices_of", fit_first)
    assert dumps(model) == expected
