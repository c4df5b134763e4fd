"""The data sets of the quality benchmark: read from the folder that PETREE_DATA names, cut to size, dealt to folds."""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from lab.experiments.data import DataSet
from lab.experiments.trials import Trial
from lab.statistics.resampling import TrainTest

VARIABLE = "PETREE_DATA"
TARGET = "class"
MOST_ROWS = 3000
N_FOLDS = 5

# The 20 data sets of Table 1 of Fierens et al. (CW488), by the names of their files.
TABLE_1 = (
    "annealing",
    "australian_credit",
    "balance_scale",
    "breast_wisconsin",
    "chess_kr_vs_kp",
    "pima_diabetes",
    "german_credit",
    "heart_cleveland",
    "ionosphere",
    "mushroom",
    "pendigits_train",
    "primary_tumor",
    "segment",
    "soybean",
    "splice",
    "thyroid_allhypo",
    "vehicle",
    "voting",
    "vowel",
    "yeast",
)


@dataclass(frozen=True)
class FrameSet(DataSet):
    """A table as a frame: numbers as floats, nominal columns as categories, classes as codes 0, 1, ..."""

    columns: pd.DataFrame

    @cached_property
    def digest(self) -> str:
        """Short name of the contents, by which results are known to be of this very table."""
        text = self.columns.to_csv() + str(self.y.tolist())
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def given(self, rows: NDArray[np.intp]) -> pd.DataFrame:
        """What a learner gets of some rows."""
        return self.columns.iloc[rows].reset_index(drop=True)


def find_folder() -> Path:
    """The folder of the tables."""
    place = os.environ.get(VARIABLE)
    folder = Path(place or ".") / "tabular"
    if not place or not (folder / "types.json").exists():
        raise FileNotFoundError(
            f"The environment variable {VARIABLE} must name a folder that holds tabular/types.json and the tables as "
            f"tabular/NAME.csv.gz. Got {place!r}."
        )
    return folder


def list_sets(folder: Path) -> list[str]:
    """Names of all tables of the folder."""
    return sorted(path.name.removesuffix(".csv.gz") for path in folder.glob("*.csv.gz"))


def load(folder: Path, name: str, most_rows: float | None = None) -> FrameSet:
    """Read one table; of a large one a fixed random sample of `most_rows` rows, which are `MOST_ROWS` if not given."""
    most_rows = MOST_ROWS if most_rows is None else most_rows
    kinds = _read_kinds(folder, name)
    dtypes = {column: "float64" if kind == "numeric" else "str" for column, kind in kinds.items()}
    # An empty cell is the only sign of a missing value: "NA" and "None" are values.
    frame = pd.read_csv(folder / f"{name}.csv.gz", dtype=dtypes, keep_default_na=False, na_values=[""])
    if len(frame) > most_rows:
        rows = np.random.default_rng(0).choice(len(frame), int(most_rows), replace=False)
        frame = frame.iloc[np.sort(rows)].reset_index(drop=True)
    y = np.unique(frame.pop(TARGET).to_numpy(str), return_inverse=True)[1].astype(np.int64)
    for column in frame.columns:
        if kinds[column] == "nominal":
            frame[column] = frame[column].astype("category")
    return FrameSet(name, frame, y)


def _read_kinds(folder: Path, name: str) -> dict[str, str]:
    """ "numeric" or "nominal" for each column of a table."""
    kinds: dict[str, dict[str, str]] = json.loads((folder / "types.json").read_text(encoding="utf-8"))
    if name not in kinds:
        raise ValueError(f"There is no data set {name!r} in types.json of {folder}; it has {', '.join(sorted(kinds))}.")
    return kinds[name]


def shuffled_folds(data: FrameSet, seeds: Sequence[int]) -> Iterator[Trial]:
    """The trials of a repeated stratified cross-validation, the same in every run; a run is known by its seed.

    Rows to learn from come in random order: some tables are sorted by class, and some learners cross-validate on
    blocks of rows as they come.
    """
    for seed in seeds:
        folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a class of fewer than N_FOLDS rows
            for number, (learn, test) in enumerate(folds.split(data.columns, data.y)):
                learn = np.random.default_rng([seed, number]).permutation(learn)
                yield Trial(data, TrainTest(seed, number, learn, test))


def is_first(seed: int, fold: int) -> bool:
    """Whether it is the first fold of the first run, which is all that slow contenders take part in."""
    return seed == 0 and fold == 0


def one_hot(learn: pd.DataFrame, *others: pd.DataFrame) -> list[NDArray[Any]]:
    """The tables as numbers: a column of 0 and 1 for each category, medians of `learn` for missing numbers.

    A missing category is a category of its own, and one that `learn` does not have is none of the others.
    """
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.preprocessing import OneHotEncoder

    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    imputer = SimpleImputer(strategy="median", keep_empty_features=True)
    is_nominal = make_column_selector(dtype_include="category")
    is_number = make_column_selector(dtype_include="float64")
    table = make_column_transformer((encoder, is_nominal), (imputer, is_number)).fit(learn)
    return [table.transform(frame) for frame in (learn, *others)]
