"""Option trees over several tables: what they answer, by the slow definition of queries, and how they are kept."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from tests.relational.made_trees import made_database
from tests.relational.oracles.queries import Facts, covers
from tests.relational.random_databases import random_tables

from petree import (
    OptionTreeClassifier,
    RelationalOptionTreeClassifier,
    RelationalTreeClassifier,
    load,
    make_report,
    save,
)
from petree.estimators.option.rules import rules_of
from petree.estimators.relational.option.growing import AskedTests, distinct_columns
from petree.growing.option_ground import OptionRules
from petree.relational import Database
from petree.relational.prolog.syntax.literals import parse_literals
from petree.splitting import Gain
from petree.storage import dumps, loads

FUNCTIONS = ("count", "mean", "max", "mode", "proportion")
SMALL: dict[str, Any] = {"n_searches": 4, "max_depth": 4, "random_state": 3}


class BestTests(OptionTreeClassifier):
    """One that draws columns alone, as over several tables."""

    def _rules(self) -> OptionRules:
        return rules_of(self)


def made(seed: int, **parameters: Any) -> tuple[RelationalOptionTreeClassifier, Facts, Any]:
    """A model of some of the things of a random database, its facts without the classes, and the keys of all."""
    tables = random_tables(seed, n=16)
    database = tables.database()
    keys = np.asarray(database.keys("thing"))
    model = RelationalOptionTreeClassifier(
        database, "thing.class", **SMALL, aggregates=FUNCTIONS, **{"n_refined": 1, "max_links": 2} | parameters
    )
    model.fit(keys[: len(keys) * 3 // 4])
    return model, tables.facts().without(database.relation("thing").place("class")), keys


def slow_answer(model: RelationalOptionTreeClassifier, facts: Facts, example: int, node: int = 0) -> Any:
    """What a node answers: its own estimate as far as trees end there, and the answers of children by the others."""
    tree = model.tree_
    total = model.shares_.stay[node] * model.prior_.estimate(tree)[node]
    for split in range(tree.split_start[node], tree.split_start[node + 1]):
        holds = covers(facts, example, parse_literals(str(tree.conditions[split])))
        child = int(tree.children[tree.child_start[split] + (0 if holds else 1)])
        total = total + model.shares_.go[split] * slow_answer(model, facts, example, child)
    return total


@pytest.mark.parametrize("seed", range(2))
def test_answers_are_the_mean_over_nodes_that_a_slow_look_at_all_rows_leads_to(seed: int) -> None:
    model, facts, keys = made(seed)
    assert model.tree_.n_nodes > 3
    slow = [slow_answer(model, facts, example) for example in range(len(keys))]
    np.testing.assert_allclose(model.predict_proba(keys), slow, atol=1e-12)
    lower, upper, _ = model.predict_interval(keys)
    assert ((lower <= model.predict_proba(keys)) & (model.predict_proba(keys) <= upper)).all()


def slow_codes(model: RelationalOptionTreeClassifier, facts: Facts, n: int) -> tuple[Any, int]:
    """For each family of tests how many of them do not hold, for each other test whether it does not.

    And how many of the columns are of the empty query.
    """
    fresh = clone(model)
    maker, cases = fresh._prepare(model.keys_, None)
    tests, n_first = AskedTests.of(maker.source(cases, Gain(), 1, fresh._threads()), model.n_refined)
    columns = []
    for family in tests.layout.families:
        failed = [[not covers(facts, one, family.test(at)) for at in range(len(family))] for one in range(n)]
        columns += [np.sum(failed, axis=1)] if family.is_of_thresholds else list(np.array(failed).T)
    return np.column_stack(columns).astype(float), n_first


@pytest.mark.parametrize(("seed", "n_refined"), [(2, 0), (4, 0), (3, 1)])
def test_it_is_the_flat_option_tree_of_the_answers_of_its_tests(seed: int, n_refined: int) -> None:
    """With refinements, which are columns of their own, it is two of half as many searches that count alike."""
    model, facts, keys = made(seed, n_refined=n_refined)
    codes, n_first = slow_codes(model, facts, len(keys))
    known = len(model.keys_)
    places = distinct_columns(codes[:known].astype(np.uint8))
    assert (n_refined == 0) == (len(places[places >= n_first]) == 0)
    y = model.database.labels("thing.class")[:known]
    parts = [(places[places < n_first], 2), (places, 2)] if n_refined else [(places, 4)]
    flats = [BestTests("averaged", binning="exact", **SMALL | {"n_searches": n}) for _, n in parts]
    for flat, (columns, _) in zip(flats, parts, strict=True):
        flat.fit(codes[:known, columns], y)
    answers = [flat.predict_proba(codes[:, columns]) for flat, (columns, _) in zip(flats, parts, strict=True)]
    n_options = [flat.tree_.split_start[1] for flat in flats]
    assert model.tree_.n_nodes - 1 == sum(flat.tree_.n_nodes - 1 for flat in flats)
    np.testing.assert_allclose(model.predict_proba(keys), np.average(answers, axis=0, weights=n_options), atol=1e-12)


def test_of_columns_that_order_the_rows_alike_or_in_reverse_the_first_is_taken() -> None:
    codes = np.array([[0, 5, 9, 1, 3], [1, 9, 4, 1, 3], [2, 200, 0, 0, 3]], np.uint8)
    assert distinct_columns(codes).tolist() == [0, 3, 4]


@pytest.mark.parametrize("seed", range(2))
def test_the_summary_sends_examples_where_a_slow_look_does_and_reads_as_sentences(seed: int) -> None:
    model, facts, keys = made(seed)
    summary = model.summary(max_leaves=6)
    assert isinstance(summary, RelationalTreeClassifier)
    router, tree = summary._readable(), summary.tree_
    assert router.closed == set(router.literals)
    paths = summary.decision_path(keys).toarray() > 0
    for node, literals in router.literals.items():
        yes = int(tree.children_of(np.array([node]))[0])
        for example in np.flatnonzero(paths[:, node]).tolist():
            assert paths[example, yes] == covers(facts, example, literals)
            assert paths[example, yes] == covers(facts, example, (*router.query(node), *literals))
    assert model.export_text() == model.summary().export_text()
    leaf = int(summary.apply(keys[:1])[0])
    assert keys[0] in [one["key"] for one in summary.rows_at(leaf, keys)]
    assert loads(dumps(summary)).export_text() == summary.export_text()
    assert summary.base_rates_.tolist() == model.base_rates_.tolist()


@pytest.mark.parametrize("has_signal", [False, True])
def test_the_summary_of_noise_is_a_single_leaf(has_signal: bool) -> None:
    random = np.random.default_rng(1)
    n = 100
    kinds = random.choice(list("uvw"), 3 * n)
    owners = random.integers(0, n, 3 * n)
    visits = {"patient": owners, "kind": kinds.tolist(), "cost": random.normal(size=3 * n)}
    database = Database({"patient": {"id": np.arange(n)}, "visit": visits}, ["visit.patient -> patient.id"])
    has_u = np.isin(np.arange(n), owners[kinds == "u"])
    labels = has_u ^ (random.random(n) < 0.2) if has_signal else random.random(n) < 0.5
    model = RelationalOptionTreeClassifier(database, "patient", n_searches=10, random_state=0)
    told = model.fit(np.arange(n), labels).summary().rules()
    assert len(told) == (2 if has_signal else 1)
    assert not has_signal or "has kind = u" in told[0]


def shuffled(table: dict[str, Any], seed: int) -> dict[str, Any]:
    order = np.random.default_rng(seed).permutation(len(next(iter(table.values()))))
    return {name: np.array(values, object)[order].tolist() for name, values in table.items()}


def test_the_order_of_rows_does_not_matter() -> None:
    random = np.random.default_rng(1)
    tables: dict[str, dict[str, Any]] = {
        "molecule": {"id": list(range(40)), "class": random.choice(["a", "b"], 40).tolist()},
        "atom": {
            "molecule": random.integers(0, 40, 120).tolist(),
            "element": random.choice(["c", "n", "o"], 120).tolist(),
            "charge": random.random(120).round(2).tolist(),
        },
    }
    answers = []
    for order in range(3):
        given = {name: table if order == 0 else shuffled(table, order) for name, table in tables.items()}
        database = Database(given, ["atom.molecule -> molecule.id"])
        model = RelationalOptionTreeClassifier(database, "molecule.class", n_searches=5)
        answers.append(model.fit(database.keys("molecule")).predict_proba(range(40)))
    np.testing.assert_allclose(answers[1], answers[0], atol=1e-12)
    np.testing.assert_allclose(answers[2], answers[0], atol=1e-12)


# -- keeping a model ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def clinic() -> Database:
    return made_database(4, with_times=True)


@pytest.fixture(scope="module")
def model(clinic: Database) -> RelationalOptionTreeClassifier:
    return RelationalOptionTreeClassifier(clinic, "patient.class", n_searches=2, n_refined=1).fit(
        clinic.keys("patient")
    )


def test_a_model_file_keeps_all_that_answers_need(model: Any, clinic: Database, tmp_path: Any) -> None:
    keys = clinic.keys("patient")
    save(model, tmp_path / "model.json")
    again = load(tmp_path / "model.json", database=clinic)
    np.testing.assert_array_equal(again.predict_proba(keys), model.predict_proba(keys))
    assert again.summary().to_sql() == model.summary().to_sql()
    later = load(tmp_path / "model.json")
    np.testing.assert_array_equal(later.predict_proba(keys, database=clinic), model.predict_proba(keys))
    assert later.export_text() == model.export_text()
    assert dumps(again) == dumps(model)
    with pytest.raises(ValueError, match="loaded without its tables"):
        later.predict_proba(keys)


def test_pickles_and_clones(model: Any, clinic: Database) -> None:
    keys = clinic.keys("patient")
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(keys), model.predict(keys))
    fresh = clone(model)
    assert fresh.database is clinic
    assert not fresh.__sklearn_is_fitted__()
    np.testing.assert_array_equal(fresh.fit(keys).predict_proba(keys), model.predict_proba(keys))


def damaged(model: Any, change: Any) -> str:
    data = json.loads(dumps(model))
    change(data)
    return json.dumps(data)


def first_test(data: Any) -> Any:
    return next(one for node in data["tree"]["nodes"] for one in node if isinstance(one, list))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda data: first_test(data).__setitem__(1, "nothing(A, B)"), "nothing"),
        (lambda data: first_test(data).__setitem__(1, "Z < 3"), "variable Z is compared"),
        (lambda data: first_test(data).__setitem__(0, "<"), "not a test"),
        (lambda data: data.pop("schema"), "lacks its schema"),
        (lambda data: data["parameters"].update(n_searches=0), "n_searches"),
        (lambda data: data["parameters"].update(aggregates=["median"]), "aggregates"),
        (lambda data: data["answers"][0]["stay"].__setitem__(0, 0.77), "stay"),
        (lambda data: data.update(estimator="OptionTreeClassifier"), "no parameter"),
    ],
)
def test_a_damaged_file_is_refused(model: Any, change: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=rf"damaged: .*{complaint}"):
        loads(damaged(model, change))


def test_keys_of_another_database(model: Any, clinic: Database) -> None:
    other = made_database(9, with_times=True)
    keys = other.keys("patient")
    answers = model.predict_proba(keys, database=other)
    moved = clone(model).set_params(database=other)
    moved.__dict__ |= {name: value for name, value in vars(model).items() if name.endswith("_")}
    np.testing.assert_array_equal(moved.predict_proba(keys), answers)
    np.testing.assert_array_equal(model.predict(keys, database=other), model.classes_[answers.argmax(axis=1)])
    with pytest.raises(TypeError, match=r"'database' must be a petree\.relational\.Database, got dict"):
        model.predict_proba(keys, database={})


def test_a_report_tells_first_tests_in_sentences(model: Any, clinic: Database) -> None:
    page = str(make_report(model, clinic.keys("patient"), clinic.labels("patient.class")))
    assert "of the patient" in page


# -- refusals -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"database": None}, "must be a petree.relational.Database, got NoneType"),
        ({"target": "patient.height"}, "height"),
        ({"target": "nobody.class"}, "nobody"),
        ({"aggregates": "count"}, "put it into a list"),
        ({"max_depth": 1000}, "'max_depth' parameter of RelationalOptionTreeClassifier must not be above 100"),
        ({"max_seconds": 3}, "'max_seconds' parameter of RelationalOptionTreeClassifier is for"),
        ({"prior": "V"}, "V"),
        ({"binning": "nothing"}, "nothing"),
        ({"weights": "none"}, "weights"),
        ({"n_refined": -1}, "'n_refined' parameter of RelationalOptionTreeClassifier"),
    ],
)
def test_bad_parameters_are_refused_in_a_sentence(clinic: Database, parameters: Any, complaint: str) -> None:
    model = RelationalOptionTreeClassifier(clinic, "patient.class").set_params(**parameters)
    with pytest.raises((TypeError, ValueError, KeyError), match=complaint):
        model.fit(clinic.keys("patient"))


def test_keys_that_are_not_there_are_refused(model: Any, clinic: Database) -> None:
    with pytest.raises((KeyError, ValueError), match="77"):
        model.predict_proba([77])
    with pytest.raises(ValueError, match="X has no keys"):
        clone(model).fit([])
    with pytest.raises(AttributeError, match="none has an importance"):
        _ = model.feature_importances_


def test_a_table_that_offers_no_test_gives_a_single_leaf() -> None:
    database = Database({"thing": {"id": [1, 2, 3, 4], "class": ["a", "a", "b", "a"]}}, keys={"thing": "id"})
    model = RelationalOptionTreeClassifier(database, "thing.class").fit([1, 2, 3, 4])
    assert model.tree_.n_nodes == 1
    assert model.predict([2]).tolist() == ["a"]
    assert model.summary().get_n_leaves() == 1
