"""Columns as one matrix of numbers, for learners that know nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Columns = Mapping[str, NDArray[Any]]


def as_numbers(learn: Columns, test: Columns) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A column of 0 and 1 for each category, and the median of `learn` for missing numbers.

    A missing category is a category of its own, and one that `learn` does not have is none of the others.
    """
    from sklearn.impute import SimpleImputer
    from sklearn.preprocessing import OneHotEncoder

    kinds = {
        False: SimpleImputer(strategy="median", keep_empty_features=True),
        True: OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    }
    blocks = []
    for is_nominal, transformer in kinds.items():
        names = [name for name, values in learn.items() if (values.dtype == object) == is_nominal]
        if names:
            own, other = (np.column_stack([columns[name] for name in names]) for columns in (learn, test))
            blocks.append((transformer.fit_transform(own), transformer.transform(other)))
    learned, asked = zip(*blocks, strict=True)
    return np.hstack(learned), np.hstack(asked)
