"""The classifier among scikit-learn's tools, on other data, and with bad input."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer

from petree import RelationalTreeClassifier
from petree.relational import Argument, Bias, Database, Mode
from petree.relational.queries.terms import Constant

N = 60


def make_tables() -> dict[str, dict[str, Any]]:
    """Molecules that are toxic if some atom of theirs is a chlorine of low charge."""
    numbers = np.random.default_rng(0)
    elements = numbers.choice(["c", "cl", "h", "o"], 4 * N)
    charges = numbers.integers(-8, 9, 4 * N) / 4
    owners = numbers.integers(0, N, 4 * N)
    toxic = np.isin(np.arange(N), owners[(elements == "cl") & (charges < 0.5)])
    molecules: dict[str, Any] = {
        "id": np.array([f"m{k}" for k in range(N)]),
        "class": np.where(toxic, "toxic", "safe"),
        "mass": numbers.integers(10, 20, N).astype(float),
    }
    atoms: dict[str, Any] = {"molecule": molecules["id"][owners], "element": elements, "charge": charges}
    return {"molecule": molecules, "atom": atoms}


def _mixed(columns: dict[str, Any]) -> dict[str, Any]:
    order = np.random.default_rng(1).permutation(len(next(iter(columns.values()))))
    return {name: values[order] for name, values in columns.items()}


def make_database(tables: dict[str, Any] | None = None) -> Database:
    return Database(make_tables() if tables is None else tables, ["atom.molecule -> molecule.id"])


def make_model(database: Database | None = None, **parameters: Any) -> RelationalTreeClassifier:
    chosen = {"pruning": "none", "smoothing": "laplace", **parameters}
    return RelationalTreeClassifier(make_database() if database is None else database, "molecule.class", **chosen)


KEYS = np.array([f"m{k}" for k in range(N)])
LABELS = make_tables()["molecule"]["class"]


# -- scikit-learn ----------------------------------------------------------------------------------------------


def test_the_concept_is_found() -> None:
    model = make_model().fit(KEYS)
    assert model.score(KEYS, LABELS) == 1
    assert model.classes_.tolist() == ["safe", "toxic"]
    np.testing.assert_array_equal(model.predict(KEYS), LABELS)
    np.testing.assert_allclose(model.predict_proba(KEYS).sum(axis=1), 1)


def test_labels_come_from_the_column_or_from_y() -> None:
    one, other = make_model().fit(KEYS), make_model().fit(KEYS, LABELS)
    np.testing.assert_array_equal(one.tree_.counts, other.tree_.counts)
    turned = make_model().fit(KEYS, np.where(LABELS == "toxic", "a", "b"))
    assert turned.classes_.tolist() == ["a", "b"]
    np.testing.assert_array_equal(turned.tree_.counts, one.tree_.counts[:, ::-1])


def test_clones_share_the_database() -> None:
    model = make_model().fit(KEYS)
    copy = clone(model)
    assert copy.database is model.database
    assert not hasattr(copy, "tree_")
    with pytest.raises(NotFittedError):
        copy.predict_proba(KEYS)


def test_cross_validation() -> None:
    scores = cross_val_score(make_model(), KEYS, LABELS, cv=4, scoring="roc_auc")
    assert scores.shape == (4,)
    assert scores.mean() > 0.7


@pytest.mark.parametrize("seed", range(2))
def test_a_fold_learns_from_its_own_keys_alone(seed: int) -> None:
    """Classes of other examples change nothing."""
    train = np.random.default_rng(seed).permutation(N)[:40]
    tables = make_tables()
    others = np.setdiff1d(np.arange(N), train)
    tables["molecule"]["class"][others] = "toxic"
    one, other = (make_model(database).fit(KEYS[train]) for database in (None, make_database(tables)))
    assert list(map(str, one.tree_.conditions)) == list(map(str, other.tree_.conditions))
    np.testing.assert_array_equal(one.predict_proba(KEYS), other.predict_proba(KEYS))


def test_constants_and_thresholds_come_from_the_training_examples() -> None:
    """Atoms of other molecules change nothing either."""
    train, tables = np.arange(0, N, 2), make_tables()
    atoms = tables["atom"]
    is_other = np.isin(atoms["molecule"], KEYS[1::2])
    atoms["charge"] = np.where(is_other, atoms["charge"] * 5 + 0.125, atoms["charge"])
    atoms["element"] = np.where(is_other, "xx", atoms["element"])
    one, other = (
        make_model(database, binning="exact", min_examples=1).fit(KEYS[train])
        for database in (None, make_database(tables))
    )
    assert list(map(str, one.tree_.conditions)) == list(map(str, other.tree_.conditions))
    np.testing.assert_array_equal(one.tree_.n_tests, other.tree_.n_tests)


def test_grid_search() -> None:
    grid = {"max_links": [0, 1], "pruning": ["none", "mdl"], "database": [make_database()]}
    search = GridSearchCV(make_model(), grid, cv=3).fit(KEYS, LABELS)
    assert search.best_params_["max_links"] == 1
    assert search.predict(KEYS).shape == (N,)


def test_pipeline() -> None:
    pipeline = Pipeline([("keys", FunctionTransformer(lambda X: X)), ("tree", make_model())]).fit(KEYS, LABELS)
    np.testing.assert_array_equal(pipeline.predict_proba(KEYS), make_model().fit(KEYS).predict_proba(KEYS))


def test_pickle() -> None:
    model = make_model().fit(KEYS)
    model.predict_proba(KEYS)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict_proba(KEYS), model.predict_proba(KEYS))
    np.testing.assert_array_equal(copy.fit(KEYS).tree_.counts, model.tree_.counts)


def test_what_is_known_of_values_lives_with_the_scope_of_a_fit_and_stays_out_of_pickles() -> None:
    model = make_model(aggregates=()).fit(KEYS)
    assert model.scope_.lookups
    assert model.scope_.database.kept
    copy = pickle.loads(pickle.dumps(model))
    assert copy.scope_ == model.scope_
    assert not copy.scope_.database.kept
    assert not copy.scope_.lookups
    assert not copy.scope_._known
    assert not copy.scope_._others


def test_fitting_again_forgets() -> None:
    model = make_model().fit(KEYS)
    before = model.predict_proba(KEYS)
    model.set_params(max_depth=1).fit(KEYS)
    assert not np.array_equal(model.predict_proba(KEYS), before)
    model.set_params(max_depth=None).fit(KEYS)
    np.testing.assert_array_equal(model.predict_proba(KEYS), before)


@pytest.mark.parametrize(
    ("pruning", "smoothing"),
    [
        ("default", "default"),
        ("default", "m_branch"),
        ("rand", "m_branch"),
        ("reduced_error", "default"),
        ("cost_complexity", "m_branch"),
        ("sampled", "m_branch"),
    ],
)
def test_parts_that_ask_for_more_than_the_tree(pruning: str, smoothing: str) -> None:
    model = make_model(pruning=pruning, smoothing=smoothing, random_state=0).fit(KEYS)
    assert model.score(KEYS, LABELS) > 0.6
    again = make_model(pruning=pruning, smoothing=smoothing, random_state=0).fit(KEYS[::-1])
    np.testing.assert_allclose(model.predict_proba(KEYS), again.predict_proba(KEYS), atol=1e-12)


# -- other data ------------------------------------------------------------------------------------------------


def test_the_same_data_in_another_order() -> None:
    model = make_model(aggregates=("count", "mean", "mode", "proportion")).fit(KEYS)
    tables = make_tables()
    tables["atom"] = _mixed(tables["atom"])
    tables["molecule"] = _mixed(tables["molecule"])
    other = make_database(tables)
    np.testing.assert_array_equal(model.predict_proba(KEYS, database=other), model.predict_proba(KEYS))


def test_other_values_have_other_codes() -> None:
    """More values before, between and behind the known ones; those that a test names are not there at all."""
    model = make_model().fit(KEYS)
    assert any("cl" in str(condition) for condition in model.tree_.conditions)
    tables: dict[str, Any] = {
        "molecule": {"id": ["a", "b", "z"], "class": ["safe"] * 3, "mass": [1.0, 15.0, 99.0]},
        "atom": {
            "molecule": ["a", "b", "b", "z"],
            "element": ["aa", "cl", "zz", "o"],
            "charge": [-9.0, -1.875, 0.33, 7.0],
        },
    }
    found = model.predict_proba(["b", "a", "z"], database=make_database(tables))
    assert found[0, 1] > 0.5 > max(found[1, 1], found[2, 1])
    tables["atom"]["element"] = ["c", "h", "h", "o"]
    without = model.predict_proba(["b", "a", "z"], database=make_database(tables))
    assert (without[:, 1] < 0.5).all()


def test_new_data_need_no_class_but_all_other_columns() -> None:
    model, tables = make_model(max_links=0).fit(KEYS), make_tables()
    expected = model.predict_proba(KEYS)
    del tables["molecule"]["class"]
    assert np.array_equal(model.predict_proba(KEYS, database=make_database(tables)), expected)
    del tables["molecule"][list(tables["molecule"])[-1]]
    with pytest.raises(ValueError, match="'molecule' has no column 'mass'"):
        model.predict_proba(KEYS, database=make_database(tables))


@pytest.mark.parametrize(
    "values",
    [
        [True, False],
        ["it's", "a, b)"],
        ["3", "4"],
        ["true", "False"],
        ["", "X"],
        ["back\\slash", "two\nlines"],
        [-1e-07, 1e-07],
        [1e22, 3e22],
        [-2, 5],
    ],
    ids=str,
)
def test_values_of_all_kinds_are_found_again(values: list[Any]) -> None:
    """Tests are kept as text, so that every value must be read as it was written."""
    column = np.array(values)[(LABELS == "toxic").astype(int)]
    for table, name in (("molecule", "kind"), ("remark", "what is said")):
        tables = {**make_tables(), "remark": {"molecule": KEYS}}
        tables[table][name] = column
        del tables["atom"]
        database = Database(tables, ["remark.molecule -> molecule.id"])
        model = make_model(database, max_depth=1, aggregates=()).fit(KEYS)
        assert model.score(KEYS, LABELS) == 1, str(model.tree_.conditions[0])


# -- keys ------------------------------------------------------------------------------------------------------


def test_keys_of_two_columns() -> None:
    rows = {"a": [1, 1, 2, 2, 3, 3], "b": ["x", "y", "x", "y", "x", "y"], "class": list("uvuvuv")}
    database = Database(
        {"thing": rows, "part": {"a": [1, 2, 3], "b": ["x", "x", "x"], "kind": ["p", "p", "q"]}},
        ["part(a, b) -> thing(a, b)"],
        {"thing": ("a", "b")},
    )
    model = RelationalTreeClassifier(database, "thing.class", pruning="none", smoothing="none")
    tuples = [(1, "x"), (1, "y"), (2, "x"), (2, "y"), (3, "x")]
    chances = model.fit(tuples).predict_proba(tuples)
    np.testing.assert_array_equal(chances[:, 0], [1, 0, 1, 0, 1])
    array = np.array(tuples, dtype=object)
    np.testing.assert_array_equal(model.fit(array).predict_proba(array), chances)
    frame = pd.DataFrame(tuples, columns=["a", "b"])
    np.testing.assert_array_equal(model.fit(frame).predict_proba(frame), chances)
    with pytest.raises(ValueError, match="must be a tuple of 2 values"):
        model.predict_proba([1, 2])


def test_keys_in_one_column_of_an_array() -> None:
    model = make_model().fit(KEYS[:, np.newaxis])
    np.testing.assert_array_equal(model.predict_proba(KEYS[:, np.newaxis]), make_model().fit(KEYS).predict_proba(KEYS))


# -- too many answers ------------------------------------------------------------------------------------------


def test_refinements_with_too_many_answers_are_left_out_and_told() -> None:
    """A literal that is not linked to the example pairs every example with every atom."""
    elements = Argument("#", constants=tuple(map(Constant, ("c", "cl", "h", "o"))))
    linked = Mode("atom", (Argument("+", "M"), elements, Argument("_"), Argument("_")))
    anywhere = Mode("atom", (Argument("_"), elements, Argument("_"), Argument("_")))
    both = make_model(bias=Bias((anywhere, linked)), max_answers=1000, max_depth=3)
    with pytest.warns(UserWarning, match="^Some tests about other rows of atom were left out, .* raise max_answers, "):
        both.fit(KEYS)
    alone = make_model(bias=Bias((linked,)), max_depth=3).fit(KEYS)
    assert list(map(str, both.tree_.conditions)) == list(map(str, alone.tree_.conditions))
    assert alone.tree_.n_leaves > 2
