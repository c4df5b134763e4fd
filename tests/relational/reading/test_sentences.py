"""Tests of a tree as sentences, and everything that shows them."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from tests.relational.made_trees import made_database, made_model
from tests.relational.molecules import KEYS, make_model

from petree import RelationalTreeClassifier
from petree.relational import Database
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.scope import Scope
from petree.relational.reading.sentences import sentence_of

DATA = Path(os.environ.get("PETREE_DATA", "")) / "relational"
DATABASE = made_database(0)
MODEL = made_model(DATABASE)

# What holds already, the test, what it says where it holds, and where it does not.
SENTENCES = [
    ("", "patient(A, _, X, _, _, _), X < 30", "the patient has age < 30", "the patient has age >= 30 or none"),
    (
        "",
        "visit(A, D, red, _, _, E)",
        "some visit (E) of the patient, with doctor D, has reason = red",
        "no visit of the patient has reason = red",
    ),
    (
        "visit(A, D, red, _, _, E)",
        "visit(_, _, _, X, _, E), X >= 2",
        "that visit (E) has cost >= 2",
        "no such visit (E) has cost >= 2",
    ),
    (
        "visit(A, D, red, _, _, E)",
        "visit(A, _, _, X, _, E), X >= 2",
        "that visit (E) has cost >= 2",
        "no such visit (E) has cost >= 2",
    ),
    (
        "visit(A, D, red, _, _, E), visit(A, F, _, _, _, G)",
        "doctor(F, green, _)",
        "that doctor (F) has field = green",
        "no such doctor (F) has field = green",
    ),
    (
        "visit(A, D, red, _, _, E)",
        "doctor(D, green, _)",
        "that doctor (D) has field = green",
        "no such doctor (D) has field = green",
    ),
    (
        "",
        "doctor(C, red, _)",
        "the second doctor (C) of the patient has field = red",
        "not: the second doctor of the patient has field = red",
    ),
    (
        "",
        "doctor(B, _, C)",
        "the doctor (B) of the patient has boss = the second doctor of the patient",
        "not: the doctor of the patient has boss = the second doctor of the patient",
    ),
    (
        "",
        "visit(A, _, _, _, _, E)",
        "there is some visit (E) of the patient",
        "there is no visit of the patient",
    ),
    (
        "visit(A, D, _, _, _, E)",
        "visit(F, D, _, _, _, G), F \\= A",
        "some visit (G) of that doctor (D) has patient != the patient",
        "no visit of that doctor (D) has patient != the patient",
    ),
    (
        "",
        "stay(A, F, G, _, E), room(F, G, S), S >= 4",
        "some stay (E) of the patient, with floor F and door G, where room (F, G) has size >= 4",
        "no stay (E) of the patient, with floor F and door G, where room (F, G) has size >= 4",
    ),
    (
        "",
        "count(visit(A, _, red, _, _, _)) < 3",
        "the number of visits of the patient with reason = red is < 3",
        "the number of visits of the patient with reason = red is >= 3",
    ),
    (
        "visit(A, D, _, _, _, E)",
        "mean(X, visit(_, D, _, X, _, _)) >= 2",
        "the mean cost of visits of that doctor (D) >= 2",
        "not: the mean cost of visits of that doctor (D) >= 2",
    ),
    (
        "",
        "proportion(X = red, visit(A, _, X, _, _, _)) < 0.5",
        "the share of reason = red among visits of the patient is < 0.5",
        "the share of reason = red among visits of the patient is >= 0.5 or there is none",
    ),
    (
        "",
        "visit(A, B, _, _, _, E)",
        "there is some visit (E) of the patient whose doctor is the doctor of the patient",
        "there is no visit of the patient whose doctor is the doctor of the patient",
    ),
    ("", "patient(A, _, _, B, _, _)", "the patient has doctor", "not: the patient has doctor"),
    (
        "",
        "count(visit(A, _, red, X, _, _), X < 2) >= 3",
        "the number of visits of the patient with reason = red and cost < 2 is >= 3",
        "the number of visits of the patient with reason = red and cost < 2 is < 3",
    ),
    (
        "",
        "max(X, visit(A, D, _, X, _, _), doctor(D, green, _)) < 3",
        "the greatest cost of visits of the patient, with doctor D, for which doctor (D) has field = green, is < 3",
        (
            "the greatest cost of visits of the patient, with doctor D, for which doctor (D) has field = green, is >= "
            "3 or there is none"
        ),
    ),
]


@pytest.mark.parametrize(("query", "test", "success", "failure"), SENTENCES)
def test_what_is_said(query, test, success, failure):
    scope = Scope.of_target(DATABASE, "patient").extend(parse_literals(query))
    said = sentence_of(scope, parse_literals(test))
    assert (said.success, said.failure) == (success, failure)


def test_every_test_of_a_tree_has_a_sentence_of_its_own():
    texts = MODEL.export_text().splitlines()
    assert len(texts) == MODEL.tree_.n_nodes + 1
    inner = np.flatnonzero(~MODEL.tree_.is_leaf).tolist()
    assert all(any(MODEL.sentence(node) in line for line in texts) for node in inner)
    assert all("$" not in line and "#row" not in line for line in texts)


def test_rules_frame_and_page_say_the_same():
    said = MODEL.sentence(0)
    assert MODEL.rules()[0].startswith(f"if {said}")
    frame = MODEL.to_frame(0.9)
    assert frame["condition"][0] == said
    assert frame["branch"][1] == said
    np.testing.assert_array_equal(frame["probability_ill"], MODEL.node_probabilities_[:, 0])
    assert MODEL.to_frame()["branch"][2] in MODEL._html_repr().replace("&lt;", "<").replace("&gt;", ">").replace(
        "&quot;", '"'
    )


@pytest.mark.parametrize(("ending", "max_links", "seed"), [("or none", 0, 0), ("or there is none", 1, 5)])
def test_brackets_in_rules_where_a_test_says_or(ending, max_links, seed):
    """Since "and" binds closer; a test by itself needs none."""
    database = made_database(seed)
    model = RelationalTreeClassifier(
        database, "patient.class", pruning="none", smoothing="laplace", aggregates=("mean",), max_links=max_links
    ).fit(database.keys("patient"))
    rules = [rule for rule in model.rules() if ending in rule]
    assert any(" and " in rule for rule in rules)
    for rule in rules:
        premise = rule.removeprefix("if ").partition(" then ")[0]
        told = [clause for clause in premise.split(" and ") if clause.rstrip(")").endswith(ending)]
        assert all(clause[0] == "(" and clause[-1] == ")" for clause in told) == (" and " in premise)


def test_prolog_on_request():
    assert str(MODEL.tree_.conditions[0]) in MODEL.export_text(style="prolog")
    with pytest.raises(ValueError, match=r"'style' must be one of sentences, prolog. Got 'verse' instead"):
        MODEL.export_text(style="verse")


def test_why_is_told_in_sentences():
    keys = DATABASE.keys("patient")
    model = RelationalTreeClassifier(DATABASE, "patient.class", pruning="chi", smoothing="laplace").fit(keys)
    for lines in (model.why(), model.why(everything=True)):
        assert any("the patient" in line for line in lines)
        assert not any("(A" in line for line in lines)


def test_nodes_that_have_no_test():
    leaf = int(np.flatnonzero(MODEL.tree_.is_leaf)[0])
    with pytest.raises(ValueError, match=f"Node {leaf} is a leaf and has no test"):
        MODEL.sentence(leaf)
    with pytest.raises(ValueError, match=r"no node 99; its nodes are 0 to"):
        MODEL.to_sql(99)


def test_rows_at_a_node_make_its_query_true():
    keys = DATABASE.keys("patient")
    leaves = MODEL.apply(keys)
    for node in np.flatnonzero(MODEL.tree_.is_leaf).tolist():
        found = MODEL.rows_at(node)
        assert [one["key"] for one in found] == keys[leaves == node].tolist()
        for one in found:
            assert one["rows"]["patient"]["id"] == one["key"]
            for name, row in one["rows"].items():
                if name.startswith("visit"):
                    assert "#row" not in row
    assert len(MODEL.rows_at(0)) == len(keys)
    assert [one["key"] for one in MODEL.rows_at(0, keys[3:5])] == keys[3:5].tolist()


def test_a_witness_has_what_the_test_asks_for():
    database = made_database(0)
    model = RelationalTreeClassifier(database, "patient", pruning="none", smoothing="none", aggregates=(), max_depth=1)
    visits = database.relation("visit")
    reason = visits.columns[visits.place("reason")]
    of_red = visits.columns[0].codes[reason.codes == reason.domain.code("red")]
    patients = database.relation("patient").columns[0].codes
    model.fit(database.keys("patient"), np.where(np.isin(patients, of_red), "yes", "no"))
    assert model.sentence(0) == "some visit (E) of the patient, with doctor D, has reason = red"
    for one in model.rows_at(1):
        (visit,) = (row for name, row in one["rows"].items() if name == "visit (E)")
        assert (visit["patient"], visit["reason"]) == (one["key"], "red")


@pytest.mark.skipif(not DATA.is_dir(), reason="PETREE_DATA has no relational sets")
def test_facts_of_programs_stay_in_their_notation():
    from petree.relational.prolog.ace import read_ace

    database = read_ace(DATA / "machines/prolog/examples")
    model = RelationalTreeClassifier(database, pruning="none", smoothing="none").fit(database.keys("model"))
    assert model.sentence(0) == "worn(A)"
    assert "|- no worn(A): P(ok)" in model.export_text()


def test_a_row_of_its_own_table_is_told_by_the_column() -> None:
    workers = {"id": list(KEYS), "boss": [None, 0, 0, 0, 1, 1, 1, 1], "grade": [9, 1, 5, 5, 5, 5, 5, 5]}
    database = Database({"worker": workers | {"left": list("nnnnyyyy")}}, links=["worker.boss -> worker.id"])
    text = make_model(database, "worker.left", aggregates=()).fit(KEYS).export_text()
    assert "the boss (B) of the worker has grade < " in text


def test_names_that_could_be_misread_stand_in_quotation_marks():
    tables = {
        "owner": {"id": range(12), "kind": ["a", "b"] * 6},
        "pet": {"owner": range(12), "cat or dog": ["1", "x, y"] * 6},
    }
    database = Database(tables, ["pet.owner -> owner.id"])
    model = RelationalTreeClassifier(database, "owner.kind", pruning="none", smoothing="laplace").fit(range(12))
    assert model.sentence(0) == 'some pet (B) of the owner has "cat or dog" = "1"'


def test_verbs_agree_with_the_names_of_tables() -> None:
    tables = {
        "customers": {"id": [1, 2], "age": [30, 40]},
        "orders": {"id": [1, 2], "customer": [1, 2], "day": [3, 4]},
        "class": {"order": [1, 2], "grade": ["a", "b"]},
    }
    links = ["orders.customer -> customers.id", "class.order -> orders.id"]
    scope = Scope.of_target(Database(tables, links, {"customers": "id"}), "customers")

    def said(query: str, test: str) -> tuple[str, str]:
        found = sentence_of(scope.extend(parse_literals(query)), parse_literals(test))
        return found.success, found.failure

    assert said("", "customers(A, B), B < 35") == (
        "the customers have age < 35",
        "the customers have age >= 35 or none",
    )
    assert said("", "orders(B, A, C), C < 4") == (
        "some orders (B) of the customers have day < 4",
        "no orders of the customers have day < 4",
    )
    assert said("", "orders(B, A, _)") == (
        "there are some orders (B) of the customers",
        "there are no orders of the customers",
    )
    assert said("orders(B, A, _)", "orders(B, A, C), C < 4") == (
        "those orders (B) have day < 4",
        "no such orders (B) have day < 4",
    )
    assert said("orders(B, A, _)", "class(B, a, C)") == (
        "some class (C) of those orders (B) has grade = a",
        "no class of those orders (B) has grade = a",
    )
