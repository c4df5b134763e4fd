"""The leaf of each row by ONNX's operator for trees.

A row whose value fits no branch ends in a leaf of its own kind, `stuck`, before it can take a wrong one. The operator
knows two branches and sends NaN along the first or the second; so a test with more is a chain of tests, and what is new
or missing is asked for first where a branch would take it by mistake.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from onnx import TensorProto, numpy_helper

from petree.columns import Column
from petree.conditions import UNSEEN, Threshold
from petree.exports.onnx.encoding import NEW
from petree.exports.onnx.graph import TREES, Graph
from petree.exports.splits import Split

LARGEST = float(np.finfo(np.float64).max)


class Mode(IntEnum):
    """How a test of the operator compares; it holds of no NaN."""

    AT_MOST = 0
    BELOW = 1
    AT_LEAST = 2
    EQUAL = 4
    MEMBER = 6


class Place(NamedTuple):
    """Where something is to be written: the branch of a test, or the root, in front of all tests."""

    test: int
    holds: bool


ROOT = Place(-1, True)


@dataclass
class Tests:
    """The tests of the operator, in its arrays."""

    column: list[int] = field(default_factory=list)
    mode: list[int] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    takes_missing: list[int] = field(default_factory=list)
    members: list[float] = field(default_factory=list)
    targets: dict[Place, tuple[int, bool]] = field(default_factory=dict)
    leaves: list[int] = field(default_factory=list)

    def add(self, place: Place, column: int, mode: Mode, value: float = 0.0, takes_missing: bool = False) -> int:
        """A test at a place; its number."""
        number = len(self.column)
        self.column.append(column)
        self.mode.append(int(mode))
        self.value.append(value)
        self.takes_missing.append(int(takes_missing))
        self.targets[place] = (number, False)
        return number

    def end(self, place: Place, leaf: int) -> None:
        """A leaf at a place."""
        self.targets[place] = (len(self.leaves), True)
        self.leaves.append(leaf)

    def write(self, graph: Graph, matrix: str) -> str:
        """The number of each row's leaf, from the matrix of all columns."""
        yes = [self.targets[Place(number, True)] for number in range(len(self.column))]
        no = [self.targets[Place(number, False)] for number in range(len(self.column))]
        found = graph.add(
            "TreeEnsemble",
            matrix,
            domain=TREES,
            n_targets=1,
            aggregate_function=1,  # the sum, of one tree
            post_transform=0,
            tree_roots=[0],
            nodes_featureids=self.column,
            nodes_modes=numpy_helper.from_array(np.array(self.mode, np.uint8)),
            nodes_splits=numpy_helper.from_array(np.array(self.value, np.float64)),
            nodes_missing_value_tracks_true=self.takes_missing,
            nodes_truenodeids=[target for target, _ in yes],
            nodes_trueleafs=[int(is_leaf) for _, is_leaf in yes],
            nodes_falsenodeids=[target for target, _ in no],
            nodes_falseleafs=[int(is_leaf) for _, is_leaf in no],
            leaf_targetids=[0] * len(self.leaves),
            leaf_weights=numpy_helper.from_array(np.array(self.leaves, np.float64)),
            **({"membership_values": numpy_helper.from_array(np.array(self.members))} if self.members else {}),
        )
        return graph.add("Cast", found, to=TensorProto.INT64)


@dataclass(frozen=True)
class Way:
    """A node of the tree that is to be written at a place, and the columns of which it is certain there that they are
    not missing, and not new."""

    node: int
    place: Place
    not_missing: frozenset[int] = frozenset()
    not_new: frozenset[int] = frozenset()


def leaf_tests(splits: dict[int, Split], columns: list[Column], leaf_numbers: dict[int, int]) -> Tests:
    """The tests that find the number of a row's leaf, or the next number behind them all where it is stuck."""
    tests = Tests()
    if not splits:
        number = tests.add(ROOT, 0, Mode.AT_MOST)
        tests.end(Place(number, True), 0)
        tests.end(Place(number, False), 0)
    ways = [Way(0, ROOT)] if splits else []
    while ways:
        way = ways.pop()
        if way.node in splits:
            split = splits[way.node]
            ways += _write(tests, split, columns.index(split.column), way, len(leaf_numbers))
        else:
            tests.end(way.place, leaf_numbers[way.node])
    return tests


def _write(tests: Tests, split: Split, column: int, way: Way, stuck: int) -> list[Way]:
    """The tests of one node, and the ways to its children."""
    if split.asks_for_missing:
        number = tests.add(way.place, column, Mode.AT_MOST, LARGEST)
        there = replace(way, node=split.children[1], place=Place(number, True), not_missing=way.not_missing | {column})
        return [there, replace(way, node=split.children[0], place=Place(number, False))]
    way = _checked(tests, split, column, way, stuck)
    if split.is_multiway:
        return _write_multiway(tests, split, column, way)
    number = tests.add(way.place, column, *_comparison(split), takes_missing=split.missing == 0)
    if tests.mode[number] == Mode.MEMBER:
        tests.members += [*(float(code) for code in split.codes(0)), np.nan]
    return [
        replace(
            way,
            node=child,
            place=Place(number, branch == 0),
            not_missing=way.not_missing | {column} if branch != split.missing else way.not_missing,
        )
        for branch, child in enumerate(split.children)
    ]


def _comparison(split: Split) -> tuple[Mode, float]:
    if isinstance(split.condition, Threshold):
        return Mode.BELOW, split.threshold
    codes = split.codes(0)
    return (Mode.EQUAL, codes[0]) if len(codes) == 1 else (Mode.MEMBER, 0.0)


def _checked(tests: Tests, split: Split, column: int, way: Way, stuck: int) -> Way:
    """Behind tests after which the value fits a branch; a row whose value does not is stuck."""
    may_be_new = split.asks_for_categories and column not in way.not_new
    may_be_missing = split.missing == UNSEEN and column not in way.not_missing
    if may_be_missing:
        mode, value = (Mode.AT_LEAST, 0.0) if split.asks_for_categories else (Mode.AT_MOST, LARGEST)
    elif may_be_new:
        mode, value = Mode.EQUAL, NEW
    else:
        return way
    number = tests.add(way.place, column, mode, value)
    tests.end(Place(number, not may_be_missing), stuck)
    return replace(
        way,
        place=Place(number, may_be_missing),
        not_missing=way.not_missing | ({column} if may_be_missing else set()),
        not_new=way.not_new | {column},
    )


def _write_multiway(tests: Tests, split: Split, column: int, way: Way) -> list[Way]:
    """A test for each category but the last, and one for missing values where they have a branch."""
    ways = []
    if split.missing != UNSEEN:
        number = tests.add(way.place, column, Mode.AT_LEAST, 0.0)
        ways.append(replace(way, node=split.children[split.missing], place=Place(number, False)))
        way = replace(way, place=Place(number, True), not_missing=way.not_missing | {column})
    n_categories = len(split.column.categories)
    for code in range(n_categories - 1):
        number = tests.add(way.place, column, Mode.EQUAL, code)
        ways.append(replace(way, node=split.children[code], place=Place(number, True)))
        way = replace(way, place=Place(number, False))
    return [*ways, replace(way, node=split.children[n_categories - 1])]
