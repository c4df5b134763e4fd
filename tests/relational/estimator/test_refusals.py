"""Bad input of the relational classifier is refused in one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.relational.estimator.test_estimator import KEYS, LABELS, make_model

from petree import RelationalTreeClassifier
from petree.relational import Database


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"target": "molecule.colour"}, "Table 'molecule' has no column 'colour'"),
        ({"target": "protein.class"}, "The database has no table 'protein'"),
        (
            {"target": "molecule"},
            "Without y the target must name .* such as 'molecule.class'; table 'molecule' has the",
        ),
        (
            {"target": "molecule.id"},
            r"target 'molecule\.id' is a key of its table: each row has another value, so that it",
        ),
        ({"target": "class"}, r"target 'class' is no table .* 'table\.column', here 'molecule\.class'"),
        ({"target": "colour"}, r"write it as 'table\.column', with one of the tables molecule, atom"),
        ({"target": None}, "'target' parameter must name the table of the examples"),
        ({"bias": "links"}, "'bias' parameter must be 'auto' or a Bias. Got 'links'"),
        ({"aggregates": ("median",)}, "There is no aggregate 'median'"),
        ({"max_links": -1}, "'max_links' parameter"),
        ({"min_examples": 0}, "'min_examples' parameter"),
        ({"max_answers": 0}, "'max_answers' parameter"),
        ({"binning": "seven"}, "Unknown binning 'seven'"),
        ({"split": "best"}, "Unknown split 'best'"),
        ({"smoothing": "doubt"}, "choose another smoothing"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make_model().set_params(**parameters).fit(KEYS)


@pytest.mark.parametrize("database", [None, {"molecule": {}}])
def test_no_database(database: Any) -> None:
    with pytest.raises(TypeError, match=r"'database' parameter must be a petree\.relational\.Database"):
        RelationalTreeClassifier(database, "molecule.class").fit(KEYS)


def test_unknown_keys() -> None:
    with pytest.raises(ValueError, match=r"no row with molecule.id = 'm99', which stands at place 1"):
        make_model().fit(["m1", "m99"])
    with pytest.raises(ValueError, match="'m99'"):
        make_model().fit(KEYS).predict_proba(["m99"])
    with pytest.raises(ValueError, match="holds text, but the keys are numbers"):
        make_model().fit(KEYS).predict_proba([1, 2])


def test_a_single_class() -> None:
    safe = KEYS[LABELS == "safe"]
    with pytest.raises(ValueError, match="class"):
        make_model().fit(safe)


def test_wrong_numbers_of_labels_and_weights() -> None:
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        make_model().fit(KEYS, LABELS[:-1])
    with pytest.raises(ValueError, match="sample_weight"):
        make_model().fit(KEYS, LABELS, sample_weight=np.ones(3))


def test_refused_fits_leave_the_model_as_it_was() -> None:
    model = make_model().fit(KEYS)
    before = model.predict_proba(KEYS)
    with pytest.raises(ValueError, match="m99"):
        model.fit(["m99"])
    np.testing.assert_array_equal(model.predict_proba(KEYS), before)


def test_no_keys_are_refused() -> None:
    with pytest.raises(ValueError, match="X has no keys"):
        make_model().fit([])


@pytest.mark.parametrize(("parameter", "value"), [("target", 3), ("aggregates", "count")])
def test_parameters_of_another_type(parameter: str, value: Any) -> None:
    with pytest.raises(TypeError, match=parameter):
        make_model().set_params(**{parameter: value}).fit(KEYS)


@pytest.mark.parametrize("parameter", [{"random_state": "x"}, {"known_labels": "x"}])
def test_parameters_of_the_wrong_kind(parameter: dict[str, object]) -> None:
    tables = {"thing": {"id": range(4), "size": [1.0, 2, 3, 4], "kind": list("aabb")}}
    model = RelationalTreeClassifier(Database(tables, keys={"thing": "id"}), "thing.kind", **parameter)
    with pytest.raises(ValueError, match="'x'"):
        model.fit(range(4))
