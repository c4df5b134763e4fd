"""The page's own modules, run by node, beside the model: answers, intervals, Shapley values, other predictions, SQL."""

from __future__ import annotations

import json
import math
import shutil
import sqlite3
import subprocess
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.report.examples import KINDS, content_of, flat_model, new_rows

from petree import ProbabilityTreeClassifier, make_report
from petree.columns.moments import quantity_text

# A wheel has the page's script in one piece only.
MODULES = Path(__file__).parents[2] / "src/petree/report/page/model"
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node, which runs the page's modules, is not installed")


def told_by_the_page(model: ProbabilityTreeClassifier, X: pd.DataFrame) -> dict[str, Any]:
    """What the modules of the page say of these rows."""
    assert NODE is not None
    content = json.dumps(content_of(make_report(model, X)))
    script = Path(__file__).with_name("answers.mjs")
    command = [NODE, str(script), str(MODULES)]
    done = subprocess.run(command, input=content, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@cache
def told_of(kind: str) -> dict[str, Any]:
    """What the page of a kind of model says of new rows."""
    return told_by_the_page(flat_model(kind), new_rows()[0])


@pytest.mark.parametrize("kind", KINDS)
def test_answers_intervals_leaves_and_predictions_are_those_of_the_model(kind: str) -> None:
    model = flat_model(kind)
    X, _ = new_rows()
    rows = told_of(kind)["rows"]
    np.testing.assert_allclose([row["probabilities"] for row in rows], model.predict_proba(X), atol=1e-9)
    interval = model.predict_interval(X)
    np.testing.assert_allclose([row["lower"] for row in rows], interval.lower, atol=1e-4)
    np.testing.assert_allclose([row["upper"] for row in rows], interval.upper, atol=1e-4)
    assert [row["leaf"] for row in rows] == model.apply(X).tolist()
    assert model.classes_[[row["prediction"] for row in rows]].tolist() == model.predict(X).tolist()


def test_the_page_answers_at_other_base_rates() -> None:
    model = flat_model().set_base_rates({"yes": 0.1, "no": 0.7, "maybe": 0.2})
    X, _ = new_rows()
    rows = told_by_the_page(model, X)["rows"]
    np.testing.assert_allclose([row["probabilities"] for row in rows], model.predict_proba(X), atol=1e-9)
    assert model.classes_[[row["prediction"] for row in rows]].tolist() == model.predict(X).tolist()


def test_class_weights_count_in_predictions() -> None:
    model = flat_model(class_weight={"yes": 1.0, "no": 1.0, "maybe": 9.0})
    X, _ = new_rows()
    rows = told_by_the_page(model, X)["rows"]
    assert model.classes_[[row["prediction"] for row in rows]].tolist() == model.predict(X).tolist()


def test_shapley_values_by_their_definition() -> None:
    """A value that is missing, where none was in training, sends a row every way: so can a column be taken away."""
    X, y = new_rows(200)
    X = X.assign(size=X["size"].fillna(0.0), colour=X["colour"].fillna("red"))
    model = ProbabilityTreeClassifier(pruning="none", min_samples_leaf=12).fit(X, y)
    some = X.iloc[:6]
    rows = told_by_the_page(model, some)["rows"]
    names = list(X.columns)

    def value(known: tuple[str, ...]) -> np.ndarray:
        hidden = some.astype({"noise": object, "size": object, "grade": object}).copy()
        hidden.loc[:, [name for name in names if name not in known]] = None
        return model.predict_proba(hidden.astype(X.dtypes.to_dict()))

    for place, name in enumerate(names):
        others = [other for other in names if other != name]
        expected = np.zeros((len(some), 3))
        for size in range(len(names)):
            weight = math.factorial(size) * math.factorial(len(names) - size - 1) / math.factorial(len(names))
            for known in combinations(others, size):
                expected += weight * (value((*known, name)) - value(known))
        np.testing.assert_allclose([row["parts"][place] for row in rows], expected, atol=1e-9)
    np.testing.assert_allclose([row["base"] for row in rows], value(()), atol=1e-9)


@pytest.mark.parametrize("kind", ["binary", "sets", "multiway"])
def test_the_nearest_other_prediction_is_one_and_none_is_nearer(kind: str) -> None:
    model = flat_model(kind)
    X, _ = new_rows()
    predicted = model.predict(X)
    for place, row in enumerate(told_of(kind)["rows"][:12]):
        changed = X.iloc[[place]].copy()
        for column, value in row["changes"]:
            changed.isetitem(column, _as_column(model, X, column, value))
        np.testing.assert_allclose(model.predict_proba(changed)[0], row["after"], atol=1e-9)
        assert model.predict(changed)[0] != predicted[place]
        assert len(row["changes"]) == 1 or not _one_change_is_enough(model, X.iloc[[place]], predicted[place])


def _as_column(model: ProbabilityTreeClassifier, X: pd.DataFrame, column: int, value: float | None) -> Any:
    """A value of the page as the table has it."""
    categories = model.columns_[column].categories
    own = value if value is None or not categories else categories[int(value)]
    return pd.array([own], dtype=X.dtypes.iloc[column])


def _one_change_is_enough(model: ProbabilityTreeClassifier, row: pd.DataFrame, prediction: str) -> bool:
    """Whether some other value of one column gives another prediction, of values that are not blends."""
    for place, column in enumerate(model.columns_):
        values = column.categories or np.linspace(-4, 6, 101).tolist()
        many = pd.concat([row] * len(values), ignore_index=True)
        many.isetitem(place, pd.Series(list(values), dtype=row.dtypes.iloc[place]))
        if ((model.predict(many) != prediction) & _are_whole(model, many)).any():
            return True
    return False


def _are_whole(model: ProbabilityTreeClassifier, X: pd.DataFrame) -> Any:
    """Whether one leaf answers for each row."""
    return np.isclose(model.predict_proba(X), model.node_probabilities_[model.apply(X)]).all(axis=1)


@pytest.mark.parametrize("kind", ["binary", "sets", "multiway"])
def test_conditions_in_sql_find_the_rows_of_a_leaf(kind: str) -> None:
    model = flat_model(kind)
    X, _ = new_rows(200)
    conditions = told_of(kind)["conditions"]
    leaves = model.apply(X)
    is_whole = _are_whole(model, X)
    with sqlite3.connect(":memory:") as connection:
        X.assign(grade=X["grade"].astype(str)).to_sql("t", connection, index_label="row")
        for leaf, condition in conditions.items():
            found = {row for (row,) in connection.execute(f'SELECT "row" FROM t WHERE {condition}')}
            assert found == set(np.flatnonzero(is_whole & (leaves == int(leaf))).tolist())
    connection.close()


def random_moments() -> list[tuple[str, float]]:
    rng = np.random.default_rng(0)
    lengths = (10.0 ** rng.uniform(0, 15, 60)).round(1)
    whole = [0.0, 86_400e6, 3 * 86_400e6, 3600e6, 86_400e6 + 1, 250_000.0]
    moments = [(quantity, value) for quantity in ("date", "zoned date") for value in (*whole, *lengths, *-lengths)]
    lasting = [("duration", value) for value in (*whole, *lengths, *-lengths)]
    return [*moments, *lasting, *(("time", value % 86_400e6) for value in lengths)]


def test_moments_are_written_as_petree_writes_them() -> None:
    assert NODE is not None
    given = random_moments()
    place = (MODULES.parent / "parts/moments.js").as_uri()
    script = f"import {{ quantityText }} from {json.dumps(place)};"
    script += f"console.log(JSON.stringify({json.dumps(given)}.map((pair) => quantityText(...pair))))"
    command = [NODE, "--input-type=module", "--eval", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [quantity_text(quantity, value) for quantity, value in given]


def test_dates_in_changes_and_in_sql() -> None:
    days = pd.date_range("2024-01-01", periods=40)
    X = pd.DataFrame({"day": days, "x": range(40)})
    model = ProbabilityTreeClassifier(pruning="none").fit(X, ["early"] * 25 + ["late"] * 15)
    told = told_by_the_page(model, X)
    assert sorted(told["conditions"].values()) == ["\"day\" < '2024-01-26'", "\"day\" >= '2024-01-26'"]
    assert told["rows"][0]["words"] == ["day \u2265 2024-01-26"]
