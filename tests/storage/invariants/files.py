"""Files that are changed, and refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from tests.fuzzing.valid_files import made_table
from tests.random_trees import COLUMNS

from petree import ProbabilityTreeClassifier, smoothing
from petree.estimators.stored import Stored
from petree.storage import dumps, loads
from petree.tree import Tree

Data = dict[str, Any]


Change = Callable[[Data], Any]


FRAME, Y = made_table(0)


ALL = smoothing.Average((smoothing.Doubt(0.2), smoothing.Confusion(0.1), "laplace"))


def data_of(model: Any) -> Data:
    return json.loads(dumps(model))


def refused(data: Data, change: Change, complaint: str) -> None:
    """A changed file is refused."""
    changed = deepcopy(data)
    change(changed)
    with pytest.raises(ValueError, match=rf"^m\.json is damaged: .*{complaint}"):
        loads(json.dumps(changed), "m.json")


def splits_of(data: Data) -> list[tuple[int, list[Any]]]:
    """The nodes that have tests, and what stands in them."""
    n_classes = len(data["classes"]["labels"])
    return [(node, row) for node, row in enumerate(data["tree"]["nodes"]) if len(row) > n_classes]


def model_of(tree: Tree) -> ProbabilityTreeClassifier:
    parameters = {"pruning": "none", "smoothing": "laplace"}
    return ProbabilityTreeClassifier._from_stored(Stored(parameters, tree, COLUMNS, np.array(tree.classes)))
