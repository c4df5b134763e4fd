"""Numbers of the papers that a fit on their data sets gives."""

import json
import os
from pathlib import Path

import pandas as pd
import pytest
from tests.plain import plain_classifier

FOLDER = Path(os.environ.get("PETREE_DATA", "")) / "tabular"

pytestmark = pytest.mark.skipif(
    not (FOLDER / "types.json").is_file(), reason="PETREE_DATA does not name the folder of the papers' data sets"
)


def load(name: str) -> tuple[pd.DataFrame, pd.Series]:
    types = json.loads((FOLDER / "types.json").read_text())[name]
    text = {column: str for column, kind in types.items() if kind == "nominal"}
    frame = pd.read_csv(FOLDER / f"{name}.csv.gz", dtype=text, keep_default_na=False)
    return frame.drop(columns="class"), frame["class"]


@pytest.mark.parametrize(
    ("name", "n_tests"), [("pima_diabetes", 56), ("ionosphere", 225), ("segment", 117), ("voting", 48)]
)
def test_number_of_candidate_tests_in_table_1_of_fierens_et_al(name: str, n_tests: int) -> None:
    tree = plain_classifier(binning="entropy").fit(*load(name)).tree_
    assert set(tree.n_tests.tolist()) == {n_tests}


def test_unpruned_size_of_voting_in_table_2_of_fierens_et_al() -> None:
    """20.1 inner nodes as a mean over folds of four fifths of the rows."""
    X, y = load("voting")
    sizes = []
    for fold in range(5):
        rows = [row for row in range(len(y)) if row % 5 != fold]
        sizes.append(plain_classifier().fit(X.iloc[rows], y.iloc[rows]).tree_.n_internal)
    assert sum(sizes) / 5 == pytest.approx(20.1, rel=0.2)
