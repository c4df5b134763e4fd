"""What users may get wrong, or do in another way, is refused in a sentence or answered rightly."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import petree
from petree import RelationalTreeClassifier
from petree.relational import Database
from petree.relational.prolog.ace import read_ace
from petree.relational.prolog.programs import read_prolog
from petree.relational.prolog.syntax.clauses import parse_literals
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.refinement.local import Packs

KEYS = range(8)
LINK = "atom.molecule -> molecule.id"
# The first three molecules have a nitrogen of negative charge, and no other has.
EXPECTED = np.array([True, True, True, False, False, False, False, False])


def make_tables() -> dict[str, dict[str, Any]]:
    return {
        "molecule": {"id": list(KEYS), "mutagenic": ["yes", "yes", "yes", "no", "no", "no", "no", "no"]},
        "atom": {
            "molecule": [0, 0, 1, 2, 2, 3, 4, 5, 5, 6],
            "element": ["c", "n", "n", "c", "n", "c", "n", "o", "c", "c"],
            "charge": [0.1, -0.4, -0.3, 0.2, -0.5, -0.3, 0.1, -0.4, 0.0, 0.3],
        },
    }


def make_model(database: Database | None = None, target: str = "molecule.mutagenic", **parameters: Any) -> Any:
    database = Database(make_tables(), links=[LINK]) if database is None else database
    return RelationalTreeClassifier(database, target, **{"pruning": "none", "smoothing": "laplace"} | parameters)


def answers(model: Any, database: Database) -> np.ndarray:
    return model.predict_proba(KEYS, database=database)[:, 1] > 0.5


# -- other tables at prediction --------------------------------------------------------------------------------


def test_columns_of_new_tables_may_stand_in_any_order_and_be_more() -> None:
    tables, model = make_tables(), make_model().fit(KEYS)
    atom = tables["atom"]
    reordered = {"charge": atom["charge"], "more": [1] * 10, "element": atom["element"], "molecule": atom["molecule"]}
    other = Database({"atom": reordered, "molecule": tables["molecule"]}, links=[LINK])
    assert (answers(model, other) == EXPECTED).all()
    model.database = other
    assert (model.predict(KEYS) == np.where(EXPECTED, "yes", "no")).all()


def test_links_of_new_tables_may_come_in_another_order() -> None:
    game = {"id": list(KEYS), "home": [0, 0, 0, 0, 1, 1, 1, 1], "guest": [1, 0] * 4, "won": list("yyyynnnn")}
    tables = {"game": game, "team": {"id": [0, 1], "town": ["rome", "oslo"]}}
    links = ["game.home -> team.id", "game.guest -> team.id"]
    model = make_model(Database(tables, links, keys={"game": "id"}), "game.won").fit(KEYS)
    other = Database(tables, links[::-1], keys={"game": "id"})
    assert np.array_equal(model.predict_proba(KEYS, database=other), model.predict_proba(KEYS))


def test_new_tables_without_a_link_are_refused() -> None:
    other = Database(make_tables(), keys={"molecule": "id"})
    with pytest.raises(ValueError, match=r"lacks the link 'atom\.molecule -> molecule\.id'"):
        make_model().fit(KEYS).predict_proba(KEYS, database=other)


@pytest.mark.parametrize(
    ("column", "values", "sentence"),
    [
        ("charge", list("0123456789"), "'atom.charge' is of type text, but was of type number"),
        ("element", list(range(10)), "'atom.element' is of type number, but was of type text"),
    ],
)
def test_new_tables_of_other_types_are_refused(column: str, values: list[Any], sentence: str) -> None:
    tables = make_tables()
    tables["atom"][column] = values
    with pytest.raises(ValueError, match=sentence):
        make_model().fit(KEYS).predict_proba(KEYS, database=Database(tables, links=[LINK]))


def test_new_columns_may_be_empty() -> None:
    tables = make_tables()
    tables["atom"]["charge"] = [None] * 10
    assert not answers(make_model().fit(KEYS), Database(tables, links=[LINK])).any()


def test_new_tables_need_the_same_time() -> None:
    tables = make_tables()
    tables["molecule"]["until"] = tables["molecule"]["id"]
    model = make_model(Database(tables, [LINK], time={"molecule": "until"})).fit(KEYS)
    with pytest.raises(
        ValueError, match="time column of table 'molecule' was until when the tree was fitted, and is None"
    ):
        model.predict_proba(KEYS, database=Database(tables, [LINK]))


def test_another_database_must_be_one() -> None:
    with pytest.raises(TypeError, match=r"'database' must be a petree\.relational\.Database, got dict"):
        make_model().fit(KEYS).predict_proba(KEYS, database=make_tables())


# -- the class -------------------------------------------------------------------------------------------------


def test_another_target_hides_its_own_class() -> None:
    flat = Database({"row": {"id": list(KEYS), "one": list("xxyyxxyy"), "two": list("pqpqpqpq")}}, keys={"row": "id"})
    model = make_model(flat, "row.one").fit(KEYS).set_params(target="row.two").fit(KEYS)
    assert "two" not in model.export_text()
    assert "two" not in [column.name for column in model.scope_.relation(0).columns]


def test_rows_that_are_not_asked_for_need_no_class() -> None:
    tables = make_tables()
    tables["molecule"]["mutagenic"][7] = None
    model = make_model(Database(tables, links=[LINK])).fit(range(7))
    assert (model.predict(KEYS) == np.where(EXPECTED, "yes", "no")).all()
    with pytest.raises(ValueError, match="no value in row 7, where id is 7"):
        model.fit(KEYS)


@pytest.mark.parametrize("name", ["a.b", "class(x)", "leaf"])
def test_the_class_may_have_any_name(name: str) -> None:
    tables = make_tables()
    tables["molecule"][name] = tables["molecule"].pop("mutagenic")
    model = make_model(Database(tables, links=[LINK]), f"molecule.{name}").fit(KEYS)
    assert (model.predict(KEYS) == np.where(EXPECTED, "yes", "no")).all()


def test_classes_that_are_whole_numbers_stay_so() -> None:
    tables = make_tables()
    tables["molecule"]["mutagenic"] = [1, 1, 1, 0, 0, 0, 0, 0]
    model = make_model(Database(tables, links=[LINK])).fit(KEYS)
    assert "P(0)" in model.to_sql()
    assert model.classes_.tolist() == [0, 1]


def test_the_class_may_point_to_a_table() -> None:
    tables = {
        "worker": {"id": list(KEYS), "team": [0, 0, 0, 0, 1, 1, 1, 1], "site": list("aaaabbbb")},
        "team": {"id": [0, 1], "name": ["red", "blue"]},
        "site": {"id": ["a", "b"], "town": ["rome", "oslo"]},
    }
    database = Database(tables, ["worker.team -> team.id", "worker.site -> site.id"], keys={"worker": "id"})
    text = make_model(database, "worker.team").fit(KEYS).export_text()
    assert "town = " in text
    assert "name" not in text


def test_the_class_may_not_be_the_time() -> None:
    database = Database({"row": {"id": list(KEYS), "day": [0, 1] * 4}}, keys={"row": "id"}, time={"row": "day"})
    with pytest.raises(ValueError, match="Column 'day' says since when rows of 'row' are known"):
        make_model(database, "row.day").fit(KEYS)


def test_classes_of_later_examples_are_not_known() -> None:
    n = 40
    paper = {"id": list(range(n)), "day": list(range(n)), "class": ["odd" if one % 2 else "even" for one in range(n)]}
    cites = {"one": list(range(n)), "other": [(one + 2) % n for one in range(n)]}  # of the same class, all but 2 later
    links = ["cites.one -> paper.id", "cites.other -> paper.id"]
    for time, is_told in (({}, True), ({"paper": "day"}, False)):
        database = Database({"paper": paper, "cites": cites}, links, time=time)
        model = make_model(database, "paper.class", known_labels=True, max_links=2, max_depth=1).fit(range(n))
        assert (model.score(range(n), paper["class"]) == 1) is is_told


# -- what is asked ---------------------------------------------------------------------------------------------


def test_no_keys_are_refused() -> None:
    with pytest.raises(ValueError, match="X has no keys"):
        make_model().fit([])


@pytest.mark.parametrize(("parameter", "value"), [("target", 3), ("aggregates", "count")])
def test_parameters_of_another_type(parameter: str, value: Any) -> None:
    with pytest.raises(TypeError, match=parameter):
        make_model().set_params(**{parameter: value}).fit(KEYS)


@pytest.mark.filterwarnings("error")
def test_aggregates_with_too_many_answers_are_left_out_and_named() -> None:
    functions = ("count", "mean", "mode", "proportion")
    with pytest.warns(UserWarning, match="aggregate\\(count, atom"):
        model = make_model(max_answers=1, aggregates=functions).fit(KEYS)
    assert model.tree_.n_nodes == 1


def test_aggregates_with_too_many_answers_at_a_node_are_left_out() -> None:
    tables = make_tables()
    tables["molecule"]["until"] = [0] * 8
    tables["atom"]["since"] = [0] * 10
    tables["bond"] = {"one": [0] * 6, "molecule": [0] * 6}
    tables["atom"]["id"] = list(range(10))
    links = [LINK, "bond.one -> atom.id", "bond.molecule -> molecule.id"]
    database = Database(tables, links, time={"molecule": "until", "atom": "since"})
    with pytest.warns(UserWarning, match="refinements left out"):
        make_model(database, max_answers=10).fit(np.repeat(KEYS, 2))


def test_a_foreign_key_may_have_its_columns_in_another_order() -> None:
    visit = {"clinic": [1, 1, 2, 2], "day": [1, 2, 1, 2], "class": list("abab")}
    sample = {"on": [1, 2, 2, 1, 2, 2], "at": [1, 1, 1, 2, 2, 2]}
    texts = []
    for columns in (["on", "at"], ["at", "on"]):
        tables = {"visit": visit, "sample": {name: sample[name] for name in columns}}
        database = Database(tables, links=["sample(at, on) -> visit(clinic, day)"])
        texts.append(make_model(database, "visit.class", max_links=0).fit(database.keys("visit")).export_text())
    assert all("the number of samples" in text and "< 1.5" in text for text in texts)


def test_tables_without_links_are_warned_of(tmp_path: Path) -> None:
    (tmp_path / "facts.pl").write_text("mol(m1, p). mol(m2, q). atom(m1, c). atom(m2, n).")
    database = read_prolog(tmp_path / "facts.pl", "mol")
    with pytest.warns(UserWarning, match="No table is linked, so that only columns of 'mol' can be asked for"):
        make_model(database, "mol.class").fit(["m1", "m2"])


@pytest.mark.parametrize(
    ("rule", "constants", "test"),
    [
        ("X < Y", "3.5, 9", "val(A, B), B < 3.5"),
        ("Y > X", "3.5, 9", "val(A, B), B < 3.5"),
        ("X >= Y", "9, 4", "val(A, B), B >= 4"),
        ("X \\= Y", "0, 1", "val(A, B), B \\= 0"),
        ("X = Y", "0, 1", "val(A, B), B = 0"),
    ],
)
def test_a_condition_compares_with_constants_as_it_says(tmp_path: Path, rule: str, constants: str, test: str) -> None:
    values = [0, 0, 0, 0, 1, 1, 1, 1] if "=" in rule.replace(">=", "") else list(KEYS)
    facts = (f"cls(e{one}, {'p' if one < 4 else 'q'}). val(e{one}, {values[one]})." for one in KEYS)
    (tmp_path / "x.kb").write_text("\n".join(facts))
    (tmp_path / "x.bg").write_text(f"than(X, Y) :- {rule}.")
    (tmp_path / "x.s").write_text(
        "predict(cls(+e, -c)).\nclasses([p, q]).\ntyped_language(yes).\n"
        "type(cls(e, c)).\ntype(val(e, n)).\ntype(than(n, n)).\n"
        f"rmode(val(+E, -N)).\nlookahead(val(E, N), than(N, #[{constants}])).\n"
    )
    database = read_ace(tmp_path)
    model = make_model(database, database.target).fit([f"e{one}" for one in KEYS])
    assert str(model.tree_.conditions[0]) == test


def test_packs_tell_variables_of_one_name_apart() -> None:
    database = Database(
        {"row": {"id": [0, 1]}, "pair": {"row": [0, 1], "low": [1, 5], "high": [5, 1]}}, links=["pair.row -> row.id"]
    )
    first = Answers.of_examples(Scope.of_target(database, "row"), np.arange(2, dtype=np.int32), 100)
    packs = Packs(first)
    for text, expected in (("pair(A, B, _, _), B < 3", [True, False]), ("pair(A, _, B, _), B < 3", [False, True])):
        assert packs.extend(parse_literals(text)).covered.tolist() == expected


# -- files and SQL ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "key"),
    [("examples", "id"), ("Test_0", "id"), ("molecule", "leaf"), ("known_class", "Leaf"), ("molecule", "a.b")],
)
def test_names_that_the_text_of_sql_uses_itself(tmp_path: Path, table: str, key: str) -> None:
    tables = make_tables()
    molecule = {key: tables["molecule"]["id"], "mutagenic": tables["molecule"]["mutagenic"]}
    database = Database({table: molecule, "atom": tables["atom"]}, links=[f"atom.molecule -> {table}.{key}"])
    model = make_model(database, f"{table}.mutagenic").fit(KEYS)
    database.to_sql(f"sqlite:///{tmp_path / 'x.db'}")
    petree.save(model, tmp_path / "model.json")
    loaded = petree.load(tmp_path / "model.json", database=database)
    connection = sqlite3.connect(tmp_path / "x.db")
    found = {row[0]: row[-1] for row in connection.execute(loaded.to_sql())}
    connection.close()
    assert np.allclose([found[one] for one in KEYS], model.predict_proba(KEYS)[:, 1])


def test_a_row_of_its_own_table_is_told_by_the_column() -> None:
    workers = {"id": list(KEYS), "boss": [None, 0, 0, 0, 1, 1, 1, 1], "grade": [9, 1, 5, 5, 5, 5, 5, 5]}
    database = Database({"worker": workers | {"left": list("nnnnyyyy")}}, links=["worker.boss -> worker.id"])
    text = make_model(database, "worker.left", aggregates=()).fit(KEYS).export_text()
    assert "the boss (B) of the worker has grade < " in text


def test_a_class_that_is_left_among_the_columns_is_named() -> None:
    tables = {"thing": {"id": range(6), "colour": list("rgbrgb"), "kind": ["a", "b", "a", "b", "a", "b"]}}
    model = RelationalTreeClassifier(Database(tables, keys={"thing": "id"}), "thing", pruning="none")
    with pytest.warns(UserWarning, match=r"'kind' of table 'thing' tells the classes outright.*target='thing.kind'"):
        model.fit(range(6), ["yes", "no"] * 3)


@pytest.mark.parametrize("parameter", [{"random_state": "x"}, {"known_labels": "x"}])
def test_parameters_of_the_wrong_kind(parameter: dict[str, object]) -> None:
    tables = {"thing": {"id": range(4), "size": [1.0, 2, 3, 4], "kind": list("aabb")}}
    model = RelationalTreeClassifier(Database(tables, keys={"thing": "id"}), "thing.kind", **parameter)
    with pytest.raises(ValueError, match="'x'"):
        model.fit(range(4))
