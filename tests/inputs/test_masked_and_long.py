"""Masked values, and numbers longer than float64."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.plain import plain_classifier

from petree import ProbabilityTreeClassifier
from petree.inputs import table_of

X = np.arange(8.0).reshape(4, 2)
Y = np.array([0, 1, 0, 1])
BEYOND = np.longdouble(10) ** 400

pytestmark = pytest.mark.filterwarnings("error")
needs_long = pytest.mark.skipif(not np.isfinite(BEYOND), reason="longdouble is float64 here")


def fit(X: Any = X, y: Any = Y, weights: Any = None) -> ProbabilityTreeClassifier:
    return ProbabilityTreeClassifier().fit(X, y, weights)


@pytest.mark.parametrize("kind", [int, float, bool, object, "U1"])
def test_masked_labels_are_refused(kind: Any) -> None:
    with pytest.raises(ValueError, match="y is masked in row 2; leave out the rows whose y is not known"):
        fit(y=np.ma.array(Y.astype(kind), mask=[0, 0, 1, 0]))


def test_masked_weights_are_refused() -> None:
    with pytest.raises(ValueError, match="sample_weight is masked in row 1"):
        fit(weights=np.ma.array(np.ones(4), mask=[0, 1, 0, 0]))


def test_masked_arrays_that_mask_nothing_are_as_others() -> None:
    model = fit(y=np.ma.array(Y), weights=np.ma.array(np.ones(4)))
    np.testing.assert_array_equal(model.predict_proba(X), fit().predict_proba(X))


@pytest.mark.parametrize("kind", [np.int64, np.float32, object])
def test_masked_columns_lack_what_is_masked(kind: Any) -> None:
    (array,) = table_of({"a": np.ma.array([1, 2, 99], mask=[0, 0, 1], dtype=kind)}).arrays
    np.testing.assert_array_equal(np.asarray(array, float), [1, 2, np.nan])
    assert not isinstance(array, np.ma.MaskedArray)


def test_masked_whole_numbers_beyond_exactness_are_refused() -> None:
    with pytest.raises(ValueError, match=r"'x1' holds .* whole numbers beyond 2\*\*53"):
        table_of(np.ma.array([[1, 2**53 + 1]], mask=[[True, False]]))


def long_column(value: Any) -> Any:
    column = X.astype(np.longdouble)
    column[2, 1] = value
    return column


@needs_long
def test_numbers_beyond_float64_are_refused() -> None:
    for table in (long_column(BEYOND), {"x0": X[:, 0], "x1": long_column(BEYOND)[:, 1]}):
        with pytest.raises(ValueError, match=r"Column 'x1' holds 1e\+400 in row 2, more than float64 can hold"):
            fit(table)
        with pytest.raises(ValueError, match=r"Column 'x1' holds 1e\+400 in row 2"):
            plain_classifier().fit({"x0": 0 * X[:, 0], "x1": X[:, 1]} if isinstance(table, dict) else X, Y).predict(
                table
            )
    with pytest.raises(ValueError, match=r"Column 'x1' holds an infinite value \(inf\) in row 2"):
        fit(long_column(BEYOND).astype(object))


def test_long_infinities_are_refused() -> None:
    with pytest.raises(ValueError, match=r"Column 'x1' holds an infinite value \(inf\) in row 2"):
        fit(long_column(np.inf))


@needs_long
def test_labels_and_weights_beyond_float64_are_refused() -> None:
    with pytest.raises(ValueError, match=r"y has a missing or infinite label .* in row 2"):
        fit(y=long_column(BEYOND)[:, 1])
    with pytest.raises(ValueError, match="sample_weight must be finite and not negative; row 2 has inf"):
        fit(weights=long_column(BEYOND)[:, 1])


def test_long_labels_are_float64() -> None:
    classes = fit(y=Y.astype(np.longdouble)).classes_
    assert classes.dtype == np.float64
    assert classes.tolist() == [0, 1]


def test_whole_numbers_beyond_64_bits_are_refused() -> None:
    with pytest.raises(ValueError, match="y has a label of 100 bits in row 3; pass the labels as text"):
        fit(y=[1, 1, 2, 10**30])
    with pytest.raises(ValueError, match="sample_weight must be one number a row"):
        fit(weights=[1, 1, 2, 10**400])
