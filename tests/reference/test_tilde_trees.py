"""Error-based pruning predicts what Tilde predicts, and leaves the trees alone that Tilde has pruned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from petree.pruning import ErrorBased
from petree.tree import Tree

TREES = json.loads(Path(__file__).with_name("tilde_trees.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("theirs", TREES.values(), ids=TREES)
def test_predicted_errors_equal_those_of_tilde(theirs: dict[str, Any]) -> None:
    tree = Tree.from_counts(theirs["counts"])
    assert tree.n_internal == theirs["n_internal"]
    predicted = ErrorBased().leaf_costs(tree.counts[tree.is_leaf])
    assert predicted.sum() == pytest.approx(theirs["predicted_errors"], abs=1e-12)


@pytest.mark.parametrize("theirs", TREES.values(), ids=TREES)
def test_what_tilde_has_pruned_stays(theirs: dict[str, Any]) -> None:
    tree = Tree.from_counts(theirs["counts"])
    assert ErrorBased().prune(tree).n_leaves == tree.n_leaves


def test_the_trees_are_of_the_whole_data() -> None:
    """Class counts of the three data sets."""
    roots = {name: Tree.from_counts(theirs["counts"]).counts[0].tolist() for name, theirs in TREES.items()}
    assert roots == {"machines": [6, 6, 3], "bongard": [264, 128], "mutagenesis": [92, 138]}
