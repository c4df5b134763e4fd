"""Tables of categories, and trees with tests for sets of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from tests.plain import plain_classifier

from petree import ProbabilityTreeClassifier


def fit(values: Any, y: Any, **parameters: Any) -> ProbabilityTreeClassifier:
    model = plain_classifier(tests="sets", **parameters)
    return model.fit(pd.DataFrame({"x": values}), y)


def make_columns(n_rows: int, n_classes: int, seed: int = 0) -> tuple[pd.DataFrame, NDArray[Any]]:
    """Two columns of categories, one with missing values, and a number; classes depend on some of their sets."""
    random = np.random.default_rng(seed)
    letters = random.integers(0, 12, n_rows)
    small = random.choice(["u", "v", "w", "x", "y"], n_rows).astype(object)
    small[random.random(n_rows) < 0.1] = None
    number = random.integers(0, 9, n_rows).astype(float)
    signal = (letters * 5 % 12) / 4 + (number > 4) + random.normal(0, 0.8, n_rows)
    y = np.digitize(signal, np.quantile(signal, np.arange(1, n_classes) / n_classes))
    return pd.DataFrame({"letter": [chr(97 + one) for one in letters], "small": small, "number": number}), y
