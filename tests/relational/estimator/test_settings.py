"""Settings of an ACE application, as a tree follows them."""

from __future__ import annotations

import pytest
from sklearn.base import clone

from petree import RelationalTreeClassifier, presets
from petree.relational import Database
from petree.storage import dumps, loads


def make_application(settings: dict[str, object]) -> Database:
    """Eight things, of which one alone has a part of kind b, as an application would declare them."""
    tables = {
        "thing": {"id": range(8), "class": ["no"] * 7 + ["yes"]},
        "part": {"thing": range(8), "kind": ["a"] * 7 + ["b"]},
    }
    database = Database(tables, ["part.thing -> thing.id"])
    return Database.from_relations(database.relations, database.foreign_keys, target="thing.class", settings=settings)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("settings", "n_leaves"), [({}, 1), ({"minimal_cases": 1, "heuristic": "gain"}, 2)])
def test_a_branch_has_as_many_cases_as_declared(settings: dict[str, object], n_leaves: int) -> None:
    database = make_application(settings)
    model = presets["tilde"](database=database, pruning="none").fit(range(8))
    assert model.tree_.n_leaves == n_leaves
    loaded = loads(dumps(model))
    assert loaded.min_samples_leaf == clone(model).min_samples_leaf == "declared"


def test_settings_that_are_not_followed_are_named() -> None:
    settings = {"minimal_cases": 2, "heuristic": "gainratio", "accuracy": 0.9, "load": "key"}
    database = make_application(settings)
    with pytest.warns(
        UserWarning, match=r"does not follow .*: heuristic\(gainratio\), accuracy\(0\.9\); set"
    ) as caught:
        presets["tilde"](database=database).fit(range(8))
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match=r": accuracy\(0\.9\);"):
        presets["tilde"](database=database, split="gain_ratio").fit(range(8))


def test_bad_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match=r"minimal_cases must be a whole number not below 1\. Got 'few'"):
        presets["tilde"](database=make_application({"minimal_cases": "few"})).fit(range(8))
    with pytest.raises((TypeError, ValueError), match="min_samples_leaf"):
        RelationalTreeClassifier(make_application({}), min_samples_leaf="auto").fit(range(8))
