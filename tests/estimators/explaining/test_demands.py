"""What leaves ask of columns: the values that pass all tests of their paths, and how that is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from tests.oracles.explaining import can_be_reached, failed_columns
from tests.oracles.prediction import UNKNOWN, Cell, ways_to_leaves
from tests.random_trees import COLUMNS, ROUTABLE, trees
from tests.routing.test_ways import CHOICES

from petree.columns import NOMINAL, NUMBER, Column
from petree.conditions import Equals, In, IsMissing, Multiway, Threshold
from petree.estimators.explaining.demands import Demand, demands_of, is_possible
from petree.tree import Tree

SIZE = Column("size", NUMBER)
HOME = Column("home", NOMINAL, ("own", "rent", "boat", "tent"))


def value_of(cell: Cell) -> float:
    told: dict[Any, float] = {None: np.nan, UNKNOWN: np.inf}
    return float(told.get(cell, cell))


@settings(max_examples=10, deadline=None)
@given(trees(ROUTABLE, 10))
def test_a_demand_is_met_by_what_passes_all_tests(tree: Tree) -> None:
    for leaf, way in ways_to_leaves(tree):
        demands = demands_of(tree, leaf)
        for column, cells in enumerate(CHOICES):
            for cell in (*cells, *((UNKNOWN,) if column else ())):
                row = [cell if other == column else None for other in range(len(COLUMNS))]
                passes = column not in failed_columns(tree, way, row)
                assert (column not in demands or demands[column].is_met(value_of(cell))) == passes
        assert is_possible(tree, leaf) == can_be_reached(tree, leaf, CHOICES)


WORDS = [
    (SIZE, [(Threshold(SIZE, 3.0), 0)], "size < 3"),
    (SIZE, [(Threshold(SIZE, 3.0, missing=0), 0)], "size < 3 or missing"),
    (SIZE, [(Threshold(SIZE, 3.0, missing=1), 1), (Threshold(SIZE, 7.5, missing=0), 0)], "3 <= size < 7.5 or missing"),
    (SIZE, [(Threshold(SIZE, 3.0), 1), (Threshold(SIZE, 2.0), 1)], "size >= 3"),
    (SIZE, [(IsMissing(SIZE), 0)], "size is missing"),
    (SIZE, [(IsMissing(SIZE), 1)], "size is not missing"),
    (HOME, [(Equals(HOME, 1), 0)], "home = rent"),
    (HOME, [(Equals(HOME, 1, missing=1), 1)], "home != rent or missing"),
    (HOME, [(Equals(HOME, 1), 1), (Equals(HOME, 0), 1)], "home in {boat, tent}"),
    (HOME, [(In(HOME, (0, 2)), 1), (Equals(HOME, 3), 1)], "home = rent"),
    (HOME, [(Multiway(HOME), 2)], "home = boat"),
    (HOME, [(Multiway(HOME, missing=4), 4)], "home is missing"),
    (HOME, [(IsMissing(HOME), 1)], "home is not missing"),
]


@pytest.mark.parametrize(("column", "steps", "words"), WORDS, ids=[words for *_, words in WORDS])
def test_words(column: Column, steps: Any, words: str) -> None:
    demand = Demand.of(column)
    for condition, branch in steps:
        demand = demand.narrowed(condition, branch)
    assert str(demand) == words
    assert demand.is_possible


def test_what_contradicts_itself_is_impossible() -> None:
    between = Demand.of(SIZE).narrowed(Threshold(SIZE, 3.0), 0).narrowed(Threshold(SIZE, 3.0), 1)
    neither = Demand.of(HOME).narrowed(Equals(HOME, 1), 0).narrowed(In(HOME, (1, 2)), 1)
    assert not between.is_possible
    assert not neither.is_possible


def test_a_category_never_seen_is_not_missing() -> None:
    is_there = Demand.of(HOME).narrowed(IsMissing(HOME), 1)
    assert is_there.is_met(np.inf)
    assert not is_there.is_met(np.nan)
    assert str(is_there) == "home is not missing"
    assert not is_there.narrowed(Equals(HOME, 0), 1).is_met(np.inf)
    assert not Demand.of(HOME).narrowed(IsMissing(HOME), 0).is_met(np.inf)
