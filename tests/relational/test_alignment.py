"""Other tables at prediction: put in order, or refused in a sentence."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from tests.relational.molecules import KEYS, LINK, make_model, make_tables
from tests.relational.random_databases import random_tables

from petree import RelationalTreeClassifier
from petree.relational import Database
from petree.relational.queries.terms import FUNCTIONS
from petree.relational.relations import KEY

# The first three molecules have a nitrogen of negative charge, and no other has.
EXPECTED = np.array([True, True, True, False, False, False, False, False])


def answers(model: Any, database: Database) -> np.ndarray:
    return model.predict_proba(KEYS, database=database)[:, 1] > 0.5


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


def test_new_tables_that_no_test_asks_about_may_be_missing() -> None:
    tables = make_tables()
    tables["molecule"]["maker"] = [0, 1] * 4
    tables["maker"] = {"id": [0, 1], "town": ["rome", "rome"]}
    links = [LINK, "molecule.maker -> maker.id"]
    model = make_model(Database(tables, links)).fit(KEYS)
    del tables["maker"]
    assert (answers(model, Database(tables, [LINK])) == EXPECTED).all()


def test_new_columns_that_no_test_asks_about_may_be_missing_or_of_other_types() -> None:
    tables = make_tables()
    tables["molecule"]["name"] = list("abcdefgh")
    tables["atom"]["note"] = ["x", "y"] * 5
    model = make_model(Database(tables, [LINK])).fit(KEYS)
    assert "note" not in model.export_text()
    del tables["molecule"]["name"]
    tables["atom"]["note"] = list(range(10))
    assert (answers(model, Database(tables, [LINK])) == EXPECTED).all()
    del tables["atom"]["note"]
    other = Database(tables, [LINK])
    assert (answers(model, other) == EXPECTED).all()
    asked = next(name for name in ("charge", "element") if name in model.export_text())
    with pytest.raises(ValueError, match=f"Table 'atom' has no column '{asked}', which the tree was fitted with"):
        answers(model, Database(tables, [LINK], leave_out=[f"atom.{asked}"]))


@pytest.mark.parametrize("seed", range(12))
def test_the_columns_that_are_asked_for_are_enough(seed: int) -> None:
    """Without any other column every example comes to the leaf that it came to with them."""
    made = random_tables(seed, is_clean=True)
    model = RelationalTreeClassifier(made.database(), f"{made.target}.class", aggregates=FUNCTIONS, pruning="none")
    keys = made.database().keys(made.target)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(keys)
        asked = model._readable().asked_columns()
        known = model.scope_.database
        unasked = [
            (name, column.name)
            for name, relation in known.relations.items()
            for place, column in enumerate(relation.columns)
            if place not in asked.get(name, ()) and column.kind != KEY and place != relation.time
        ]
        fewer = Database(made.tables, made.links, made.keys, made.time, leave_out=unasked)
    assert model.apply(keys, database=fewer).tolist() == model.apply(keys).tolist()
    assert model.predict(keys, database=fewer).tolist() == model.predict(keys).tolist()
