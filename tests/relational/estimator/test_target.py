"""Which column has the classes, and what is warned of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.model_selection import KFold, cross_val_score
from tests.relational.molecules import KEYS, LINK, make_model, make_tables

from petree import RelationalTreeClassifier
from petree.relational import Database
from petree.relational.prolog.programs import read_prolog

# The first three molecules have a nitrogen of negative charge, and no other has.
EXPECTED = np.array([True, True, True, False, False, False, False, False])


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


def test_tables_without_links_are_warned_of(tmp_path: Path) -> None:
    (tmp_path / "facts.pl").write_text("mol(m1, p). mol(m2, q). atom(m1, c). atom(m2, n).")
    database = read_prolog(tmp_path / "facts.pl", "mol")
    with pytest.warns(UserWarning, match="No table is linked, so that only columns of 'mol' can be asked for"):
        make_model(database, "mol.class").fit(["m1", "m2"])


def test_the_labels_of_the_database_are_scored_without_y() -> None:
    labels = np.where(EXPECTED, "yes", "no")
    model = make_model().fit(KEYS)
    assert model.score(KEYS[2:5]) == model.score(KEYS[2:5], labels[2:5]) == 1
    assert model.score(KEYS, sample_weight=[1] * 8) == 1
    assert model.score(KEYS, np.where(EXPECTED, "no", "yes")) == 0
    folds = KFold(4)
    without = cross_val_score(make_model(), KEYS, cv=folds)
    assert without.tolist() == cross_val_score(make_model(), KEYS, labels, cv=folds).tolist()
    with pytest.raises(ValueError, match=r"^Without y the target must name the column of the classes"):
        model.set_params(target="molecule").score(KEYS)


def test_dates_that_are_text_are_told_of() -> None:
    visit: dict[str, list[object]] = {"patient": list(range(28)), "note": [f"n{number}" for number in range(28)]}
    patient = {"id": range(28), "class": ["a", "b"] * 14}
    texts = {
        "2024-02-03T04:05": "looks like dates: pass them as dates",
        "03.02.2024": "looks like dates: pass them as dates",
        "day": "declare a bias that asks for it.$",
    }
    for text, told in texts.items():
        visit["day"] = [text.replace("03", f"{day:02}") + ("" if text != "day" else str(day)) for day in range(1, 29)]
        database = Database({"patient": patient, "visit": visit}, ["visit.patient -> patient.id"])
        model = RelationalTreeClassifier(database, "patient.class")
        with pytest.warns(UserWarning, match=rf"^visit\.note, visit\.day: every row has another value, .*{told}"):
            model.fit(range(28))


def test_a_class_that_is_left_among_the_columns_is_named() -> None:
    tables = {"thing": {"id": range(6), "colour": list("rgbrgb"), "kind": ["a", "b", "a", "b", "a", "b"]}}
    model = RelationalTreeClassifier(Database(tables, keys={"thing": "id"}), "thing", pruning="none")
    with pytest.warns(UserWarning, match=r"'kind' of table 'thing' tells the classes outright.*target='thing.kind'"):
        model.fit(range(6), ["yes", "no"] * 3)


def test_labels_of_the_database_are_not_those_of_other_classes() -> None:
    model = make_model().fit(KEYS, ["a", "b"] * 4)
    assert model.score(KEYS, model.predict(KEYS)) == 1
    with pytest.raises(ValueError, match=r"None of the labels of 'molecule\.mutagenic' is a class of the model"):
        model.score(KEYS)


def test_dates_are_no_classes() -> None:
    tables = make_tables()
    tables["molecule"]["day"] = np.array(["2020-01-01", "2021-01-01"] * 4, "datetime64[D]")
    model = make_model(Database(tables, links=[LINK]), "molecule.day")
    with pytest.raises(ValueError, match=r"The target 'molecule\.day' holds dates, but classes are text"):
        model.fit(KEYS)
