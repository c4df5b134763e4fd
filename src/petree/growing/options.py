"""Option trees from a table: nodes that keep several tests, grown by one kernel (Buntine 1992, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree import kernels
from petree.bayes import Prior
from petree.conditions import MULTIWAY, THRESHOLD, UNSEEN, Conditions
from petree.keys import mix
from petree.sources.coding import CodedTable
from petree.sources.quality import Quality
from petree.sources.table import Weights
from petree.tree import Tree, ranges


class OptionRules(NamedTuple):
    """When a node is split, and by how many tests.

    Parameters
    ----------
    max_depth : int
        Most tests on a path.
    max_options : int
        Most tests of a node.
    factor : float
        A test is kept if its quality is at least this factor of the best one's.
    lookahead : int
        Plies of the quality, as far as the depth allows.
    min_samples_leaf : int
    max_nodes : int
        Once there are so many distinct nodes, no more are split.
    """

    max_depth: int
    max_options: int
    factor: float
    lookahead: int
    min_samples_leaf: int
    max_nodes: int


def grow_options(
    coded: CodedTable,
    arrays: Sequence[NDArray[Any]],
    classes: NDArray[np.intp],
    weights: NDArray[np.float64] | None,
    labels: Sequence[Any],
    tests: str,
    prior: Prior,
    rules: OptionRules,
) -> tuple[Tree, int]:
    """The option tree, and how many nodes stayed leaves because there were `max_nodes`.

    What the choice of a cut costs is the split annotation "cut_penalty".
    """
    counts = np.bincount(classes, weights, len(labels)).astype(np.float64)
    quality = Quality.of(coded, arrays, counts, prior, tests)
    cases, worth = quality.for_kernels(
        coded.places, _codes(coded), classes, np.ones(len(classes)) if weights is None else weights,
        Weights.of(weights).copies, rules.min_samples_leaf,
    )  # fmt: skip
    nodes, levels, splits, children, n_left = kernels.options.grow_options(cases, worth, rules, _row_keys(len(classes)))
    tree = _assemble(coded, nodes, levels, splits, children, labels, tests)
    return tree.with_annotations(n_prior_tests=np.full(tree.n_nodes, quality.n_prior_tests)), int(n_left)


def _codes(coded: CodedTable) -> NDArray[Any]:
    """All codes as one matrix, in the user's order."""
    if not coded.wide.shape[1]:
        return coded.narrow
    return np.hstack([coded.narrow.astype(np.uint32), coded.wide])[:, coded.places]


def _row_keys(n_rows: int) -> NDArray[np.uint64]:
    """A random number for each row, by whose sum a set of rows is known."""
    return mix(np.zeros(n_rows, np.uint64), np.arange(1, n_rows + 1, dtype=np.uint64))


def _assemble(
    coded: CodedTable,
    nodes: NDArray[np.float64],
    levels: NDArray[np.int64],
    splits: NDArray[np.float64],
    children: NDArray[np.int64],
    labels: Sequence[Any],
    tests: str,
) -> Tree:
    """The kernel's nodes and splits as a tree, level by level."""
    order = np.argsort(levels, kind="stable")
    number = np.argsort(order)
    owners = number[splits[:, 0].astype(np.int64)]
    by_owner = np.argsort(owners, kind="stable")
    column, kind, cut, missing = splits[:, 1:5].astype(np.int64).T
    stops = np.cumsum(_count_children(coded, column, kind, missing))
    starts = np.concatenate(([0], stops))[: len(splits)]
    return Tree(
        counts=nodes[order, :-1],
        sizes=nodes[order, -1].astype(np.int64),
        n_tests=np.full(len(order), sum(one.n_tests(tests) for one in coded.columns), np.int64),
        split_start=np.searchsorted(owners[by_owner], np.arange(len(order) + 1)).astype(np.int32),
        child_start=np.concatenate(([0], np.cumsum((stops - starts)[by_owner]))).astype(np.int32),
        children=number[children[ranges(starts[by_owner], stops[by_owner])]].astype(np.int32),
        conditions=_conditions(coded, column[by_owner], kind[by_owner], cut[by_owner], missing[by_owner]),
        classes=tuple(labels),
        split_annotations={"cut_penalty": splits[by_owner, 5]},
    )


def _count_children(
    coded: CodedTable, column: NDArray[np.int64], kind: NDArray[np.int64], missing: NDArray[np.int64]
) -> NDArray[np.int64]:
    n_bins = np.array([one.n_bins for one in coded.columns], np.int64)[column]
    return np.where(kind == MULTIWAY, n_bins + (missing != UNSEEN), 2)


def _conditions(
    coded: CodedTable,
    column: NDArray[np.int64],
    kind: NDArray[np.int64],
    cut: NDArray[np.int64],
    missing: NDArray[np.int64],
) -> Conditions:
    """The tests in the user's words."""
    value, thresholds = cut.astype(np.float64), [one.thresholds for one in coded.columns]
    start = np.cumsum([0, *(len(one) for one in thresholds[:-1])])
    is_cut = kind == THRESHOLD
    value[is_cut] = np.concatenate(thresholds)[start[column[is_cut]] + cut[is_cut]]
    return Conditions.from_arrays([one.column for one in coded.columns], kind, column, value, missing)
