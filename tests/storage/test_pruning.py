"""What a model file keeps of the pruning: what stood where something was cut."""

import json
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from tests.plain import plain_classifier
from tests.random_trees import COLUMNS, ROUTABLE
from tests.reading.logs import pruned_trees
from tests.strategies import RawTable, tables

from petree.pruning import MDL, CardPerClass
from petree.pruning.engine.log import CLOSED, RAISED, PruningLog, Reasons
from petree.reading import why
from petree.storage import dumps, loads
from petree.storage.trees import read_tree, write_tree
from petree.storage.values import named_lines
from petree.tree import Tree


def written(tree: Tree) -> dict:
    return json.loads(named_lines(write_tree(tree)))


def again(tree: Tree) -> Tree:
    return read_tree(written(tree), COLUMNS, tree.classes)


@given(pruned_trees(ROUTABLE))
def test_a_tree_from_a_file_says_why_in_the_same_words(tree: Tree) -> None:
    assert why(again(tree)) == why(tree)
    assert written(again(tree)) == written(tree)
    assert isinstance(again(tree).pruning_log, Reasons)
    with pytest.raises(ValueError, match="A model file keeps only what was cut"):
        why(again(tree), everything=True)


@settings(max_examples=13)
@given(tables())
def test_fitted_models_say_why_after_loading(table: RawTable) -> None:
    model = plain_classifier(pruning="chi").fit(table.frame, table.y)
    loaded = loads(dumps(model))
    assert loaded.why() == model.why()
    assert dumps(loaded) == dumps(model)


def test_only_the_frontier_is_in_the_file() -> None:
    X, y = np.random.default_rng(0).normal(size=(300, 2)), np.arange(300) % 2
    model = plain_classifier(pruning="mdl").fit(X, y)
    grown = model.tree_.pruning_log.grown
    assert (model.tree_.n_nodes, grown.n_nodes > 1) == (1, True)
    condition = grown.node(0).conditions[0]
    record = json.loads(dumps(model))["tree"]["pruning"]
    verdicts = model.tree_.pruning_log.verdicts
    assert record == {
        "criterion": "MDL()",
        "names": ["bits to write down the subtree and its cases", "bits to write down one leaf and its cases"],
        "nodes": [[0, str(condition), grown.n_leaves, verdicts.statistic[0], verdicts.threshold[0]]],
    }


def test_unpruned_trees_and_older_files_have_no_record() -> None:
    X, y = np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 2
    assert "pruning" not in json.loads(dumps(plain_classifier(pruning="none").fit(X, y)))["tree"]
    data = json.loads(dumps(plain_classifier(pruning="chi").fit(X, y)))
    del data["tree"]["pruning"]
    assert loads(json.dumps(data)).tree_.pruning_log is None


@given(pruned_trees(ROUTABLE))
def test_numbers_without_end_come_back(tree: Tree) -> None:
    log = tree.pruning_log
    odd = np.resize([np.inf, np.nan, -np.inf], len(log.nodes))
    tree = tree.with_log(replace(log, verdicts=replace(log.verdicts, statistic=odd)))
    assert why(again(tree)) == why(tree)


@pytest.mark.parametrize("criterion", [CardPerClass(2), MDL(), MDL(when="pre")], ids=repr)
def test_nodes_closed_while_growing_come_back(criterion: Any) -> None:
    X, y = np.repeat([0.0, 1.0, 2.0], [57, 6, 57])[:, None], np.repeat([0, 1, 1], [61, 2, 57])
    model = plain_classifier(pruning=criterion).fit(X, y)
    loaded = loads(dumps(model))
    assert CLOSED in loaded.tree_.pruning_log.outcomes
    assert loaded.tree_.pruning_log.outcomes == model.tree_.pruning_log.frontier().outcomes
    assert loaded.why() == model.why()


@pytest.mark.parametrize(("test", "n_leaves"), [("", 2), ("t", 1), ("", 0), ("", 1)])
def test_a_closed_node_is_a_leaf_without_a_test(test: str, n_leaves: int) -> None:
    tree = Tree.from_counts([[3, 1], [1, 3]])
    reasons = Reasons(
        "C()", ("a", "b"), np.array([0]), (test,), np.array([n_leaves]), np.ones(1), np.ones(1), (CLOSED,)
    )
    with pytest.raises(ValueError, match="does not say what stood at a node"):
        again(tree.with_log(reasons))


def test_raised_branches_come_back() -> None:
    tree = Tree.from_counts([[3, 1], [1, 3]])
    reasons = Reasons("C()", ("a", "b"), np.array([0]), ("t",), np.array([5]), np.ones(1), np.zeros(1), (RAISED,))
    assert why(again(tree.with_log(reasons))) == [
        "all rows: t (5 leaves, n=8) was replaced by its largest branch. A: 1; b: 0."
    ]


def test_a_pickled_model_knows_everything() -> None:
    X, y = np.random.default_rng(0).normal(size=(80, 2)), np.arange(80) % 2
    model = plain_classifier(pruning="chi").fit(X, y)
    unpickled = pickle.loads(pickle.dumps(model))
    assert isinstance(unpickled.tree_.pruning_log, PruningLog)
    assert unpickled.why(everything=True) == model.why(everything=True)
    assert unpickled.why() == model.why()
