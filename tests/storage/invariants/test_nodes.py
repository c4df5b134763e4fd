"""Counts, and how nodes hang together, in files in which the invariants do not hold."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from tests.random_trees import small_tree
from tests.storage.invariants.files import Data, data_of, model_of, refused

from petree.storage import loads
from petree.storage.answers import write_voices
from petree.storage.invariants.nodes import do_add_up
from petree.storage.models import _read_stored, _revive
from petree.tree import Tree


def test_whether_counts_were_replaced_is_true_or_false(table: Data) -> None:
    data = {**table, "tree": {**table["tree"], "counts_replaced": "yes"}}
    with pytest.raises(ValueError, match=r"is damaged: .* does not say whether its counts were replaced"):
        loads(json.dumps(data))


@pytest.mark.parametrize("node", [1, 3])
def test_cases_that_do_not_add_up(table: Data, node: int) -> None:
    changed = deepcopy(table)
    changed["tree"]["nodes"][node][0] += 1
    with pytest.raises(ValueError, match="is damaged: the counts of the children of a test do not add up"):
        loads(json.dumps(changed))
    changed = {**table, "tree": {**table["tree"], "sizes": [60, *[1] * (len(table["tree"]["nodes"]) - 1)]}}
    with pytest.raises(ValueError, match="is damaged: the counts of the children of a test do not add up"):
        loads(json.dumps(changed))


def test_replaced_counts_are_told_of_and_come_back() -> None:
    grown = small_tree()
    empty = np.where(np.arange(grown.n_nodes)[:, None] == 0, grown.counts, 0)
    for tree in (grown.with_counts(grown.counts + 1), grown.graft(0, 1), grown.with_counts(empty)):
        data = data_of(model_of(tree))
        assert data["tree"]["counts_replaced"] is True
        assert data_of(loads(json.dumps(data))) == data
        del data["tree"]["counts_replaced"]
        with pytest.raises(ValueError, match="do not add up"):
            loads(json.dumps(data))
    assert "counts_replaced" not in data_of(model_of(grown))["tree"]


def test_counts_add_up_to_rounding_also_over_many_children() -> None:
    tree = Tree.from_counts([[[0.1, 0.7], [0.2, 0.3], [0.3, 0.1], [0, 0]], [1e-9, 3]])
    tree = tree.with_counts(tree.counts, [8, 6, 2, 2, 2, 2, 0])
    assert do_add_up(tree)
    assert not do_add_up(tree.with_counts(tree.counts * [[1 + 1e-6]] + [[0.0, 1e-3]] * (np.arange(7) == 2)[:, None]))


# -- option trees -----------------------------------------------------------------------------------------------------


def with_answers(data: Data) -> Data:
    """Complete a file that was written here with what it answers."""
    _, voices = _revive(_read_stored(data["estimator"], data))
    return {**data, "answers": json.loads(write_voices(voices))}


def ladder(n_steps: int, is_shared: bool) -> Data:
    """An option tree of two nodes a level, each of which leads to both below: its single trees double every level."""
    rows: list[list[Any]] = [[2.0**n_steps, 2.0**n_steps, ["<", 0, 0.5]]]
    children = [1, 2]
    for step in range(1, n_steps + 1):
        for place in range(2):
            test = [["<", 0, 0.5 + step]] if step < n_steps and (is_shared or not place) else []
            rows.append([2.0 ** (n_steps - step), 2.0 ** (n_steps - step), *test])
            children += [2 * step + 1, 2 * step + 2] if test else []
    parameters = {"prior": "I"}
    tree = {"class_weight": None, "n_tests": 1, "annotations": {}, "children": children, "nodes": rows}
    tree["split_annotations"] = {"cut_penalty": [0.0] * (len(children) // 2)}
    return {
        "format": "petree model", "version": 1, "estimator": "OptionTreeClassifier", "parameters": parameters,
        "classes": {"type": "int64", "labels": [0, 1]}, "feature_names": True,
        "columns": [{"name": "x", "kind": "number"}], "tree": tree, "answers": [],
    }  # fmt: skip


def test_cases_do_not_stand_twice_in_a_tree() -> None:
    assert loads(json.dumps(with_answers(ladder(30, False)))).summary().get_n_leaves() <= 8
    with pytest.raises(ValueError, match="the same cases stand twice in one of the trees"):
        loads(json.dumps(ladder(30, True)))


def test_a_node_at_two_levels() -> None:
    """What made prediction write beyond its arrays: node 3 is a child of the root and of node 1."""
    data = ladder(2, False)
    data["tree"]["nodes"] = [[4, 4, ["<", 0, 1], ["<", 0, 2]], [3, 3, ["<", 0, 3]], [1, 1], [2, 2], [1, 1], [2, 2]]
    data["tree"]["children"] = [1, 2, 3, 5, 3, 4]
    data["tree"]["split_annotations"] = {"cut_penalty": [0.0] * 3}
    with pytest.raises(ValueError, match="is damaged: a node stands at two levels of the tree"):
        loads(json.dumps(data))
    data["tree"]["nodes"].append([2, 2])
    data["tree"]["children"][4] = 6
    assert loads(json.dumps(with_answers(data))).predict_proba({"x": [0.5, None]}).shape == (2, 2)


def test_only_option_trees_have_options(table: Data, options: Data) -> None:
    parameters = {**table, "columns": options["columns"], "classes": options["classes"], "tree": options["tree"]}
    with pytest.raises(ValueError, match="several tests or parents, but it is no option tree"):
        loads(json.dumps(parameters))
    refused(options, lambda data: data["tree"].pop("split_annotations"), "lacks the penalties of its cuts")
