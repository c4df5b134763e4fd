"""Answers in batches are those of all rows at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow
import pytest
from tests.partitions.tables import arrow, frame, write_folder

from petree import OptionTreeClassifier, ProbabilityTreeClassifier

COLUMNS = ["few", "gaps", "text", "flag", "day"]


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    rows = frame(300)[COLUMNS]
    return rows.assign(y=np.where((rows["few"] > 12) & (rows["text"] == "b"), "yes", "no"))


def batches(table: pd.DataFrame) -> list[Any]:
    return arrow(table).to_batches(max_chunksize=70)


@pytest.mark.parametrize("kind", [ProbabilityTreeClassifier, OptionTreeClassifier])
def test_batches_have_the_answers_of_the_whole(kind: Any, table: pd.DataFrame, tmp_path: Path) -> None:
    X = table.drop(columns="y")
    model = kind().fit(X, table["y"])
    expected = model.predict_proba(X)
    folder = write_folder(tmp_path / "data", table, [100, 100], 1000)
    table.to_csv(tmp_path / "table.csv", index=False)
    given = (folder, tmp_path / "table.csv", batches(table), iter(batches(table)), X)
    for data in given:
        answers = list(model.predict_batches(data, n_rows=64))
        assert max(map(len, answers)) <= 64
        np.testing.assert_array_equal(np.concatenate(answers), expected)


def test_a_tree_without_tests(table: pd.DataFrame) -> None:
    model = ProbabilityTreeClassifier(min_samples_leaf=200).fit(table[["few"]], table["y"])
    assert sum(map(len, model.predict_batches(arrow(table)))) == len(table)


def test_a_column_that_lacks_is_named(table: pd.DataFrame) -> None:
    model = ProbabilityTreeClassifier().fit(table[["few", "text"]], table["y"])
    with pytest.raises(ValueError, match="no column 'few', which the model names"):
        list(model.predict_batches(arrow(table[["text"]])))


def test_batches_must_be_batches(table: pd.DataFrame) -> None:
    model = ProbabilityTreeClassifier().fit(table[["few"]], table["y"])
    with pytest.raises(TypeError, match="got a int"):
        list(model.predict_batches(iter([3])))
    reader = pyarrow.RecordBatchReader.from_batches(arrow(table).schema, iter(batches(table)))
    assert sum(map(len, model.predict_batches(reader))) == len(table)
