"""The command line with related tables: a database, and a folder of ACE."""

from __future__ import annotations

import csv

import pytest
from tests.cli.shell import ACE_FACTS, ACE_SETTINGS, Shell
from tests.relational.made_trees import made_database

from petree import RelationalOptionTreeClassifier, RelationalTreeClassifier, load
from petree.relational import Database

pytest.importorskip("sqlalchemy")

URL = "sqlite:///clinic.db"
FIT = ["fit", "--database", URL, "--target", "patient.class", "--out", "model.json", "--pruning", "none"]


@pytest.fixture
def clinic(shell: Shell) -> Database:
    database = made_database(7)
    database.to_sql(URL)
    return database


def test_fit_predict_and_show_a_database(shell: Shell, clinic: Database) -> None:
    outcome = shell(*FIT, "--smoothing", "laplace", "--max-depth", "3", "--seed", "1")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("examples  25 of table patient, 5 other tables\nclasses   ")
    model = load("model.json")
    assert isinstance(model, RelationalTreeClassifier)
    assert (model.max_depth, model.random_state, model.database) == (3, 1, None)

    rows = list(csv.reader(shell("predict", "model.json", "--database", URL).out.splitlines()))
    keys = clinic.keys("patient")
    model.database = Database.from_url(URL)
    assert rows[0] == ["id", "predicted", *(f"P({label})" for label in model.classes_)]
    assert [int(row[0]) for row in rows[1:]] == keys.tolist()
    assert [row[1] for row in rows[1:]] == model.predict(keys).tolist()
    assert [[float(cell) for cell in row[2:]] for row in rows[1:]] == model.predict_proba(keys).tolist()

    assert shell("show", "model.json").out == model.export_text() + "\n"
    assert shell("show", "model.json", "--format", "rules").out == "\n".join(model.rules()) + "\n"
    assert shell("show", "model.json", "--format", "prolog").out == model.to_prolog() + "\n"
    assert shell("show", "model.json", "--format", "sql", "--dialect", "duckdb").out == (
        model.to_sql(dialect="duckdb") + "\n"
    )
    assert shell("show", "model.json", "--format", "html").out == model._html_repr() + "\n"


def test_option_trees_of_a_database(shell: Shell, clinic: Database) -> None:
    outcome = shell(*FIT[:-2], "--option-tree", "--seed", "1", "--max-depth", "3")
    assert (outcome.code, outcome.err) == (0, "")
    assert "nodes with options, depth" in outcome.out
    model = load("model.json", database=clinic)
    assert isinstance(model, RelationalOptionTreeClassifier)
    rows = list(csv.reader(shell("predict", "model.json", "--database", URL, "--intervals").out.splitlines()))
    assert [float(row[2]) for row in rows[1:]] == model.predict_proba(clinic.keys("patient"))[:, 0].tolist()
    shown = shell("show", "model.json")
    assert shown.out == model.summary().export_text() + "\n"
    assert "with options" in shown.err
    assert shell("report", "model.json", "--database", URL, "--out", "page.html").code == 0
    refused = shell(*FIT, "--option-tree")
    assert (refused.code, "An option tree has no 'pruning'" in refused.err) == (2, True)
    assert "leave one of them out" in shell(*FIT, "--option-tree", "--preset", "tilde").err


def test_class_weights_of_a_database(shell: Shell, clinic: Database) -> None:
    labels = sorted(set(clinic.labels("patient.class").tolist()))
    assert shell(*FIT, "--class-weight", f"{labels[0]}=3").code == 0
    assert load("model.json").class_weight == {labels[0]: 3.0}


def test_fit_and_predict_an_ace_folder(shell: Shell) -> None:
    shell.write("machines.s", ACE_SETTINGS)
    shell.write("machines.kb", ACE_FACTS)
    words = ["--pruning", "none", "--smoothing", "laplace"]
    assert shell("fit", "--ace", ".", "--out", "model.json", *words).code == 0
    assert "|- worn(A, gear): P(fix)=0.75" in shell("show", "model.json").out
    rows = list(csv.reader(shell("predict", "model.json", "--ace", ".").out.splitlines()))
    assert [row[:2] for row in rows[1:]] == [["m1", "fix"], ["m2", "fix"], ["m3", "ok"], ["m4", "ok"]]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["fit", "--out", "m.json"], "Name one thing to read: a table, --database with an address, or --ace"),
        (["fit", "a.csv", "--database", URL, "--out", "m.json"], "Name one thing to read"),
        (["fit", "a.csv", "--out", "m.json"], "Missing option '--target'"),
        ([*FIT, "--preset", "c4.5"], "The preset c4.5 is for one table; leave it out with --database and --ace."),
        ([*FIT, "--tests", "multiway"], "A tree of related tables has no 'tests'"),
        (["fit", "--database", URL, "--out", "m.json"], "'target' parameter must name the table of the examples"),
        (["fit", "--database", "sqlite:///none.db", "--out", "m.json"], "no database file 'none.db'"),
    ],
)
def test_what_fit_refuses(shell: Shell, clinic: Database, words: list[str], complaint: str) -> None:
    assert complaint in shell.refused(*words)


def test_models_and_data_that_do_not_belong_together(shell: Shell, clinic: Database) -> None:
    assert shell(*FIT, "--smoothing", "laplace").code == 0
    shell.write("a.csv", "x,y\n1,a\n2,b\n")
    assert shell("fit", "a.csv", "--target", "y", "--out", "flat.json").code == 0
    assert "one of a single table" in shell.refused("show", "flat.json", "--format", "prolog")
    assert "name them with --database" in shell.refused("predict", "model.json", "a.csv")
    assert "holds a tree of one table" in shell.refused("predict", "flat.json", "--database", URL)
    assert "--target is for one table" in shell.refused("predict", "model.json", "--database", URL, "--target", "y")


def test_presets_know_how_many_tables_they_are_for(shell: Shell, clinic: Database) -> None:
    with open("one.csv", "w", encoding="utf-8") as file:
        file.write("x,y\n1,a\n2,b\n")
    refused = shell("fit", "one.csv", "--target", "y", "--out", "m.json", "--preset", "tilde")
    assert refused.err == "petree: The preset tilde is for several tables; pass them by --database and --ace.\n"
    made = shell("fit", "--database", URL, "--target", "patient.class", "--out", "t.json", "--preset", "tilde")
    assert (made.code, made.err) == (0, "")
    assert load("t.json").min_samples_leaf == "declared"
