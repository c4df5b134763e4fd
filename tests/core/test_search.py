"""The compiled search against plain enumeration of all tests."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.nodes import Nodes
from tests.oracles.growing import Candidate, Rules

from petree.conditions import EQUALS, IN, MULTIWAY, THRESHOLD
from petree.splitting import DKM, MAUC, MSEE, GainRatio

WEIGHTINGS = ["none", "copies", "classes"]  # counted in whole numbers; fractions have loops of their own
BY_VALUE = [
    *[(split, "narrow", WEIGHTINGS) for split in ("gain", "gini", "dkm", DKM("majority"), "chi_square")],
    *[(member(laplace, False), "narrow", WEIGHTINGS) for member in (MSEE, MAUC) for laplace in (False, True)],
    *[(split, "narrow", ["fractions"]) for split in ("gain", "dkm", MAUC(penalty=False))],
    ("gain", "wide", WEIGHTINGS),
    ("gain", "wide", ["fractions"]),
    (MAUC(penalty=False), "wide", WEIGHTINGS),
]
BY_RATIO = [
    *[(split, WEIGHTINGS) for split in ("gain_ratio", GainRatio(0, restrictions=False))],
    *[(member(laplace, True), WEIGHTINGS) for member in (MSEE, MAUC) for laplace in (False, True)],
    ("gain_ratio", ["fractions"]),
]
SIZES = st.lists(st.integers(2, 40), min_size=1, max_size=4)
KINDS = {"binary": [THRESHOLD, EQUALS], "sets": [THRESHOLD, IN], "multiway": [THRESHOLD, MULTIWAY]}


@st.composite
def nodes_and_rules(draw, split, weightings):
    tests = draw(st.sampled_from(list(KINDS)))
    bins = draw(st.lists(st.integers(1, 9), min_size=1, max_size=3))
    nodes = Nodes.of(
        draw(st.integers(0, 10**6)), draw(SIZES), bins, KINDS[tests], draw(st.integers(2, 4)),
        draw(st.sampled_from(weightings)),
    )  # fmt: skip
    return nodes, Rules(tests, draw(st.integers(1, 3)), split=split)


@pytest.mark.parametrize(("split", "width", "weightings"), BY_VALUE, ids=str)
@settings(max_examples=13, deadline=None)
@given(data=st.data())
def test_best_tests_are_those_of_plain_enumeration(split, width, weightings, data):
    nodes, rules = data.draw(nodes_and_rules(split, weightings))
    values, tests = nodes.best(width, rules)
    nodes.assert_best(values, tests, nodes.rankings(rules, range(len(nodes.n_bins))), split != "chi_square")


@pytest.mark.parametrize(("split", "weightings"), BY_RATIO, ids=str)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_best_tests_by_ratio_are_those_of_plain_enumeration(split, weightings, data):
    nodes, rules = data.draw(nodes_and_rules(split, weightings))
    n_columns = len(nodes.n_bins)
    numbers = np.array(data.draw(st.permutations(range(n_columns))))
    values, tests = nodes.best_by_ratio(rules, data.draw(st.integers(0, n_columns)), numbers)
    nodes.assert_best(values, tests, nodes.rankings(rules, np.argsort(numbers)), True)


def test_a_class_of_missing_values_alone_orders_no_categories():
    """Orders by it would offer the same sets again, and lower the mean gain that a test has to reach."""
    codes, classes = np.array([[0], [1], [1], [2], [3]]), np.array([0, 1, 1, 0, 2], np.uint16)
    copies, ends = np.ones(5, np.int64), (np.array([0]), np.array([5]))
    nodes = Nodes(codes, classes, np.ones(5), copies, np.ones(3), *ends, np.array([3]), np.array([IN]), False)
    rules = Rules("sets", split="gain_ratio")
    values, tests = nodes.best_by_ratio(rules, 1, np.array([0]))
    nodes.assert_best(values, tests, nodes.rankings(rules, [0]), True)
    assert tests == [Candidate(0, EQUALS, 1.0, missing=0)]


@pytest.mark.parametrize("n_rows", [300, 700, 5000])
def test_nodes_of_every_size_are_counted_alike(n_rows):
    """Few rows, many rows and several blocks of rows take different ways through the search."""
    nodes, rules = Nodes.of(n_rows, [n_rows], [255, 60], [THRESHOLD], 3, "none"), Rules()
    narrow, wide = nodes.best("narrow", rules), nodes.best("wide", rules)
    assert narrow == wide
    nodes.assert_best(*narrow, nodes.rankings(rules, range(2)), True)
