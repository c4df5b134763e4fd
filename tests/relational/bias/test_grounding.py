"""Values that tests may use, as the training examples show them."""

from __future__ import annotations

import numpy as np
import pytest
from tests.relational.molecules import KEYS, LINK, make_model, make_tables

from petree.relational import Database


def test_functions_look_at_each_key_once_whatever_the_answers() -> None:
    functions = ("count", "mean", "mode", "proportion")
    with pytest.warns(UserWarning, match="left out"):
        model = make_model(max_answers=1, aggregates=functions).fit(KEYS)
    assert {one.function for one in model.bias_.aggregates} == set(functions)


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
        texts.append(make_model(database, "visit.class", max_links=1).fit(database.keys("visit")).export_text())
    assert all("the number of samples" in text and "< 2" in text for text in texts)
