"""Option trees of small tables, beside the worlds that say what they must be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.bayes.made import PRIORS as PLAIN_PRIORS
from tests.options.qualities import FittingContext
from tests.oracles.growing import Candidate
from tests.oracles.prediction import Cell
from tests.strategies import COLUMNS, RawTable
from tests.test_prediction_oracle import encoded_rows, new_columns

from petree import OptionTreeClassifier, presets
from petree.bayes import Prior, resolve_prior
from petree.conditions import EQUALS, IS_MISSING, THRESHOLD

# Columns whose gaps may be too narrow, beside the range, for their share of it to be a number; and the others.
EXTREMES = ("huge", "float")
KINDS = tuple(kind for kind in COLUMNS if kind not in EXTREMES)
# So that no test is left out.
ALL_TESTS: dict[str, Any] = {"max_options": 1000, "factor": 1e-300, "max_depth": 1}
# One search that looks at all columns.
ONE_SEARCH: dict[str, Any] = {"n_searches": 1, "max_features": None}
# As Buntine has it, but with binary tests.
PAPER: dict[str, Any] = {**presets["ind-option-1"].parameters, "tests": "binary"}


@st.composite
def priors(draw: Any) -> Prior:
    """Priors of every structure, that may penalise the first column, or favour it."""
    penalty = draw(st.sampled_from((None, None, 0.2, 3.0)))
    return draw(PLAIN_PRIORS).set_params(penalties=None if penalty is None else {"column 0": penalty})


def fit(table: RawTable, **parameters: Any) -> OptionTreeClassifier:
    model = OptionTreeClassifier(**{**PAPER, "binning": "exact", **parameters})
    return model.fit(table.frame, table.y, table.sample_weight)


def pair(table: RawTable, **parameters: Any) -> tuple[OptionTreeClassifier, FittingContext]:
    """A fitted model, and what it was told."""
    return fit(table, **parameters), FittingContext(
        table.plain(), **{**parameters, "prior": resolve_prior(parameters.get("prior", "I"))}
    )


@st.composite
def new_rows(draw: Any, table: RawTable) -> tuple[pd.DataFrame, list[list[Cell]]]:
    """Rows with old values, missing ones and values never seen, for the model and as plain numbers."""
    new = [draw(new_columns(column)) for column in table.columns]
    frame = pd.DataFrame({f"column {i}": column.series() for i, column in enumerate(new)})
    return frame, encoded_rows(table, new)


def options_of(model: OptionTreeClassifier, node: int) -> list[Candidate]:
    """The tests of a node, with only those fields that their kind uses."""
    tree, found = model.tree_, []
    for split in range(tree.split_start[node], tree.split_start[node + 1]):
        conditions = tree.conditions
        kind, column = int(conditions.kind[split]), int(conditions.column[split])
        value = float(conditions.value[split]) if kind in (THRESHOLD, EQUALS) else 0.0
        missing = {} if kind == IS_MISSING else {"missing": int(conditions.missing[split])}
        found.append(Candidate(column, kind, value, **missing))
    return found


def qualities(model: OptionTreeClassifier) -> NDArray[np.float64]:
    """Logarithms of the qualities of a root whose children are leaves: what its splits add to the sum over trees."""
    assert model.tree_.depth <= 1
    return np.log(model.shares_.go) + model.shares_.log_evidence[0]
