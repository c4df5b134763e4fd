"""What a method does on a trial: what it is given, what it answers, and the numbers made of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score
from sklearn.tree import DecisionTreeClassifier
from tests.lab.experiments.made import Shares, small_set

from lab.experiments.data import DataSet
from lab.experiments.measuring import (
    LEAST_PROBABILITY,
    MEASURES,
    answer,
    as_numbers,
    leaf_accuracy,
    measure,
    measures_of,
    sizes_of,
)
from lab.experiments.methods import Method, find_method
from lab.experiments.trials import Trial, cross_validated
from lab.statistics.resampling import TrainTest
from petree import ProbabilityTreeClassifier
from petree.metrics import calibration_error, expected_accuracy, hand_till_auc, pairwise_auc, weighted_auc
from petree.smoothing import MBranch

CLASSES = np.array(["cat", "dog", "eel"])
TRUTH = np.array(["cat", "dog", "dog", "cat", "dog"])
ANSWERS = np.array([[0.5, 0.25, 0.25], [0.5, 0.5, 0.0], [0.1, 0.7, 0.2], [0.0, 1.0, 0.0], [0.2, 0.2, 0.6]])


def first_trial() -> Trial:
    return next(cross_validated([small_set()], 1, 4))


# -- the numbers ---------------------------------------------------------------------------------------------


def test_measures_by_hand() -> None:
    found = measures_of(TRUTH, ANSWERS, CLASSES)
    of_true = [0.5, 0.5, 0.7, 0.0, 0.2]
    assert found["log_likelihood"] == pytest.approx(sum(math.log2(max(p, LEAST_PROBABILITY)) for p in of_true) / 5)
    assert found["accuracy"] == pytest.approx(2 / 5)  # of equally probable classes the first counts
    assert found["impossible"] == pytest.approx(1 / 5)
    assert found["expected_accuracy"] == pytest.approx((0.5 + 0.5 + 0.7 + 1.0 + 0.6) / 5)
    errors = [0.25 + 2 * 0.0625, 0.25 + 0.25, 0.01 + 0.09 + 0.04, 1.0 + 1.0, 0.04 + 0.64 + 0.36]
    assert found["brier"] == pytest.approx(sum(errors) / 5)
    areas = [roc_auc_score(np.equal(TRUTH, name), ANSWERS[:, column]) for column, name in enumerate(["cat", "dog"])]
    assert found["auc"] == pytest.approx(2 / 5 * areas[0] + 3 / 5 * areas[1])


def test_measures_are_those_of_metrics() -> None:
    found = measures_of(TRUTH, ANSWERS, CLASSES)
    assert found["auc"] == weighted_auc(TRUTH, ANSWERS, CLASSES)
    assert found["hand_till_auc"] == hand_till_auc(TRUTH, ANSWERS, CLASSES)
    assert found["pairwise_auc"] == pairwise_auc(TRUTH, ANSWERS, CLASSES)
    assert found["calibration_error"] == calibration_error(TRUTH, ANSWERS, CLASSES)
    assert found["expected_accuracy"] == expected_accuracy(ANSWERS)


def test_a_trial_gives_every_measure() -> None:
    trial = first_trial()
    found = measure(Method("shares", Shares()), trial, 0)
    assert sorted(found) == sorted(MEASURES)
    learned = trial.data.y[trial.part.learn]
    shares = np.array([(learned == name).mean() for name in CLASSES])
    asked = trial.data.y[trial.part.test]
    expected = measures_of(asked, np.tile(shares, (len(asked), 1)), CLASSES)
    assert {name: found[name] for name in expected} == expected
    assert found["auc"] == 0.5
    assert found["seconds"] > 0


def test_where_a_measure_is_not_defined() -> None:
    """One class alone among the rows that are asked has no ranking."""
    data = small_set()
    of_one_class = np.flatnonzero(data.y == "cat")[:4]
    part = TrainTest(0, 0, np.setdiff1d(np.arange(40), of_one_class), of_one_class)
    found = measure(Method("shares", Shares()), Trial(data, part), 0)
    assert math.isnan(found["auc"])
    assert math.isnan(found["hand_till_auc"])
    assert math.isfinite(found["brier"])


@pytest.mark.parametrize("name", ["none", "sklearn"])
def test_a_class_that_is_not_learned(name: str) -> None:
    """petree is told of it; for others it is impossible."""
    data = small_set()
    rows = np.arange(2, 40)
    trial = Trial(data, TrainTest(0, 0, rows, np.array([0, 1])))
    found, probabilities = measure(find_method(name), trial, 0), answer(find_method(name), trial, 0).probabilities
    assert probabilities.shape == (2, 3)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert found["impossible"] == (0 if name == "none" else 1)
    assert (probabilities[:, 2] > 0).all() == (name == "none")
    if name == "sklearn":
        assert found["log_likelihood"] == pytest.approx(math.log2(LEAST_PROBABILITY))


def test_the_majority_of_a_leaf_is_told_whatever_the_smoothing() -> None:
    """A leaf of 2 and 1 below a root of many more b: smoothing makes b more probable, the majority is a."""
    data = {"tone": list("pppqqqqqq")}
    y = np.array(list("aabbbbbbb"))
    smooth = ProbabilityTreeClassifier(pruning="none", smoothing=MBranch(m=50.0)).fit(data, y)
    assert smooth.predict(data).tolist() == list("bbbbbbbbb")
    assert leaf_accuracy(smooth, data, y) == 8 / 9


def test_others_have_no_leaves() -> None:
    forest = RandomForestClassifier(2).fit([[0], [1]], ["a", "b"])
    assert math.isnan(leaf_accuracy(forest, [[0]], np.array(["a"])))
    assert math.isnan(leaf_accuracy(DecisionTreeClassifier().fit([[0], [1]], ["a", "b"]), [[0]], np.array(["a"])))


# -- sizes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tree", [DecisionTreeClassifier(), ProbabilityTreeClassifier(pruning="none")])
def test_sizes_of_trees(tree: Any) -> None:
    model = tree.fit([[0], [1], [2], [3]], ["a", "b", "a", "a"])
    assert sizes_of(model) == {"inner_nodes": 2, "leaves": 3}
    assert sizes_of(model)["leaves"] == model.get_n_leaves()


def test_a_node_of_many_branches_is_one_inner_node() -> None:
    tree = ProbabilityTreeClassifier(pruning="none", tests="multiway").fit({"tone": list("pqrs")}, list("aabb"))
    assert sizes_of(tree) == {"inner_nodes": 1, "leaves": 4}


def test_others_have_no_size() -> None:
    forest = RandomForestClassifier(2).fit([[0], [1]], ["a", "b"])
    assert all(math.isnan(value) for value in sizes_of(forest).values())


# -- what a learner is given ---------------------------------------------------------------------------------


def test_petree_gets_columns_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}
    usual = ProbabilityTreeClassifier.fit

    def note(self: Any, X: Any, y: Any, **more: Any) -> Any:
        given.update(X=X, y=y, **more)
        return usual(self, X, y, **more)

    monkeypatch.setattr(ProbabilityTreeClassifier, "fit", note)
    trial = first_trial()
    learn = trial.part.learn
    answer(find_method("none"), trial, 0)
    assert list(given["X"]) == ["size", "tone"]
    for name, values in trial.data.columns.items():
        np.testing.assert_array_equal(given["X"][name], values[learn])
    assert given["y"].tolist() == trial.data.y[learn].tolist()
    assert given["classes"].tolist() == ["cat", "dog", "eel"]


def test_others_get_numbers() -> None:
    trial = first_trial()
    model = answer(Method("shares", Shares()), trial, 0).model
    learn, test = as_numbers(trial.data.given(trial.part.learn), trial.data.given(trial.part.test))
    np.testing.assert_array_equal(model.X_, learn)
    np.testing.assert_array_equal(model.asked_, test)
    assert np.isfinite(learn).all()
    assert np.isfinite(test).all()


def test_the_seed_reaches_the_learner() -> None:
    assert answer(Method("shares", Shares()), first_trial(), 12).model.random_state == 12


@pytest.mark.parametrize("name", ["none", "sklearn"])
def test_columns_without_values_and_new_categories_stop_nobody(name: str) -> None:
    data = small_set()
    tone = np.full(40, None, object)
    tone[30:] = "new"
    columns: dict[str, NDArray[Any]] = {"size": data.columns["size"], "tone": tone, "empty": np.full(40, np.nan)}
    trial = Trial(DataSet("odd", columns, data.y), TrainTest(0, 0, np.arange(30), np.arange(30, 40)))
    found = measure(find_method(name), trial, 0)
    assert 0 <= found["brier"] <= 2


# -- numbers for others --------------------------------------------------------------------------------------


def as_columns(**columns: list[Any]) -> dict[str, NDArray[Any]]:
    return {
        name: np.array(values, object if any(isinstance(value, str) for value in values) else float)
        for name, values in columns.items()
    }


def test_categories_become_columns_of_zeros_and_ones() -> None:
    learn, test = as_numbers(as_columns(tone=["red", "blue", "red"]), as_columns(tone=["red", "blue", "red"]))
    assert learn.tolist() == [[0, 1], [1, 0], [0, 1]]
    assert test.tolist() == learn.tolist()


def test_an_unknown_category_is_none_and_a_missing_one_is_its_own() -> None:
    learn, test = as_numbers(as_columns(tone=["red", None, "blue"]), as_columns(tone=["mauve", None, "red"]))
    assert learn.shape == (3, 3)
    assert (learn.sum(axis=1) == 1).all()
    assert test[0].tolist() == [0, 0, 0]
    assert test[1].tolist() == learn[1].tolist()
    assert test[2].tolist() == learn[0].tolist()


def test_missing_categories_that_nobody_learned_are_unknown() -> None:
    _, test = as_numbers(as_columns(tone=["red", "blue"]), as_columns(tone=[None, "red"]))
    assert test.tolist() == [[0, 0], [0, 1]]


def test_missing_numbers_become_the_median_of_the_rows_to_learn_from() -> None:
    learn, test = as_numbers(as_columns(size=[1, math.nan, 2, 9]), as_columns(size=[math.nan, 100]))
    assert learn.tolist() == [[1], [2], [2], [9]]
    assert test.tolist() == [[2], [100]]


def test_numbers_stand_before_categories_and_empty_columns_stay() -> None:
    columns = as_columns(tone=["red", "blue"], size=[1, 2], none=[math.nan, math.nan])
    learn, test = as_numbers(columns, columns)
    assert learn.tolist() == test.tolist() == [[1, 0, 0, 1], [2, 0, 1, 0]]


def test_whole_numbers_and_truths_are_numbers_too() -> None:
    columns = {"size": np.array([3, 4]), "wild": np.array([True, False])}
    learn, _ = as_numbers(columns, columns)
    assert learn.tolist() == [[3, 1], [4, 0]]
