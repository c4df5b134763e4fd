"""What must not change a model: the order and the form of the data, threads, names of classes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from petree import OptionTreeClassifier, ProbabilityTreeClassifier
from petree.pruning import MEMBERS, Permutation, SubtreeRandomisation

QUICK: dict[str, Any] = {
    "permutation": Permutation(permutations=50),
    "subtree_randomisation": SubtreeRandomisation(permutations=4),
}
PRUNINGS = ["default", *MEMBERS]
MODELS = [*PRUNINGS, "options"]


def make_model(name: str, n_jobs: int | None = None) -> Any:
    if name == "options":
        return OptionTreeClassifier(max_depth=3, n_searches=6, n_jobs=n_jobs)
    if name == "default":
        return ProbabilityTreeClassifier(n_jobs=n_jobs)
    # The default has folds and a tuned smoothing; with each pruning they would take most of the time.
    return ProbabilityTreeClassifier(pruning=QUICK.get(name, name), smoothing="laplace", n_jobs=n_jobs)


def make_columns(n_rows: int = 90, seed: int = 0) -> tuple[dict[str, list[Any]], list[str]]:
    random = np.random.default_rng(seed)
    size, weight, age = random.normal(size=n_rows).round(2), random.random(n_rows), random.integers(0, 60, n_rows)
    colour = random.choice(["red", "green", "blue"], n_rows)
    score = size + 0.05 * age + (colour == "red") + random.normal(size=n_rows)
    columns = {"size": size.tolist(), "weight": weight.tolist(), "age": age.tolist(), "colour": colour.tolist()}
    return columns, np.array(["a", "b", "c"])[np.digitize(score, [1, 2.2])].tolist()


COLUMNS, LABELS = make_columns()
NEW, _ = make_columns(40, seed=1)


def answers(model: Any, X: Any = COLUMNS, y: Any = LABELS, **fitting: Any) -> Any:
    return model.fit(X, y, **fitting).predict_proba(NEW)


@cache
def usual_answers(name: str) -> Any:
    """Of the table as it is, which most others are compared with."""
    return answers(make_model(name))


def taken(rows: Any) -> tuple[dict[str, list[Any]], list[str]]:
    return {name: [values[row] for row in rows] for name, values in COLUMNS.items()}, [LABELS[row] for row in rows]


@pytest.mark.parametrize("name", MODELS)
def test_the_order_of_rows(name: str) -> None:
    X, y = taken(np.random.default_rng(2).permutation(len(LABELS)))
    np.testing.assert_array_equal(usual_answers(name), answers(make_model(name), X, y))


@pytest.mark.parametrize("name", MODELS)
def test_threads(name: str) -> None:
    np.testing.assert_array_equal(usual_answers(name), answers(make_model(name, n_jobs=2)))


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("name", MODELS)
def test_lists_and_frames(name: str, library: Any) -> None:
    model = make_model(name).fit(library(COLUMNS), LABELS)
    np.testing.assert_array_equal(usual_answers(name), model.predict_proba(library(NEW)))


@pytest.mark.parametrize("name", MODELS)
def test_whole_numbers_and_floats(name: str) -> None:
    whole = np.random.default_rng(3).integers(-5, 6, (80, 4))
    y = (whole[:, 0] + whole[:, 1] + np.random.default_rng(4).normal(0, 3, 80) > 0).tolist()
    forms = [whole, whole.astype(float), whole.astype(np.int8), whole.tolist(), pd.DataFrame(whole).to_numpy(object)]
    found = [make_model(name).fit(form, y).predict_proba(form) for form in forms]
    for other in found[1:]:
        np.testing.assert_array_equal(other, found[0])


@pytest.mark.parametrize("name", MODELS)
def test_the_order_of_categories_and_unused_ones(name: str) -> None:
    """Up to ties among tests, which go by the declared order."""
    frame = pd.DataFrame(COLUMNS)
    declared = {"colour": pd.CategoricalDtype(["grey", "red", "green", "blue"])}
    model = make_model(name).set_params(min_samples_leaf=18)
    known = model.fit(frame, LABELS).predict_proba(frame)
    np.testing.assert_allclose(model.fit(frame.astype(declared), LABELS).predict_proba(frame.astype(declared)), known)


@pytest.mark.filterwarnings("ignore:Column 'nothing'")
@pytest.mark.parametrize("name", MODELS)
def test_columns_that_tell_nothing(name: str) -> None:
    more = {**COLUMNS, "nothing": [None] * len(LABELS), "same": [3.0] * len(LABELS)}
    model = make_model(name).fit(more, LABELS)
    new = {**NEW, "nothing": [None] * len(NEW["size"]), "same": [3.0] * len(NEW["size"])}
    np.testing.assert_allclose(model.predict_proba(new), usual_answers(name))


@pytest.mark.parametrize("name", [name for name in MODELS if name != "sampled"])
def test_copies_and_weights(name: str) -> None:
    """`Sampled` draws rows, whatever they weigh."""
    copies = np.random.default_rng(5).integers(1, 4, len(LABELS))
    X, y = taken(np.repeat(np.arange(len(LABELS)), copies))
    np.testing.assert_allclose(
        answers(make_model(name), sample_weight=copies), answers(make_model(name), X, y), rtol=1e-9
    )


@pytest.mark.parametrize("name", MODELS)
def test_the_order_of_rows_that_differ_in_weight_alone(name: str) -> None:
    X, y = taken(np.repeat(np.arange(45), 2))
    weights = np.random.default_rng(6).random(90)
    turned = np.arange(90).reshape(45, 2)[:, ::-1].ravel()
    one = answers(make_model(name), X, y, sample_weight=weights)
    np.testing.assert_allclose(answers(make_model(name), X, y, sample_weight=weights[turned]), one, rtol=1e-9)


@pytest.mark.parametrize("name", MODELS)
def test_the_order_of_columns(name: str) -> None:
    """Up to ties among tests, which go by the order of columns."""
    turned = dict(reversed(COLUMNS.items()))
    model = make_model(name).set_params(min_samples_leaf=18)
    np.testing.assert_allclose(answers(model), answers(model, turned), rtol=1e-9)


def test_other_names_of_categories_and_columns_of_options() -> None:
    """Up to ties among tests; what searches draw goes by what stands in the columns."""
    model, other = make_model("options").set_params(min_samples_leaf=18), {"red": "b", "green": "c", "blue": "a"}
    known = answers(model)
    model.fit({f"my {name}": renamed(values, other) for name, values in COLUMNS.items()}, LABELS)
    new = {f"my {name}": renamed(values, other) for name, values in NEW.items()}
    np.testing.assert_allclose(model.predict_proba(new), known, rtol=1e-9)


def renamed(values: list[Any], names: dict[Any, Any]) -> list[Any]:
    return [names.get(value, value) for value in values]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("names", ["zme", "bca"])
def test_other_names_of_the_classes(name: str, names: str) -> None:
    """Also names that sort in another order."""
    after = answers(make_model(name), y=[dict(zip("abc", names, strict=True))[label] for label in LABELS])
    order = [sorted(names).index(one) for one in names]
    np.testing.assert_allclose(after[:, order], usual_answers(name), rtol=1e-9)
