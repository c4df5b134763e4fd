"""Sets made of others, on small tables and beside Tables 1 and 2 of Ferri et al."""

from __future__ import annotations

import numpy as np
import pytest
from tests.lab.papers.marks import needs_data

from lab.experiments.data import DataSet
from lab.papers.data import variants
from lab.papers.data.datasets import FERRI, load
from lab.papers.ferri.checks import check_ferri

TABLE = DataSet(
    "any",
    {
        "size": np.array([1.0, np.nan, 3.0, 4.5]),
        "TBG_measured": np.array(["1", "2", None, "2"], object),
        "age": np.array([1.0, 2.0, np.nan, 4.0]),
    },
    np.array(["0", "1", "2", "1"], object),
)


def test_complete_numbers() -> None:
    left = variants.complete_numbers(TABLE.take(np.array([0, 1, 3])))
    assert left.columns["size"].tolist() == [1.0, 4.5]
    assert left.columns["TBG_measured"].tolist() == ["1", "2"]
    without_numbers = variants.complete_numbers(variants.without_columns(TABLE, "age", "size"))
    assert without_numbers.columns["TBG_measured"].tolist() == ["1", "2", "?", "2"]


def test_kinds_of_columns() -> None:
    nominal = variants.nominal_but(TABLE, "age")
    assert nominal.columns["size"].tolist() == ["1", None, "3", "4.5"]
    assert nominal.columns["age"].dtype == np.float64
    assert nominal.columns["TBG_measured"].tolist() == TABLE.columns["TBG_measured"].tolist()
    numeric = variants.numeric_columns(TABLE, "TBG measured").columns["TBG_measured"]
    np.testing.assert_array_equal(numeric, [1, 2, np.nan, 2])


def test_classes() -> None:
    assert variants.without_classes(TABLE, "0", "2").y.tolist() == ["1", "1"]
    assert variants.join_classes(TABLE, {"2": "1"}).y.tolist() == ["0", "1", "1", "1"]
    assert variants.join_classes(TABLE, {"2": "two"}, rest="other").y.tolist() == ["other", "other", "two", "other"]
    other = variants.class_from_column(TABLE, "TBG measured", "number")
    assert list(other.columns) == ["number", "size", "age"]
    assert other.columns["number"].tolist() == [0, 1, 2, 1]
    assert other.y.tolist() == ["1", "2", None, "2"]


def test_an_unknown_column() -> None:
    with pytest.raises(ValueError, match="'any' has no column 'weight'; it has size, TBG_measured, age"):
        variants.without_columns(TABLE, "weight")


def test_a_set_without_a_variant_is_as_it_is() -> None:
    assert variants.prepare(TABLE) is TABLE


@needs_data
def test_tables_1_and_2_of_ferri() -> None:
    """43 of 49 sets are as printed; each of the others has a note that says what is different, and so has TIC-TAC."""
    checks = {check.data_set: check for check in check_ferri()}
    differing = {name: set(check.differences) for name, check in checks.items() if check.differences}
    assert differing == {
        "MONKS1": {"n_rows"},
        "HEPATITIS": {"n_nominal", "n_numeric"},
        "CYL-BANDS": {"n_nominal", "n_numeric"},
        "HYPOTHYROID_3C": {"percent_of_rarest_class"},
        "NURSERY4C": {"n_rows"},
        "HORSECOLICOUTC": {"n_nominal", "n_numeric"},
    }
    assert {name for name in FERRI if checks[name].note} == {*differing, "TIC-TAC"}


@needs_data
def test_voting_of_buntine() -> None:
    whole, less = load("voting"), load("voting less physician-fee-freeze")
    assert set(whole.columns) - set(less.columns) == {"physician-fee-freeze"}
    assert less.y.tolist() == whole.y.tolist()
