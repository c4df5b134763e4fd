"""Trees that a person changes: what is cut and put in, and that the log tells of it."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plain import plain_classifier
from tests.strategies import RawTable, tables

from petree import ProbabilityTreeClassifier, RelationalTreeClassifier
from petree.relational import Database
from petree.smoothing import resolve_smoothing
from petree.storage import dumps, loads


def make_data(n_rows: int = 300) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 3))
    return X, (X[:, 0] + X[:, 1] > 0) ^ (rng.random(n_rows) < 0.1)


def below(tree: Any, node: int) -> set[int]:
    children = tree.children_of(np.array([node])).tolist()
    return {node, *(one for child in children for one in below(tree, child))}


@given(tables(), st.data())
def test_nodes_that_are_cut_answer_for_all_below_them(table: RawTable, data: st.DataObject) -> None:
    model = plain_classifier(pruning="chi", smoothing="m_branch", max_depth=4).fit(table.frame, table.y)
    inner = np.flatnonzero(~model.tree_.is_leaf).tolist()
    if not inner:
        return
    nodes = data.draw(st.lists(st.sampled_from(inner), min_size=1, unique=True))
    cut = model.cut(nodes)
    gone = {one for node in nodes for one in below(model.tree_, node) - {node}}
    assert cut.tree_.n_nodes == model.tree_.n_nodes - len(gone)
    left = [node for node in range(model.tree_.n_nodes) if node not in gone]
    np.testing.assert_array_equal(cut.tree_.counts, model.tree_.counts[left])
    estimated = resolve_smoothing("m_branch").estimate(cut.tree_)
    np.testing.assert_array_equal(cut.predict_proba(table.frame), estimated[cut.apply(table.frame)])
    by_hand = [line for line in cut.why() if line.endswith("was cut by hand")]
    assert len(by_hand) == len([node for node in nodes if node not in gone])
    kept = [line for line in model.why() if line in cut.why()]
    told = [line for line in cut.why() if line not in by_hand]
    assert told == kept or told == []
    assert loads(dumps(cut)).why() == cut.why()
    assert dumps(loads(dumps(cut))) == dumps(cut)


def test_a_cut_is_told_beside_what_the_criterion_cut() -> None:
    X, y = make_data()
    model = ProbabilityTreeClassifier().fit(X, y)
    node = int(model.tree_.children[0])
    cut = model.cut([node]).cut([int(model.tree_.children[1])])
    assert cut.get_n_leaves() == 2
    assert [line.split(" was ")[1] for line in cut.why()] == ["cut by hand"] * 2
    assert cut.tuning_ == model.tuning_
    assert cut.certainty_ == model.certainty_
    assert "sizes_" not in vars(cut)
    assert model.get_n_leaves() > 2
    assert pickle.loads(pickle.dumps(cut)).why() == cut.why()
    with pytest.raises(ValueError, match="so does a model that was cut by hand"):
        cut.why(everything=True)


def test_only_inner_nodes_can_be_cut() -> None:
    model = plain_classifier(max_depth=1).fit(*make_data())
    with pytest.raises(ValueError, match="Node 2 is a leaf already"):
        model.cut([0, 2])
    with pytest.raises(IndexError, match="there is no node 7"):
        model.cut([7])


def test_another_tree_is_put_in() -> None:
    X, y = make_data()
    model = ProbabilityTreeClassifier().fit(X, y)
    raised = model.tree_.graft(0, int(model.tree_.children[0]))
    other = model.with_tree(raised)
    assert other.get_params() == model.get_params()
    assert other.why() == ["The tree was put in by hand."]
    assert "certainty_" not in vars(other)
    np.testing.assert_array_equal(other.node_probabilities_, model.smoothing_.estimate(raised))
    again = loads(dumps(other))
    assert again.why() == other.why()
    np.testing.assert_array_equal(again.predict_proba(X), other.predict_proba(X))
    with pytest.raises(ValueError, match="other columns or classes"):
        model.with_tree(plain_classifier().fit(X[:, :2], y).tree_)
    with pytest.raises(TypeError, match="must be a petree Tree"):
        model.with_tree(model)


def test_a_relational_tree_is_cut_too() -> None:
    keys = list(range(20))
    tables = {
        "molecule": {"id": keys, "class": ["toxic", "safe"] * 10},
        "atom": {"molecule": keys[:11], "element": ["cl", "c"] * 5 + ["o"], "w": np.arange(11.0)},
    }
    database = Database(tables, links=["atom.molecule -> molecule.id"])
    model = RelationalTreeClassifier(database, "molecule.class", pruning="none", smoothing="laplace").fit(keys)
    cut = model.cut([0])
    assert cut.predict_proba(keys).tolist() == [[0.5, 0.5]] * 20
    assert cut.why()[0].endswith("was cut by hand")
    assert cut.why() == loads(dumps(cut)).why()
    assert model.get_n_leaves() > 1


# -- files ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value"),
    [("by_hand", [0]), ("by_hand", [1, 1]), ("by_hand", ["1"]), ("by_hand", {}), ("notes", [1]), ("notes", "x")],
)
def test_what_was_done_by_hand_is_checked_in_files(field: str, value: Any) -> None:
    model = plain_classifier(max_depth=2).fit(*make_data()).cut([1])
    record = json.loads(dumps(model))
    assert record["tree"]["pruning"]["by_hand"] == [1]
    assert "notes" not in record["tree"]["pruning"]
    record["tree"]["pruning"][field] = value
    with pytest.raises(ValueError, match=r"cut by hand|notes in its pruning"):
        loads(json.dumps(record))
