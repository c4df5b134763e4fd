"""Data sets by the name of their target: the tree of the same rows in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.dataset
import pytest
from tests.partitions.tables import arrow, frame, write_folder

from petree import ProbabilityTreeClassifier, code_files
from petree.partitions import use

COLUMNS = ["few", "gaps", "text", "flag", "day", "w"]


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    rows = frame(400)[COLUMNS]
    noise = np.random.default_rng(1).random(len(rows)) < 0.1
    return rows.assign(y=np.where(((rows["few"] > 12) & (rows["text"] == "b")) ^ noise, "yes", "no"))


def model(**parameters: Any) -> ProbabilityTreeClassifier:
    return ProbabilityTreeClassifier(pruning="bic", smoothing="m_branch", **parameters)


def test_a_folder_is_learned_from_by_the_name_of_its_target(table: pd.DataFrame, tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "data", table, [100, 100], 1000)
    expected = model().fit(arrow(table.drop(columns="y")), table["y"]).export_text()
    assert expected.count("\n") > 3
    assert model().fit(folder, "y").export_text() == expected
    assert model().fit(pyarrow.dataset.dataset(folder), "y").export_text() == expected
    code_files(folder, "y", tmp_path / "codes")
    with use(memory="256MB"):
        assert model().fit(tmp_path / "codes", "y").export_text() == expected


def test_weights_are_a_column_too(table: pd.DataFrame, tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "data", table, [100, 100], 1000)
    X = arrow(table.drop(columns=["y", "w"]))
    expected = model().fit(X, table["y"], sample_weight=table["w"]).export_text()
    assert model().fit(folder, "y", sample_weight="w").export_text() == expected


def test_nominal_columns_by_name(table: pd.DataFrame) -> None:
    found = model(categorical_features=["few"]).fit(table, "y")
    assert [column.kind for column in found.columns_ if column.name == "few"] == ["nominal"]


@pytest.mark.parametrize(
    ("parameters", "given", "sentence"),
    [
        ({}, {"y": "nobody"}, "nobody"),
        ({}, {"y": "y", "groups": [1, 2]}, "leave out groups"),
        ({}, {"y": "y", "sample_weight": [1.0, 2.0]}, "name the column of weights"),
        ({"categorical_features": [0]}, {"y": "y"}, "must be names of columns"),
        ({"binning": "entropy"}, {"y": "y"}, "set binning='quantile'"),
    ],
)
def test_refusals(
    parameters: dict[str, Any], given: dict[str, Any], sentence: str, table: pd.DataFrame, tmp_path: Path
) -> None:
    folder = write_folder(tmp_path / "data", table, [], 1000)
    with pytest.raises(ValueError, match=sentence):
        ProbabilityTreeClassifier(**parameters).fit(folder, **given)


def test_codes_of_another_target_are_refused(table: pd.DataFrame, tmp_path: Path) -> None:
    code_files(table, "y", tmp_path / "codes")
    with pytest.raises(ValueError, match="for the target 'y', not 'text'; name that one"):
        model().fit(tmp_path / "codes", "text")
