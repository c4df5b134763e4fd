"""Model files of relational trees: the tree and the names of tables come back, the rows do not."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.relational.made_trees import dated_database, made_database, made_model

from petree import ProbabilityTreeClassifier, RelationalTreeClassifier, load, save
from petree.relational import Database
from petree.relational.bias.modes import CONSTANT, INPUT, OUTPUT, Argument, Bias, Mode
from petree.storage import dumps, loads


@pytest.fixture(scope="module")
def database() -> Database:
    return made_database(4, with_times=True)


@pytest.fixture(scope="module")
def model(database: Database) -> RelationalTreeClassifier:
    return made_model(database)


def test_a_loaded_model_answers_as_before_once_it_has_a_database(model, database, tmp_path):
    save(model, tmp_path / "model.json")
    again, keys = load(tmp_path / "model.json", database=database), database.keys("patient")
    np.testing.assert_array_equal(again.predict_proba(keys), model.predict_proba(keys))
    np.testing.assert_array_equal(again.apply(keys), model.apply(keys))
    later = load(tmp_path / "model.json")
    np.testing.assert_array_equal(later.predict_proba(keys, database=database), model.predict_proba(keys))
    later.database = database
    np.testing.assert_array_equal(later.predict_proba(keys), model.predict_proba(keys))


def test_it_reads_the_same_without_a_database(model):
    again = loads(dumps(model))
    assert again.export_text() == model.export_text()
    assert again.export_text(style="prolog") == model.export_text(style="prolog")
    assert again.rules(0.9) == model.rules(0.9)
    assert again.to_prolog() == model.to_prolog()
    for dialect in ("sqlite", "postgresql", "duckdb"):
        assert again.to_sql(dialect=dialect) == model.to_sql(dialect=dialect)
        inner = np.flatnonzero(~model.tree_.is_leaf).tolist()
        assert [again.to_sql(node, dialect) for node in inner] == [model.to_sql(node, dialect) for node in inner]


def test_dates_come_back_as_dates():
    database = dated_database(0)
    model, keys = made_model(database), database.keys("patient")
    again = loads(dumps(model))
    assert "2004-02-" in model.export_text()
    assert again.export_text() == model.export_text()
    for dialect in ("sqlite", "postgresql", "duckdb"):
        assert again.to_sql(dialect=dialect) == model.to_sql(dialect=dialect)
    np.testing.assert_array_equal(again.predict_proba(keys, database=database), model.predict_proba(keys))


def test_a_file_that_does_not_tell_dates_from_numbers_speaks_of_numbers():
    database = dated_database(0)
    model, keys = made_model(database), database.keys("patient")
    data = json.loads(dumps(model))
    for relation in data["schema"]["relations"]:
        for column in relation["columns"]:
            column.pop("date", None)
    older = loads(json.dumps(data))
    assert "2004-" not in older.export_text()
    assert older.export_text(style="prolog") == model.export_text(style="prolog")
    np.testing.assert_array_equal(older.predict_proba(keys, database=database), model.predict_proba(keys))


def test_reasons_of_pruning_are_told_in_sentences(database):
    labels = database.labels("patient.class")
    model = RelationalTreeClassifier(database, "patient.class", pruning="chi", smoothing="laplace")
    model.fit(database.keys("patient"), labels)
    assert " was cut. " in model.why()[0]
    assert loads(dumps(model)).why() == model.why()


def test_no_row_is_in_the_file(model):
    text = dumps(model)
    written = json.loads(text)
    assert "database" not in written["parameters"]
    assert written["parameters"]["target"] == "patient.class"
    assert "Zoo" not in json.dumps(written["schema"])


def test_predicting_without_a_database_says_what_to_do(model, database):
    with pytest.raises(ValueError, match=r"loaded without its tables; set model.database"):
        loads(dumps(model)).predict_proba(database.keys("patient"))
    with pytest.raises(ValueError, match="keeps no training examples; pass the keys"):
        loads(dumps(model)).rows_at(0)


def test_another_database_may_be_set_after_fitting(model, database):
    other = made_database(5, with_times=True)
    keys = database.keys("patient")
    moved = made_model(database)
    moved.predict_proba(keys)
    moved.database = other
    np.testing.assert_array_equal(moved.predict_proba(keys), model.predict_proba(keys, database=other))


def test_a_bias_is_kept_as_text(database):
    arguments = [Argument(INPUT, "P"), Argument(OUTPUT, "D"), Argument(CONSTANT, "R")]
    bias = Bias((Mode("visit", (*arguments, Argument("_"), Argument("_"), Argument(OUTPUT, "Row"))),))
    model = RelationalTreeClassifier(database, "patient.class", pruning="none", smoothing="laplace", bias=bias)
    again = loads(dumps(model.fit(database.keys("patient"))))
    assert again.bias == str(bias)
    again.database = database
    with pytest.raises(ValueError, match="must be 'auto' or a Bias"):
        again.fit(database.keys("patient"))


def test_a_tree_of_one_table_takes_no_database(tmp_path):
    flat = ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit({"x": [1.0, 2.0]}, ["a", "b"])
    save(flat, tmp_path / "flat.json")
    with pytest.raises(ValueError, match="holds a ProbabilityTreeClassifier, which needs no database"):
        load(tmp_path / "flat.json", database=made_database(0))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda schema: schema.pop("links"), "its schema is not a record"),
        (lambda schema: schema["relations"][0].pop("columns"), "lacks its name or its columns"),
        (lambda schema: schema["relations"][0].update(keys=[[99]]), "are not places of columns"),
        (lambda schema: schema["relations"][0]["columns"][0].update(type="cheese"), "a column of its schema"),
        (lambda schema: schema["relations"][0]["columns"][0].update(type=["text"]), "a column of its schema"),
        (lambda schema: schema["relations"][0]["columns"][0].update(values=[["x"]]), "are not a list of texts"),
        (lambda schema: schema["relations"][1]["columns"][0].update(date="yes"), "does not say whether it has dates"),
        (lambda schema: schema["links"][0].__setitem__(2, "nowhere"), "a link leads to no table"),
        (lambda schema: schema["links"][0].__setitem__(1, ["nothing"]), "a link leads to no column"),
        (lambda schema: schema["relations"].pop(), "."),
    ],
)
def test_damage_is_found(model, change, complaint):
    data = json.loads(dumps(model))
    change(data["schema"])
    with pytest.raises(ValueError, match=f"is damaged: .*{complaint}"):
        loads(json.dumps(data))


def test_a_lost_schema_is_missed(model):
    data = json.loads(dumps(model))
    del data["schema"]
    with pytest.raises(ValueError, match=r"is damaged: it lacks its schema\.$"):
        loads(json.dumps(data))
