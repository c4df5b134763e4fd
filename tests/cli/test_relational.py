"""The command line with a database."""

from __future__ import annotations

import csv

import pytest
from tests.cli.shell import Shell
from tests.relational.made_trees import made_database

from petree import RelationalOptionTreeClassifier, RelationalTreeClassifier, load
from petree.relational import Database

pytest.importorskip("sqlalchemy")

URL = "sqlite:///clinic.db"
FIT = ["fit-database", URL, "--target", "patient.class", "--out", "model.json", "--pruning", "none"]


@pytest.fixture
def clinic(shell: Shell) -> Database:
    database = made_database(7)
    database.to_sql(URL)
    return database


def test_fit_predict_and_show_a_database(shell: Shell, clinic: Database) -> None:
    outcome = shell(*FIT, "--smoothing", "laplace", "--max-depth", "3", "--n-jobs", "1")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("examples  25 of table patient, 5 other tables\nclasses   ")
    model = load("model.json")
    assert isinstance(model, RelationalTreeClassifier)
    assert (model.max_depth, model.n_jobs, model.database) == (3, 1, None)

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


def test_tables_that_stay_in_their_database(shell: Shell) -> None:
    tables = {
        "patient": {"id": list(range(12)), "class": list("yn") * 6},
        "visit": {"patient": [k % 12 for k in range(30)], "cost": [k * 7 % 11 for k in range(30)]},
    }
    Database(tables, ["visit.patient -> patient.id"], {"patient": "id"}).to_sql(URL)
    fit = [*FIT, "--smoothing", "laplace", "--max-depth", "2"]
    inside = shell(*fit, "--in-database")
    assert (inside.code, inside.err) == (0, "")
    predicted = shell("predict", "model.json", "--database", URL, "--in-database").out
    shell(*fit)
    assert shell("predict", "model.json", "--database", URL).out == predicted


def test_option_trees_of_a_database(shell: Shell, clinic: Database) -> None:
    outcome = shell(*FIT[:-2], "--option-tree", "--max-depth", "3")
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
    assert (refused.code, "RelationalOptionTreeClassifier has no parameter 'pruning'" in refused.err) == (2, True)
    assert "Leave one of them out" in shell(*FIT, "--option-tree", "--preset", "tilde").err


def test_class_weights_of_a_database(shell: Shell, clinic: Database) -> None:
    labels = sorted(set(clinic.labels("patient.class").tolist()))
    assert shell(*FIT, "--class-weight", f"{labels[0]}=3").code == 0
    assert load("model.json").class_weight == {labels[0]: 3.0}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["fit-database", "--target", "patient.class", "--out", "m.json"], "Missing argument"),
        (["fit", "a.csv", "--out", "m.json"], "Missing option '--target'"),
        (["fit-database", URL, "--out", "m.json"], "Missing option '--target'"),
        (["predict", "model.json"], "Name one source: a table, or --database with an address."),
        (["predict", "model.json", "a.csv", "--database", URL], "Name one source"),
        (["predict", "model.json", "a.csv", "--links", "a.b -> c.d"], "--links needs --database"),
        ([*FIT, "--preset", "c4.5"], "The preset c4.5 is for one table. Use it with petree fit."),
        ([*FIT, "--tests", "multiway"], "No such option"),
        (["fit-database", URL, "--target", "class", "--out", "m.json"], "as 'table.column', here 'patient.class'"),
        (["fit-database", URL, "--target", "patient.id", "--out", "m.json"], "'patient.id' is a key of its table"),
        (["fit-database", "sqlite:///none.db", "--target", "a.b", "--out", "m.json"], "no database file 'none.db'"),
        ([*FIT, "--links", "visit.patient"], "The link 'visit.patient' must name two places; write it like"),
        ([*FIT, "--links", "visit.nobody -> patient.id"], "Table 'visit' has no column 'nobody'; its columns are"),
        ([*FIT, "--keys", "patient"], "'patient' names no column; write 'table.column'."),
        ([*FIT, "--keys", "visit.id,visit.cost"], "--keys names table 'visit' twice; several columns of it are like"),
        ([*FIT, "--time", "visit(id, cost)"], "--time takes one column of table 'visit'; got id, cost."),
        ([*FIT, "--tables", "patient,ghost"], "The database has no table 'ghost'; it has"),
        ([*FIT, "--leave-out", "patient.ghost"], "Table 'patient' has no column 'ghost'; its columns are"),
        ([*FIT, "--leave-out", "patient.id", "--keys", "patient.id"], "'patient.id' is left out, but the key of"),
        ([*FIT, "--aggregates", "median"], "There is no aggregate 'median'; there are count"),
        ([*FIT, "--windows", "30"], "'patient' has none; name its column in time=."),
        (
            ["fit-database", URL, "--target", "visit.cost", "--out", "m.json"],
            "apart, like keys={'visit': 'id'}.",
        ),
        (
            ["fit-database", URL, "--target", "patient", "--out", "m.json"],
            "Without y the target must name the column of the classes, such as 'patient.class'; table 'patient' has",
        ),
        (["fit", "a.csv", "--target", "y", "--out", "m.json", "--max-links", "2"], "No such option"),
    ],
)
def test_what_commands_refuse(shell: Shell, clinic: Database, words: list[str], complaint: str) -> None:
    assert complaint in shell.refused(*words)


def test_amounts_are_no_classes(shell: Shell) -> None:
    Database({"visit": {"id": [1, 2, 3], "cost": [3.0, 2.5, 1.0]}}).to_sql(URL)
    refused = shell.refused("fit-database", URL, "--keys", "visit.id", "--target", "visit.cost", "--out", "m.json")
    assert "The target 'visit.cost' must hold classes, but row 1 has 2.5; petree learns classes, not amounts" in refused


def test_models_and_data_that_do_not_belong_together(shell: Shell, clinic: Database) -> None:
    assert shell(*FIT, "--smoothing", "laplace").code == 0
    shell.write("a.csv", "x,y\n1,a\n2,b\n")
    assert shell("fit", "a.csv", "--target", "y", "--out", "flat.json").code == 0
    assert "one of a single table" in shell.refused("show", "flat.json", "--format", "prolog")
    assert "contains a tree of related tables. Use --database." in shell.refused("predict", "model.json", "a.csv")
    assert "contains a tree of one table" in shell.refused("predict", "flat.json", "--database", URL)
    assert "--target is for one table" in shell.refused("predict", "model.json", "--database", URL, "--target", "y")


def test_presets_know_how_many_tables_they_are_for(shell: Shell, clinic: Database) -> None:
    with open("one.csv", "w", encoding="utf-8") as file:
        file.write("x,y\n1,a\n2,b\n")
    refused = shell("fit", "one.csv", "--target", "y", "--out", "m.json", "--preset", "tilde")
    assert refused.err == "petree: The preset tilde is for several tables. Use it with petree fit-database.\n"
    made = shell("fit-database", URL, "--target", "patient.class", "--out", "t.json", "--preset", "tilde")
    assert (made.code, made.err) == (0, "")
    assert load("t.json").min_samples_leaf == "declared"


def test_what_a_database_does_not_say_itself(shell: Shell) -> None:
    tables = {
        "person": {"id": [1, 2, 3, 4], "until": [5.0, 5.0, 5.0, 5.0], "class": ["a", "a", "b", "b"]},
        "deal": {"who": [1, 2, 3, 4, 4], "day": [1.0, 2.0, 3.0, 4.0, 9.0], "note": ["x", "y", "z", "u", "v"]},
        "other": {"x": [1, 2]},
    }
    Database(tables).to_sql(URL)
    told = ["--tables", "person,deal", "--keys", "person.id", "--time", "person.until,deal.day"]
    told += ["--links", "deal.who -> person.id", "--leave-out", "deal.note"]
    words = ["--target", "person.class", "--out", "m.json", "--aggregates", "count,sum", "--max-links", "1"]
    outcome = shell("fit-database", URL, *told, *words, "--pruning", "none")
    assert outcome.out.startswith("examples  4 of table person, 1 other table\n"), outcome.err
    model = load("m.json")
    assert (model.aggregates, model.max_links) == (["count", "sum"], 1)
    database = model.scope_.database
    assert [str(link) for link in database.foreign_keys] == ["deal.who -> person.id"]
    assert database.relation("deal").names == ["who", "day", "#row"]
    assert (database.relation("deal").time, database.relation("person").time) == (1, 1)
    answered = shell("predict", "m.json", "--database", URL, *told).out
    assert [line.split(",")[1] for line in answered.splitlines()[1:]] == ["a", "a", "b", "b"]
    page = ["report", "m.json", "--database", URL, *told, "--target", "person.class", "--out", "page.html"]
    assert shell(*page).code == 0
    with open("page.html", encoding="utf-8") as file:
        assert "--time person.until,deal.day" in file.read()


def test_a_duckdb_file_without_foreign_keys_is_told_of(shell: Shell) -> None:
    pytest.importorskip("duckdb_engine")
    made_database(7).to_sql("duckdb:///clinic.duckdb")
    words = ["fit-database", "duckdb:///clinic.duckdb", "--target", "patient.class", "--out", "m.json"]
    assert "name links=, as where DuckDB has lost foreign keys" in shell(*words).err
    links = [word for link in made_database(7).foreign_keys for word in ("--links", str(link))]
    assert "No table is linked" not in shell(*words, *links).err
