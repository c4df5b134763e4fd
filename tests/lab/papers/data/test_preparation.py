"""CW488's preparation, and the numbers of its Table 1."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from tests.lab.papers.marks import needs_data

from lab.experiments.data import DataSet
from lab.papers.data.datasets import CW488, load
from lab.papers.data.preparation import UNSEEN, count_tests, is_missing, prepare, without_missing_values
from petree import ProbabilityTreeClassifier


def made(name: str, **columns: list[object]) -> DataSet:
    """A set of 20 rows; lists of fewer values are filled up with their last one."""
    full = {key: values + values[-1:] * (20 - len(values)) for key, values in columns.items()}
    kinds = {key: float if isinstance(values[-1], float) else object for key, values in full.items()}
    y = np.array(["no", "yes"] * 10, object)
    return DataSet(name, {key: np.array(values, kinds[key]) for key, values in full.items()}, y)


def test_missing_values() -> None:
    assert is_missing(np.array(["a", None, ""], object)).tolist() == [False, True, False]
    assert is_missing(np.array([0, np.nan])).tolist() == [False, True]


def test_attributes_go_before_rows() -> None:
    """Three of 20 values are more than 10%, two are not; rows that lack only a left-out attribute stay."""
    data = made(
        "any",
        three=["a", "b", None, None, None, "a"],
        two=[np.nan, 1.0, np.nan, 4.0],
        one=["x", None, "y"],
    )
    left = without_missing_values(data)
    assert list(left.columns) == ["two", "one"]
    assert left.columns["two"].tolist() == [4.0] * 17
    assert left.y.tolist() == data.y[3:].tolist()


def test_small_numbers_of_german_credit_are_nominal() -> None:
    columns = {name: [1.0, 2.0, 4.0] for name in ("installment_commitment", "residence_since", "existing_credits")}
    left = prepare(made("german credit", num_dependents=[1.0, 2.0], age=[30.0, 40.5], **columns))
    assert left.columns["existing_credits"][:4].tolist() == ["1", "2", "4", "4"]
    assert left.columns["num_dependents"].dtype == object
    assert left.columns["age"].dtype == np.float64


def test_attributes_of_two_values_make_one_test_in_soybean_alone() -> None:
    columns = {"leaves": ["norm", "abnorm"], "roots": ["norm", "rotted", "galls"]}
    left = prepare(made("soybean", **columns))
    assert left.columns["leaves"][:3].tolist() == [1.0, 0.0, 0.0]
    assert left.columns["roots"].dtype == object
    assert count_tests(left) == 4
    assert count_tests(prepare(made("any", **columns))) == 5


def test_missing_values_are_one_test_more() -> None:
    data = made("any", size=[1.0, 2.0, 3.0, np.nan, 4.0], colour=["red", None, "blue"])
    tree = ProbabilityTreeClassifier(binning="entropy", pruning="none").fit(data.columns, data.y).tree_
    assert count_tests(data) == tree.n_tests[0] == 3 + 1 + 2 + 1


# -- Table 1 ---------------------------------------------------------------------------------------------


@needs_data
@pytest.mark.parametrize("name", CW488)
def test_tests_are_counted_as_a_fit_counts_them(name: str) -> None:
    """With the declared values, which a data frame can hold."""
    data = load(name)
    frame = pd.DataFrame(data.columns)
    for column, values in UNSEEN.get(name, {}).items():
        frame[column] = pd.Categorical(frame[column], [*np.unique(data.columns[column]), *values])
    tree = ProbabilityTreeClassifier(binning="entropy", pruning="none", max_depth=1).fit(frame, data.y).tree_
    assert tree.n_tests[0] == count_tests(data)


@needs_data
@pytest.mark.parametrize("name", UNSEEN)
def test_unseen_values_do_not_occur(name: str) -> None:
    columns = load(name).columns
    for column, values in UNSEEN[name].items():
        assert not set(values) & set(columns[column])
