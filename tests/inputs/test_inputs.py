"""One table in every form that people keep tables in: the same columns, the same tree, the same predictions."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array, csc_array, csr_matrix
from tests.plain import plain_classifier
from tests.strategies import RawTable, tables

from petree import ProbabilityTreeClassifier
from petree.columns import NOMINAL, NUMBER, Column

SIZES = [2.5, None, 0.1, 7.0, -1.0, 2.5, None, 4.0, 6.5, 0.3, 3.0, 5.5, 1.0, None, 2.0]
ROOMS = [3, 1, 2, 4, 1, 3, 2, 5, 4, 1, 2, 4, 1, 3, 2]
COLOURS = [
    "red",
    "blue",
    None,
    "red",
    "green",
    "blue",
    "red",
    None,
    "green",
    "red",
    "blue",
    "red",
    None,
    "red",
    "green",
]
FLAGS = [True, None, False, True, True, False, None, True, False, False, True, True, False, None, True]
LABELS = ["no", "no", "yes", "yes", "no", "yes", "yes", "maybe", "yes", "no", "maybe", "yes", "no", "no", "yes"]
TABLE = {"size": SIZES, "rooms": ROOMS, "colour": COLOURS, "flag": FLAGS}
EXPECTED = (
    Column("size"),
    Column("rooms"),
    Column("colour", NOMINAL, ("blue", "green", "red")),
    Column("flag", NOMINAL, (False, True)),
)


def with_missing(value: Any) -> dict[str, list[Any]]:
    """The table with another sign for a missing value."""
    return {name: [value if cell is None else cell for cell in cells] for name, cells in TABLE.items()}


def objects(value: Any = None) -> dict[str, Any]:
    return {name: np.array(cells, object) for name, cells in with_missing(value).items()}


def in_two_chunks() -> pa.Table:
    table = pa.table(TABLE)
    return pa.concat_tables([table.slice(0, 5), table.slice(5)])


FORMS: dict[str, Callable[[], Any]] = {
    "dict of lists": lambda: TABLE,
    "dict of lists, NaN": lambda: with_missing(np.nan),
    "dict of tuples": lambda: {name: tuple(cells) for name, cells in TABLE.items()},
    "dict of arrays": objects,
    "dict of arrays, NaN": lambda: objects(np.nan),
    "dict of pandas series": lambda: dict(pd.DataFrame(TABLE)),
    "dict of polars series": lambda: pl.DataFrame(TABLE).to_dict(),
    "dict of arrow arrays": lambda: {name: pa.array(cells) for name, cells in TABLE.items()},
    "another mapping": lambda: UserDict(TABLE),
    "pandas": lambda: pd.DataFrame(TABLE),
    "pandas nullable": lambda: pd.DataFrame(TABLE).convert_dtypes(),
    "pandas arrow": lambda: pd.DataFrame(TABLE).convert_dtypes(dtype_backend="pyarrow"),
    "pandas objects, None": lambda: pd.DataFrame(objects(None), dtype=object),
    "pandas objects, NaN": lambda: pd.DataFrame(objects(np.nan), dtype=object),
    "pandas objects, NA": lambda: pd.DataFrame(objects(pd.NA), dtype=object),
    "pandas, odd index": lambda: pd.DataFrame(TABLE, index=[7] * len(LABELS)),
    "polars": lambda: pl.DataFrame(TABLE),
    "polars, NaN": lambda: pl.DataFrame({**TABLE, "size": with_missing(np.nan)["size"]}),
    "pyarrow": lambda: pa.table(TABLE),
    "pyarrow in chunks": in_two_chunks,
}


def assert_same_tree(model: Any, other: Any) -> None:
    """Every array of two trees is the same."""
    for one, two in zip(tree_arrays(model.tree_), tree_arrays(other.tree_), strict=True):
        np.testing.assert_array_equal(one, two)


def tree_arrays(tree: Any) -> tuple[Any, ...]:
    conditions = tree.conditions
    wiring = (tree.split_start, tree.child_start, tree.children)
    tests = (conditions.kind, conditions.column, conditions.value, conditions.missing)
    return (tree.counts, tree.sizes, tree.n_tests, tree.annotations["gain"], *wiring, *tests)


def fit(X: Any, y: Any = LABELS, sample_weight: Any = None, **parameters: Any) -> ProbabilityTreeClassifier:
    return plain_classifier(**parameters).fit(X, y, sample_weight)


# -- whole tables --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tests", ["binary", "multiway"])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_tree(form: str, tests: str) -> None:
    X, reference = FORMS[form](), fit(TABLE, tests=tests)
    model = fit(X, tests=tests)
    assert model.columns_ == EXPECTED
    assert reference.get_depth() > 2
    assert_same_tree(model, reference)
    np.testing.assert_array_equal(model.predict_proba(X), reference.predict_proba(TABLE))
    np.testing.assert_array_equal(reference.predict_proba(X), reference.predict_proba(TABLE))


@pytest.mark.parametrize("form", FORMS)
def test_every_form_notes_its_names(form: str) -> None:
    model = fit(FORMS[form]())
    assert model.feature_names_in_.tolist() == list(TABLE)
    assert model.n_features_in_ == 4


@pytest.mark.parametrize("kind", [csr_matrix, csc_array, coo_array])
@pytest.mark.parametrize("dtype", [float, np.float32, int])
def test_sparse_data_are_those_of_the_array(kind: Any, dtype: Any) -> None:
    random = np.random.default_rng(0)
    X = (random.integers(1, 4, (60, 5)) * (random.random((60, 5)) < 0.4)).astype(dtype)
    y = X[:, 1] + X[:, 2] > 2
    weights = random.integers(0, 3, 60)
    reference = fit(X, y, sample_weight=weights)
    model = fit(kind(X), y, sample_weight=weights)
    assert_same_tree(model, reference)
    np.testing.assert_array_equal(model.predict_proba(kind(X)), reference.predict_proba(X))
    assert len(model.explain(kind(X[:2]))) == 2


def test_a_lazy_frame_of_polars_is_collected() -> None:
    lazy = pl.DataFrame(TABLE).lazy()
    weights = [0, 1, 2] * 5
    model = fit(lazy, sample_weight=weights)
    assert_same_tree(model, fit(TABLE, sample_weight=weights))
    np.testing.assert_array_equal(model.predict_proba(lazy), model.predict_proba(TABLE))


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_object_matrix(missing: Any) -> None:
    X = np.array(list(zip(*with_missing(missing).values(), strict=True)), object)
    model = fit(X)
    assert [column.kind for column in model.columns_] == [column.kind for column in EXPECTED]
    assert [column.name for column in model.columns_] == ["x0", "x1", "x2", "x3"]
    assert_same_tree(model, fit(TABLE))


@settings(max_examples=30)
@given(
    tables(kinds=["few", "huge", "float", "integer", "boolean", "string", "object"]),
    st.sampled_from(["binary", "multiway"]),
)
def test_random_tables_in_every_library(table: RawTable, tests: str) -> None:
    frame = table.frame
    reference = fit(frame, table.y, tests=tests)
    for form in (pl.from_pandas(frame), pa.Table.from_pandas(frame), {name: frame[name].tolist() for name in frame}):
        model = fit(form, table.y, tests=tests)
        assert model.columns_ == reference.columns_
        assert_same_tree(model, reference)
        np.testing.assert_array_equal(model.predict_proba(form), reference.predict_proba(frame))


def test_rows_as_lists_keep_the_type_of_each_column() -> None:
    rows = [list(row) for row in zip(ROOMS, LABELS, strict=True)]
    columns = fit(rows).columns_
    assert [column.kind for column in columns] == [NUMBER, NOMINAL]
    assert_same_tree(fit(rows), fit({"x0": ROOMS, "x1": LABELS}))


def test_not_a_number_is_missing_in_rows_as_lists() -> None:
    columns = fit([["red", 1.0], [np.nan, 2.0], ["blue", np.nan]], [0, 1, 1]).columns_
    assert columns == (Column("x0", NOMINAL, ("blue", "red")), Column("x1"))


def test_layout_in_memory_does_not_matter() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 4)), rng.integers(0, 3, 200)
    reference = fit(X, y)
    wide = np.repeat(X, 2, axis=1)
    for form in (np.asfortranarray(X), wide[:, ::2], X[::-1].copy()[::-1], pd.DataFrame(X).to_numpy(), X.tolist()):
        assert_same_tree(fit(form, y), reference)
        np.testing.assert_array_equal(reference.predict_proba(form), reference.predict_proba(X))


@pytest.mark.parametrize("n_columns", [1, 4, 5, 40])
@pytest.mark.parametrize("others", [None, "int64", "category"])
def test_pandas_frames_of_few_and_many_columns(n_columns: int, others: str | None) -> None:
    """Columns of one type come as a matrix, others one by one; all keep their names and places."""
    rng = np.random.default_rng(n_columns)
    X, y = rng.integers(0, 5, (60, n_columns)).astype(float), rng.integers(0, 2, 60)
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(n_columns)])
    if others:
        frame.insert(n_columns, "last", pd.Series(rng.integers(0, 3, 60)).astype(others))
    model = fit(frame, y)
    assert [column.name for column in model.columns_] == frame.columns.tolist()
    assert_same_tree(model, fit({name: frame[name] for name in frame}, y))
    np.testing.assert_array_equal(model.predict_proba(frame), model.predict_proba(pl.from_pandas(frame)))


@pytest.mark.parametrize("tests", ["binary", "multiway"])
@pytest.mark.parametrize("form", ["pandas", "polars", "pyarrow"])
def test_a_model_of_one_library_reads_the_others(form: str, tests: str) -> None:
    model = fit(FORMS[form](), tests=tests)
    for other in ("pandas", "pandas nullable", "polars", "pyarrow", "dict of lists"):
        np.testing.assert_array_equal(model.predict_proba(FORMS[other]()), model.predict_proba(FORMS[form]()))


def test_labels_that_are_decimals_are_numbers() -> None:
    """As databases give them."""
    model = ProbabilityTreeClassifier().fit({"a": [1, 2, 3, 4]}, [Decimal(1), Decimal("1.0"), Decimal(2), Decimal(2)])
    assert model.classes_.tolist() == [1.0, 2.0]
