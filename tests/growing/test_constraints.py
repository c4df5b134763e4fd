"""Trees under constraints: each node against plain enumeration of the tests that it may have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.growing.checks import assert_tree_is_right, fit
from tests.oracles.growing import Rules
from tests.plain import plain_classifier
from tests.strategies import RawTable, rules, tables

from petree import ProbabilityTreeClassifier
from petree.columns import NOMINAL
from petree.splitting import MEMBERS, resolve_split

Numbers = NDArray[np.float64]


class OwnGain:
    """Gain as a user may write it: the compiled loops do not know it."""

    def score(self, counts: Numbers) -> Numbers:
        scores: Numbers = resolve_split("gain").score(counts)
        return scores


SPLITS = [alias for alias in MEMBERS if alias != "bayes"]  # whose cuts compete by an integral over them
every_split = pytest.mark.parametrize("split", SPLITS)


def groups_of(n_columns: int) -> st.SearchStrategy[tuple[frozenset[int], ...]]:
    """Groups that leave no column out."""

    def completed(groups: list[frozenset[int]]) -> tuple[frozenset[int], ...]:
        rest = set(range(n_columns)).difference(*groups)
        return (*groups, *(frozenset([column]) for column in rest))

    return st.lists(st.frozensets(st.integers(0, n_columns - 1), min_size=1), max_size=4).map(completed)


@st.composite
def constrained(draw: Any, table: RawTable, chosen: Rules) -> Rules:
    """Rules with a sign for each column that may have one, and groups of columns."""
    is_free = [column.kind == NOMINAL or len(set(table.labels)) > 2 for column in table.columns]
    signs = tuple(0 if free else draw(st.sampled_from((-1, 0, 1, 1))) for free in is_free)
    groups = draw(st.one_of(st.just(()), groups_of(len(is_free))))
    return Rules(chosen.tests, chosen.min_samples_leaf, chosen.max_depth, chosen.min_gain, chosen.split, signs, groups)


def fit_constrained(table: RawTable, chosen: Rules, **parameters: Any) -> ProbabilityTreeClassifier:
    signs = chosen.signs if len(set(table.labels)) <= 2 else None
    groups = [set(group) for group in chosen.groups] if chosen.groups else None
    return fit(table, chosen, monotonic_cst=signs, interaction_cst=groups, **parameters)


@every_split
@pytest.mark.parametrize("tests", ["binary", "sets", "multiway"])
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_every_node_has_the_first_best_test_of_those_it_may_have(tests: str, split: Any, data: Any) -> None:
    weights = data.draw(st.sampled_from(["none", "whole", "classes", "fractions"]))
    table = data.draw(tables(weights, max_rows=25))
    chosen = data.draw(constrained(table, data.draw(rules(tests, split))))
    assert_tree_is_right(fit_constrained(table, chosen).tree_, table.plain(), chosen)


@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_a_score_in_python_grows_the_same_tree(data: Any) -> None:
    table = data.draw(tables("whole", max_rows=25))
    chosen = data.draw(constrained(table, data.draw(rules("binary"))))
    parameters = {
        "monotonic_cst": chosen.signs if len(set(table.labels)) <= 2 else None,
        "interaction_cst": chosen.groups or None,
    }
    both = [
        plain_classifier(split=split, **parameters).fit(table.frame, table.y, sample_weight=table.sample_weight)
        for split in ("gain", OwnGain())
    ]
    for name in ("counts", "children"):
        np.testing.assert_array_equal(*(getattr(model.tree_, name) for model in both))
    for name in ("kind", "column", "value", "missing"):
        np.testing.assert_array_equal(*(getattr(model.tree_.conditions, name) for model in both))
