"""Weakest links of trees of scikit-learn are cut at scikit-learn's alphas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from petree.pruning import cost_complexity_path
from petree.tree import Tree

PATHS = json.loads(Path(__file__).with_name("sklearn_paths.json").read_text(encoding="utf-8"))["paths"]
# What scikit-learn calls impurity is this loss, divided by all cases.
LOSSES = {"gini": "brier", "entropy": "log"}


@pytest.mark.parametrize("theirs", PATHS, ids=lambda theirs: f"{theirs['criterion']}-{theirs['seed']}")
def test_paths_equal_those_of_scikit_learn(theirs: dict[str, Any]) -> None:
    tree = Tree.from_counts(theirs["counts"])
    path = cost_complexity_path(tree, LOSSES[theirs["criterion"]])
    alphas, impurities = np.array(theirs["alphas"]), np.array(theirs["impurities"])
    is_last = np.append(np.diff(alphas) > 1e-12, True)  # scikit-learn lists a tree for each cut of equal alphas
    np.testing.assert_allclose(path.alphas, alphas[is_last], atol=1e-12)
    np.testing.assert_allclose(path.risks, impurities[is_last], atol=1e-12)
    assert path.n_leaves[[0, -1]].tolist() == [tree.n_leaves, 1]


def test_there_are_paths_with_equal_alphas_too() -> None:
    repeated = [path for path in PATHS if (np.diff(path["alphas"]) <= 1e-12).any()]
    assert len(PATHS) == 6
    assert repeated
    assert all(len(path["alphas"]) > 5 for path in PATHS)
