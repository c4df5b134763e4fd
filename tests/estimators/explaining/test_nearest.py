"""The nearest other verdict: who changes what it says gets that verdict."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.estimators.explaining.test_contributions import six_columns
from tests.options.made import new_rows
from tests.oracles.explaining import failed_columns, nearest
from tests.oracles.prediction import ways_to_leaves
from tests.plain import plain_classifier
from tests.strategies import tables

from petree.columns import NUMBER, Column
from petree.conditions import THRESHOLD, UNSEEN, Conditions
from petree.estimators.explaining import OtherVerdicts
from petree.estimators.explaining.demands import Demand, demands_of
from petree.inputs import Table
from petree.reading.view import View, class_shares
from petree.routing import Ways
from petree.threads import Threads
from petree.tree import assemble
from petree.tree.prediction import most_probable_codes


def a_value(demand: Demand) -> float:
    """One that meets a demand."""
    if not demand.has_values:
        return np.nan
    if demand.column.kind != NUMBER:
        return float(min(demand.codes))
    return demand.lower if demand.lower > -np.inf else demand.upper - 1


@pytest.mark.parametrize("tests", ["binary", "multiway", "sets"])
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_fewest_columns_of_all_leaves(tests: str, data: Any) -> None:
    table = data.draw(tables("classes", max_rows=14))
    model = plain_classifier(class_weight=table.class_weight, tests=tests).fit(table.frame, table.y)
    frame, rows = data.draw(new_rows(table))
    tree, found = model.tree_, model.explain(frame)
    classes = np.where(tree.is_leaf, most_probable_codes(model.node_probabilities_, tree.class_weight), -1)
    for row, one in zip(rows, found, strict=True):
        verdict = model.classes_.tolist().index(one.predicted)
        leaf, n_changes = nearest(tree, row, classes, verdict)
        assert (found.nearest_leaves[one.row], found.n_changes[one.row]) == (leaf, n_changes)
        if leaf < 0:
            assert one.nearest is None
            continue
        assert one.nearest is not None
        assert one.nearest.predicted == model.classes_[classes[leaf]]
        assert one.nearest.n == tree.sizes[leaf]
        way = dict(ways_to_leaves(tree))[leaf]
        assert len(one.nearest.changes) == len(failed_columns(tree, way, row)) == n_changes


def test_who_changes_what_is_said_gets_the_other_verdict() -> None:
    X, y = six_columns(300)
    model = plain_classifier(max_depth=5).fit(X, y)
    new = six_columns(40)[0]
    found = model.explain(new)
    changed = new.copy()
    for row, leaf in enumerate(found.nearest_leaves.tolist()):
        values = [model.columns_[4].categories.index(v) if isinstance(v, str) else v for v in new.iloc[row]]
        for number, demand in demands_of(model.tree_, leaf).items():
            if not demand.is_met(float(values[number])):
                value: Any = a_value(demand)
                changed.iloc[row, number] = demand.column.categories[int(value)] if number == 4 else value
    assert (found.n_changes >= 1).all()
    assert model.predict(changed).tolist() == [one.nearest.predicted for one in found if one.nearest]
    assert ((changed != new) & ~(changed.isna() & new.isna())).sum(axis=1).tolist() == found.n_changes.tolist()


def test_leaves_that_no_row_can_come_to_are_left_out() -> None:
    columns = (Column("x"),)
    counts = np.array([[70, 40], [40, 0], [30, 40], [0, 30], [30, 10], [0, 10], [30, 0]])
    tests = Conditions.from_arrays(columns, [THRESHOLD] * 3, [0] * 3, [0.0, -1.0, 5.0], [UNSEEN] * 3)
    tree = assemble(counts, counts.sum(1), np.ones(7), np.array([0, 2, 4]), np.full(3, 2), tests, ("a", "b"))
    others = OtherVerdicts(View(tree, class_shares(tree)), Ways.of(tree), partial(Threads, 1))
    table = Table(columns, (np.array([-2.0, 7.0]),), 2)
    leaves, n_changes = others.find(table, np.zeros(2, np.int64))
    assert leaves.tolist() == [5, 5]  # node 3 has more rows, of those that are both above 0 and below -1
    assert n_changes.tolist() == [1, 1]
    said = others.of_row(5, columns, np.array([-2.0]))
    assert str(said) == "0 <= x < 5 instead of -2 -> P(b)=1.00 (n=10)"
