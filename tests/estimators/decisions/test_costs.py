"""The answer of least expected cost, from its definition, and costs that are refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from tests.estimators.decisions.made import KINDS, made_case
from tests.plain import plain_classifier

from petree.tree.prediction import cheapest_codes

PETS = plain_classifier().fit([[0], [0], [0], [1], [1]], ["cat", "cat", "dog", "dog", "dog"])


def cheapest(probabilities: list[float], costs: Any) -> int:
    """The first class of least expected cost, in exact numbers."""
    expected = [
        sum(Fraction(p) * Fraction(float(costs[true][answer])) for true, p in enumerate(probabilities))
        for answer in range(len(probabilities))
    ]
    return expected.index(min(expected))


@pytest.mark.parametrize("kind", KINDS)
def test_answers_from_the_definition(kind: str) -> None:
    model, X = made_case(kind)
    n_classes = len(model.classes_)
    for seed in range(5):
        costs = np.random.default_rng(seed).random((n_classes, n_classes))
        expected = [cheapest(row, costs) for row in model.predict_proba(X).tolist()]
        assert model.predict(X, costs).tolist() == model.classes_[expected].tolist()
        named = {
            true: {answer: costs[i, j] for j, answer in enumerate(model.classes_.tolist())}
            for i, true in reversed(list(enumerate(model.classes_.tolist())))
        }
        assert model.predict(X, costs=named).tolist() == model.predict(X, costs.tolist()).tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_equal_costs_are_no_costs(kind: str) -> None:
    model, X = made_case(kind)
    for cost in (1, 0.1, 7.3):
        costs = cost * (1 - np.eye(len(model.classes_)))
        assert model.predict(X, costs).tolist() == model.predict(X).tolist()


def test_the_first_of_equals_is_answered_whatever_rounding_says() -> None:
    thirds = np.array([[0.1, 0.2, 0.7]])
    costs = np.array([[0, 0.3, 0.1], [0.3, 0, 0.1], [0.1, 0.3 / 0.7 * 0.1 + 1e-18, 1]])
    shifted = costs * (1 + 1e-15)
    assert cheapest_codes(thirds, costs).tolist() == cheapest_codes(thirds, shifted).tolist()
    assert cheapest_codes(np.array([[0.5, 0.5]]), np.array([[0, 0.1], [0.1 + 1e-17, 0]])).tolist() == [0]
    assert cheapest_codes(np.array([[0.5, 0.5]]), np.zeros((2, 2))).tolist() == [0]


def test_costs_take_the_place_of_class_weights() -> None:
    X = np.arange(40)[:, None] % 2.0
    y = np.where(np.arange(40) % 5 == 0, "rare", "usual")
    plain = plain_classifier().fit(X, y)
    weighed = plain_classifier(class_weight={"rare": 10.0}).fit(X, y)
    assert set(weighed.predict(X)) == {"rare"}
    costs = {"rare": {"usual": 3}, "usual": {"rare": 1}}
    assert weighed.predict(X, costs).tolist() == plain.predict(X, costs).tolist() == ["usual"] * 40
    costs["rare"]["usual"] = 10
    assert set(plain.predict(X, costs)) == {"rare"}


def test_right_answers_may_cost_something() -> None:
    costs = {"cat": {"cat": 5, "dog": 1}, "dog": {"cat": 1}}
    assert PETS.predict([[0], [1]], costs).tolist() == ["dog", "dog"]
    costs = {"cat": {"dog": 1}, "dog": {"cat": 1, "dog": 9}}
    assert PETS.predict([[0], [1]], costs).tolist() == ["cat", "cat"]


@pytest.mark.parametrize(
    ("costs", "sentence"),
    [
        ([[0, 1, 1], [1, 0, 1]], r"a column for each answer, in the order of classes_: shape \(2, 2\), got \(2, 3\)"),
        ([0, 1], r"got \(2,\)"),
        (3, r"got \(\)"),
        ("cheap", "costs must be numbers by class"),
        ([[0, 1], [1]], "costs must be numbers by class"),
        ([[0, np.nan], [1, 0]], "to answer 'dog' where 'cat' is true costs nan"),
        ([[0, 1], [np.inf, 0]], "to answer 'cat' where 'dog' is true costs inf"),
        ([[0, 1], [1, -2]], r"to answer 'dog' where 'dog' is true costs -2.0\. Add the same number"),
        ({"cat": {"dog": -1}, "dog": {"cat": 1}}, "to answer 'dog' where 'cat' is true costs -1.0"),
        ({"cat": {"dog": 1}}, "costs does not say what it costs to answer 'cat' where 'dog' is true; add it"),
        ({"cat": {}, "dog": {"cat": 1}}, "what it costs to answer 'dog' where 'cat' is true"),
        ({"cat": {"dog": 1}, "dog": {"cat": 1}, "cow": {}}, "there is no 'cow'; the classes are 'cat', 'dog'"),
        ({"cat": {"dog": 1}, "dog": {"cat": 1, "cow": 1}}, "costs of the true class 'dog' names .* there is no 'cow'"),
        ({"cat": 1, "dog": {"cat": 1}}, "costs of the true class 'cat' must be a dict of answers. Got 1 instead"),
        ({"cat": {"dog": "1"}, "dog": {"cat": 1}}, "To answer 'dog' where 'cat' is true must cost a finite number"),
        ({"cat": {"dog": 10**400}, "dog": {"cat": 1}}, "must cost a finite number. Got 1000"),
        (np.ma.masked_array([[0, 1], [1, 0]], [[0, 0], [1, 0]]), "masked"),
    ],
)
def test_refused(costs: Any, sentence: str) -> None:
    with pytest.raises((ValueError, TypeError), match=sentence):
        PETS.predict([[0]], costs)


def test_a_data_frame_may_stand_in_another_order() -> None:
    frame = pd.DataFrame([[0, 5], [1, 0]], index=["dog", "cat"], columns=["dog", "cat"])
    with pytest.raises(TypeError, match=r"frame.to_dict\('index'\)"):
        PETS.predict([[0]], frame)
    assert PETS.predict([[0], [1]], frame.to_dict("index")).tolist() == ["dog", "dog"]


def test_costs_are_no_parameter() -> None:
    assert "costs" not in clone(PETS).get_params()
