"""Files of each kind of model, as JSON data."""

from __future__ import annotations

import pytest
from tests.relational.made_trees import made_database, made_model
from tests.storage.invariants.files import ALL, FRAME, Data, Y, data_of

from petree import OptionTreeClassifier, ProbabilityTreeClassifier


@pytest.fixture(scope="module")
def table() -> Data:
    """A tree of one table: numbers, categories with a multiway test, and grades."""
    model = ProbabilityTreeClassifier(pruning="none", smoothing=ALL, tests="multiway", min_samples_leaf=3)
    return data_of(model.fit(FRAME, Y))


@pytest.fixture(scope="module")
def options() -> Data:
    return data_of(OptionTreeClassifier(max_options=2, max_depth=3, n_searches=2).fit(FRAME[:25], Y[:25]))


@pytest.fixture(scope="module")
def relational() -> Data:
    return data_of(made_model(made_database(0)))
