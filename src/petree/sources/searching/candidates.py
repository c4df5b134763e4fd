"""All tests that divide nodes, for criteria to which the best one is not enough."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree.conditions import IS_MISSING
from petree.sources.base import Candidates, Nodes, Splits
from petree.sources.rows import Rows
from petree.sources.searching.blocks import CELLS_AT_ONCE, CountedColumn, n_candidates
from petree.sources.searching.scoring import Scoring
from petree.tree import ranges


def list_candidates(rows: Rows, scoring: Scoring, nodes: Nodes, stop: NDArray[np.uint8]) -> Iterator[Candidates]:
    """The tests of some nodes at a time, in the order of generation."""
    cells = int(n_candidates(rows).sum()) * 4 * rows.n_classes
    for which in np.array_split(np.arange(len(nodes)), 1 + len(nodes) * cells // CELLS_AT_ONCE):
        blocks = [
            block
            for column in range(len(rows.columns))
            for block in _list_column(rows, scoring, nodes.take(which), column, stop)
        ]
        if blocks:
            yield _join(blocks, which)


class _Listed(NamedTuple):
    """Tests of one column: node, test, rank, score and the counts of their children, all of the same number.

    The rank says in which order the tests of a column are generated.
    """

    node: NDArray[np.intp]
    tests: NDArray[Any]
    rank: NDArray[np.intp]
    score: NDArray[np.float64]
    children: NDArray[np.float64]


def _list_column(rows: Rows, scoring: Scoring, nodes: Nodes, column: int, stop: NDArray[np.uint8]) -> Iterator[_Listed]:
    counted = CountedColumn.of(rows, nodes, rows.columns.places[column], scoring.class_weight, stop)
    for block in counted.blocks():
        is_listed = counted.are_possible(block, scoring.min_samples_leaf)
        # The other branch is the rest.
        is_listed[:, 1:] &= _differ(block.children[:, :, 0]) | _differ(block.child_rows[:, :, 0])
        node, cut = np.nonzero(is_listed)
        rank = np.full(len(node), -1) if block.kind == IS_MISSING else 2 * cut + (block.side == 0)
        listed = block.children[node, cut]
        tests = counted.as_tests(column, node, block.kind, cut, block.side)
        yield _Listed(node, tests, rank, scoring.ask(listed), listed)


def _differ(branch: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether tests put something else into their first branch than the ones before them."""
    return (branch[:, 1:] != branch[:, :-1]).any(axis=2)


def _join(blocks: list[_Listed], which: NDArray[np.intp]) -> Candidates:
    """The tests of some nodes as one list: by node, then as they are generated."""
    node = np.concatenate([one.node for one in blocks])
    tests = np.concatenate([one.tests for one in blocks])
    n_children = np.concatenate([np.full(len(one.node), one.children.shape[1]) for one in blocks]).astype(np.intp)
    children = np.concatenate([one.children.reshape(-1, one.children.shape[2]) for one in blocks])
    order = np.lexsort((np.concatenate([one.rank for one in blocks]), tests["column"], node))
    stops = np.cumsum(n_children)
    splits = Splits(which[node], np.concatenate([one.score for one in blocks]), tests).take(order)
    return Candidates(splits, children[ranges((stops - n_children)[order], stops[order])], n_children[order])
