"""The words of the tree, and the intervals of its nodes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.columns import Column
from petree.estimators.base import TreeClassifier
from petree.reading.paths import paths, premise
from petree.reading.view import view
from petree.reading.walk import walk
from petree.storage.values import Record
from petree.words import visible

LEVEL = 0.9
# Digits of numbers that are only looked at.
DIGITS = 4
UNIT = 1e-4


def tell_texts(model: TreeClassifier) -> Record:
    """Names that can be shown as they are, the branch that leads to each node, its test, and the rule of each leaf."""
    tree = view(model).tree
    branches = [""] * tree.n_nodes
    for step in walk(tree, is_short=True):
        branches[step.node] = step.text
    tests: list[str | None] = [None] * tree.n_nodes
    for split, node in enumerate(tree.split_nodes.tolist()):
        tests[node] = visible(str(tree.conditions[split]))
    rules = {str(node): premise(path) or "always" for node, path in paths(tree) if tree.is_leaf[node]}
    return {
        "classes": [visible(str(label)) or '""' for label in tree.classes],
        "columns": [visible(column.name) for column in model.columns_],
        "categories": [_categories(column) for column in model.columns_],
        "branches": branches,
        "tests": tests,
        "rules": rules,
        "sizes": tree.sizes.tolist(),
    }


def _categories(column: Column) -> list[str]:
    return [visible(str(category)) for category in column.categories]


def tell_bounds(model: TreeClassifier) -> Record:
    """Lower and upper bounds of the class probabilities of every node, in whole numbers of a `unit`: short ones."""
    bounds = view(model, level=LEVEL).bounds
    assert bounds is not None
    lower, upper = (np.rint(bound / UNIT).astype(int).tolist() for bound in bounds)
    return {"level": LEVEL, "unit": UNIT, "lower": lower, "upper": upper}


def rounded(values: NDArray[np.float64], digits: int = DIGITS) -> list[float]:
    """Numbers as lists, of so many digits behind the point."""
    return np.round(values, digits).tolist()
