"""Parameters, certainty and base rates of files in which the invariants do not hold."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from joblib import cpu_count
from tests.storage.invariants.files import FRAME, Data, Y, data_of, refused

from petree import OptionTreeClassifier, ProbabilityTreeClassifier, RelationalTreeClassifier, smoothing
from petree.inputs import table as inputs
from petree.storage import dumps, loads
from petree.threads import count_threads


@pytest.mark.parametrize(
    ("estimator", "name"),
    [
        (kind, name)
        for kind in (ProbabilityTreeClassifier, OptionTreeClassifier, RelationalTreeClassifier)
        for name in kind().get_params(deep=False)
    ],
)
def test_every_parameter_is_checked(request: pytest.FixtureRequest, estimator: type, name: str) -> None:
    files = {
        ProbabilityTreeClassifier: "table",
        OptionTreeClassifier: "options",
        RelationalTreeClassifier: "relational",
    }
    data = request.getfixturevalue(files[estimator])
    refused(data, lambda changed: changed["parameters"].__setitem__(name, [[]]), ".")


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("min_gain", -1.0, "'min_gain' parameter"),
        ("min_gain", 10**400, "too large a number"),
        ("max_depth", 10**30, "too large a number"),
        ("n_jobs", 0, "'n_jobs' parameter"),
        ("n_jobs", 2**70, "too large a number"),
        ("class_weight", {"dict": [[0, -1.0]]}, "class_weight of class 0"),
        ("categorical_features", ["taste"], "no such column"),
        ("smoothing", {"part": "petree.smoothing.Shrinkage", "parameters": {"iterations": 10**9}}, "iterations"),
        ("smoothing", {"part": "petree.smoothing.Average", "parameters": {"parts": ["bayes"] * 20}}, "20 estimates"),
        ("smoothing", {"part": "petree.smoothing.MEstimate", "parameters": {"prior": "auto"}}, "cannot be 'auto'"),
    ],
)
def test_parameters_beyond_sense(table: Data, name: str, value: Any, complaint: str) -> None:
    refused(table, lambda data: data["parameters"].__setitem__(name, value), complaint)


@pytest.mark.parametrize("iterations", [1001, np.int64(2000)])
def test_what_would_keep_a_reader_busy_is_not_written(iterations: Any) -> None:
    model = ProbabilityTreeClassifier(pruning="none", smoothing=smoothing.Shrinkage(iterations)).fit(FRAME, Y)
    with pytest.raises(ValueError, match="cannot be held by a model file: a smoothing takes more than 1000 iterations"):
        dumps(model)


def test_the_threads_that_a_file_asks_for_are_bounded_by_the_machine(table: Data) -> None:
    for asked in (3000, cpu_count() + 1, 1, -1, None):
        data = {**table, "parameters": {**table["parameters"], "n_jobs": asked}}
        model = loads(json.dumps(data))
        assert model.n_jobs == asked
        assert count_threads(model.n_jobs) <= cpu_count()


def test_categorical_features_are_checked_without_reading_a_table(table: Data, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: Any) -> Any:
        raise AssertionError("a column is read")

    monkeypatch.setattr(inputs, "read_column", read)
    data = {**table, "parameters": {**table["parameters"], "categorical_features": ["colour"]}}
    assert loads(json.dumps(data)).categorical_features == ["colour"]


def test_numbers_that_give_no_probabilities(table: Data) -> None:
    prior = {"part": "petree.bayes.Prior", "parameters": {"alpha": 1e308}}
    part = {"part": "petree.smoothing.Bayes", "parameters": {"prior": prior}}
    refused(table, lambda data: data.update(smoothing=part), "its counts and settings do not give probabilities")


def test_an_option_tree_has_no_sizes(options: Data) -> None:
    refused(options, lambda data: data.update(sizes={"n_leaves": [1], "bits": [1.0]}), "an option tree has no sizes")


def test_an_option_tree_has_no_certainty(options: Data) -> None:
    refused(options, lambda data: data.update(certainty={"each": 1.0, "most": 2.0}), "an option tree has no certainty")


@pytest.mark.parametrize(
    ("rates", "complaint"),
    [
        ([0.5, 0.5], "the base rates are 2 instead of 3"),
        ([0.5, 0.5, 0], "its base rates are not more than 0, or do not sum to 1"),
        ([0.5, 0.4, 0.2], "its base rates are not more than 0, or do not sum to 1"),
        ([0.5, 0.7, -0.2], "the base rates are negative or infinite"),
        ([0.5, 0.25, None], "the base rates are not all numbers"),
        ([0.5, 0.25, [0.25]], "the base rates are not all numbers"),
        ({"a": 1}, "the base rates are not a list"),
    ],
)
def test_base_rates_are_rates(table: Data, rates: Any, complaint: str) -> None:
    refused(table, lambda data: data.update(base_rates=rates), complaint)


def test_base_rates_need_cases_of_every_class() -> None:
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace")
    data = data_of(model.fit([[0], [1]], ["a", "b"], classes=["a", "b", "c"]))
    refused(data, lambda data: data.update(base_rates=[0.5, 0.25, 0.25]), "base rates, and a class without training")


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "name", ["parameters", "smoothing", "tuning", "sizes", "certainty", "classes", "columns", "schema"]
)
@pytest.mark.parametrize("depth", [51, 400])
def test_nesting_is_bounded(table: Data, name: str, depth: int) -> None:
    refused(table, lambda data: data.update({name: nested(depth)}), "nested more than 50 deep")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[" * 10**6, "nested too deep"),
        ('{"a":' * 10**5, "nested too deep"),
        ("9" * 10**5, "too many digits"),
        ('{"format": 1, "format": 2}', "two fields of the same name"),
        ("1e99999999999", "is not a petree model"),
    ],
)
def test_text_that_asks_for_too_much(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=rf"^m\.json .*{complaint}"):
        loads(text, "m.json")


def test_labels_have_a_bounded_number_of_digits(table: Data) -> None:
    refused(table, lambda data: data["classes"].update(type="object", labels=[10**200, 1, 2]), "labels of the classes")
    refused(table, lambda data: data["columns"][3].update(categories=[10**200]), "labels of column")
