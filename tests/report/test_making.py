"""What a report holds is what the model says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from tests.report.examples import (
    KINDS,
    content_of,
    flat_model,
    hostile_model,
    mixed_rows,
    new_rows,
    option_model,
    relational_model,
)
from tests.storage.plain_reader import PlainModel

import petree
from petree import ProbabilityTreeClassifier, RelationalOptionTreeClassifier, make_report, reading
from petree.report import making


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_holds_a_model_that_answers_as_the_model_does(kind: str) -> None:
    model = flat_model(kind)
    X, y = new_rows()
    content = content_of(make_report(model, X, y))
    plain = PlainModel(content["model"])
    rows = X.astype(object).where(X.notna(), None).to_numpy().tolist()
    answers = [plain.probabilities(row) for row in rows]
    np.testing.assert_allclose(answers, model.predict_proba(X), atol=1e-9)
    np.testing.assert_allclose(content["rows"]["answers"], model.predict_proba(X), atol=1e-9)


def test_rows_are_numbers_and_codes() -> None:
    X, y = new_rows()
    rows = content_of(make_report(flat_model(), X, y))["rows"]
    sizes = [None if value != value else value for value in X["size"].tolist()]
    assert rows["columns"][0] == sizes
    categories = flat_model().columns_[1].categories
    codes = [None if value is None else categories.index(value) if value in categories else -1 for value in X["colour"]]
    assert rows["columns"][1] == codes
    assert rows["columns"][2] == X["grade"].cat.codes.tolist()
    assert rows["truth"] == [["maybe", "no", "yes"].index(label) for label in y]


def test_texts_are_those_of_the_rules() -> None:
    model = flat_model()
    texts = content_of(make_report(model))["texts"]
    rules = [rule.partition(" then ")[0] for rule in model.rules()]
    assert list(texts["rules"].values()) == rules
    assert texts["classes"] == ["maybe", "no", "yes"]
    assert texts["columns"] == ["size", "colour", "grade", "noise"]
    assert texts["sizes"] == model.tree_.sizes.tolist()


def test_bounds_are_those_of_the_leaves() -> None:
    model = flat_model()
    X, _ = new_rows()
    complete = X.dropna()[lambda rows: rows["colour"] != "violet"]
    bounds = content_of(make_report(model))["bounds"]
    found = model.predict_interval(complete, level=bounds["level"])
    leaves = model.apply(complete)
    np.testing.assert_allclose(bounds["unit"] * np.array(bounds["lower"])[leaves], found.lower, atol=1e-4)
    np.testing.assert_allclose(bounds["unit"] * np.array(bounds["upper"])[leaves], found.upper, atol=1e-4)


def test_without_rows_nothing_is_measured() -> None:
    content = content_of(make_report(flat_model()))
    assert content["rows"] is None
    assert content["quality"] is None
    assert all(column["values"] is None for column in content["columns"])


def test_rows_without_classes_can_be_picked() -> None:
    X, _ = new_rows()
    content = content_of(make_report(flat_model(), X))
    assert content["rows"]["truth"] is None
    assert content["quality"] is None


def test_a_page_holds_the_first_rows_only() -> None:
    X, y = mixed_rows(700)
    rows = content_of(make_report(flat_model(), X, y))["rows"]
    assert (rows["n"], len(rows["answers"]), len(rows["columns"][0]), len(rows["truth"])) == (700, 500, 500, 500)


def test_columns_tell_importance_tests_and_values() -> None:
    model = flat_model()
    X, _ = new_rows()
    columns = content_of(make_report(model, X))["columns"]
    np.testing.assert_allclose([one["importance"] for one in columns], model.feature_importances_, atol=1e-4)
    assert sum(one["n_tests"] for one in columns) == model.get_n_leaves() - 1
    size = columns[0]["values"]
    assert size["n_missing"] == X["size"].isna().sum()
    np.testing.assert_allclose(size["quantiles"], X["size"].quantile([0, 0.25, 0.5, 0.75, 1]))
    assert sum(size["bars"]) == X["size"].notna().sum()
    assert columns[1]["values"]["n_unknown"] == (X["colour"] == "violet").sum()
    assert dict(columns[2]["values"]["counts"]) == X["grade"].value_counts().to_dict()


def test_pruning_and_sizes() -> None:
    X, y = mixed_rows(300)
    model = ProbabilityTreeClassifier(random_state=0).fit(X, y)
    content = content_of(make_report(model))
    assert len(content["pruning"]["cut"]) == len(model.why())
    told = reading.reasons(model)
    assert told is not None
    assert content["pruning"]["cut"][0][:2] == [told.reasons[0].where, told.reasons[0].subject]
    assert content["sizes"]["n_leaves"] == list(model.sizes_.n_leaves)
    assert content["sizes"]["chosen"] == model.get_n_leaves()
    again = content_of(make_report(petree.storage.loads(petree.storage.dumps(model))))
    assert again["sizes"] == content["sizes"]
    assert again["pruning"] == content["pruning"]
    assert content_of(make_report(flat_model()))["pruning"] is None


def test_an_option_tree_shows_its_summary_and_measures_the_whole() -> None:
    model = option_model()
    X, y = new_rows()
    content = content_of(make_report(model, X, y))
    assert len(content["texts"]["rules"]) == model.summary().get_n_leaves()
    np.testing.assert_allclose(content["rows"]["answers"], model.predict_proba(X), atol=1e-9)
    assert_bounds(content["rows"]["bounds"], model, X)
    assert_measures(content["quality"], model, X, y)
    assert content["options"]["n_nodes"] == model.tree_.n_nodes
    assert sum(weight for _, weight in content["options"]["first"]) <= 1 + 1e-3
    assert content["origin"]["estimator"] == "OptionTreeClassifier"
    assert content["origin"]["parameters"] == [["n_searches", "5"]]


def assert_bounds(bounds: dict[str, Any], model: Any, X: Any) -> None:
    """The bounds of a page are those of `predict_interval`."""
    found = model.predict_interval(X, level=0.9)
    np.testing.assert_allclose(bounds["lower"], found.lower, atol=1e-4)
    np.testing.assert_allclose(bounds["upper"], found.upper, atol=1e-4)


def assert_measures(quality: dict[str, Any], model: Any, X: Any, y: Any) -> None:
    """A page has the accuracy of a tree with options, and that of its summary."""
    assert quality["measures"][0][1] == pytest.approx((model.predict(X) == y).mean(), abs=1e-4)
    assert quality["shown"][0] == pytest.approx((model.summary().predict(X) == y).mean(), abs=1e-4)
    assert len(quality["shown"]) == len(quality["measures"])


def test_a_relational_option_tree_shows_its_summary_and_measures_the_whole() -> None:
    single, keys, labels = relational_model()
    model = RelationalOptionTreeClassifier(single.database, "molecule.active", n_searches=5).fit(keys)
    content = content_of(make_report(model, keys, labels))
    np.testing.assert_allclose(content["examples"]["answers"], model.predict_proba(keys), atol=1e-9)
    assert content["examples"]["leaves"] == model.summary().apply(keys).tolist()
    assert_bounds(content["examples"]["bounds"], model, keys)
    assert_measures(content["quality"], model, keys, labels)


def test_a_single_tree_has_one_set_of_measures() -> None:
    X, y = new_rows()
    content = content_of(make_report(flat_model(), X, y))
    assert content["quality"]["shown"] is None
    assert content["rows"]["bounds"] is None


def test_columns_that_no_test_asks_are_not_read() -> None:
    X = {"x": list(range(20)), "y": ["a", "b"] * 10}
    model = ProbabilityTreeClassifier(pruning="none").fit(X, ["low"] * 8 + ["high"] * 12)
    columns = content_of(make_report(model, {"x": [1, 15]}))["columns"]
    assert columns[0]["values"]["quantiles"][0] == 1
    assert (columns[1]["n_tests"], columns[1]["values"]) == (0, None)


def test_a_relational_tree_has_sentences_sql_and_examples() -> None:
    model, keys, labels = relational_model()
    content = content_of(make_report(model, keys, labels))
    assert content["texts"]["tests"][0] == model.sentence(0)
    assert list(map(int, content["queries"])) == np.flatnonzero(model.tree_.is_leaf).tolist()
    assert content["rows"] is None
    assert content["columns"] is None
    assert content["quality"]["n"] == 60
    examples = content["examples"]
    assert examples["leaves"] == model.apply(keys).tolist()
    np.testing.assert_allclose(examples["answers"], model.predict_proba(keys), atol=1e-9)
    assert model.classes_[examples["truth"]].tolist() == labels.tolist()
    for place in (0, 30):
        leaf = examples["leaves"][place]
        rows = model.rows_at(leaf, keys[[place]])[0]["rows"]
        assert examples["heads"][str(leaf)] == [[name, list(row)] for name, row in rows.items()]
        assert examples["rows"][place] == [[str(value) for value in row.values()] for row in rows.values()]
    assert examples["names"][:2] == ["molecule 0", "molecule 1"]


def test_a_relational_tree_without_examples() -> None:
    content = content_of(make_report(relational_model()[0]))
    assert content["examples"] is None
    assert content["queries"]


def test_the_first_examples_in_any_order() -> None:
    model, keys, labels = relational_model()
    many = np.resize(keys[::-1], 700)
    examples = content_of(make_report(model, many, np.resize(labels[::-1], 700)))["examples"]
    assert (examples["n"], len(examples["rows"]), len(examples["truth"])) == (700, 500, 500)
    assert examples["names"][:2] == ["molecule 59", "molecule 58"]
    assert examples["leaves"] == model.apply(many[:500]).tolist()


def test_the_same_model_makes_the_same_page() -> None:
    model, X, y = hostile_model()
    assert make_report(model, X, y, command="c").html == make_report(model, X, y, command="c").html


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    model = flat_model()
    X, y = new_rows()
    with pytest.raises(TypeError, match="made of a fitted petree estimator, not of a list"):
        make_report([])
    with pytest.raises(NotFittedError, match="call fit before making a report"):
        make_report(ProbabilityTreeClassifier())
    with pytest.raises(ValueError, match="there are no rows; pass X, too"):
        make_report(model, None, y)
    with pytest.raises(ValueError, match="The class 'never' of row 0 is unknown to the model; it knows maybe, no, yes"):
        make_report(model, X, ["never"] * len(y))
    with pytest.raises(ValueError, match="y has the classes of 79 rows, but X has 80"):
        make_report(model, X, y[1:])
    monkeypatch.setattr(making, "MOST_CELLS", 10)
    with pytest.raises(ValueError, match="A page cannot show 33 nodes of 3 classes; prune the tree"):
        make_report(model)


def test_class_weights_do_not_change_the_answers() -> None:
    model = flat_model(class_weight={"yes": 5.0, "no": 1.0, "maybe": 1.0})
    X, y = new_rows()
    quality = content_of(make_report(model, X, y))["quality"]
    assert quality["measures"][0][1] == pytest.approx((model.predict(X) == y).mean(), abs=1e-4)
    assert replace(model.tree_).class_weight is not None


def test_a_column_of_one_moment_has_bars() -> None:
    X = pd.DataFrame({"day": pd.date_range("2024-01-01", periods=100), "x": np.arange(100) / 2})
    model = ProbabilityTreeClassifier(pruning="none").fit(X, ["early"] * 60 + ["late"] * 40)
    told = content_of(make_report(model, X[:1]))
    assert told["model"]["columns"][0]["quantity"] == "date"
    assert told["columns"][0]["values"]["quantity"] == "date"
    assert sum(told["columns"][0]["values"]["bars"]) == 1
