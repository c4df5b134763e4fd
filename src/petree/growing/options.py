"""Option trees from a table: nodes that keep several tests, grown by one kernel (Buntine 1992, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from petree import kernels
from petree.conditions import MULTIWAY, THRESHOLD, UNSEEN, Conditions
from petree.keys import mix
from petree.sources.coding import CodedTable
from petree.tree import Tree, ranges

# Whole counts below this look up the logarithm of the gamma function.
TABLE_SIZE = 65_536


@dataclass(frozen=True)
class OptionRules:
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
        Plies of the quality.
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


@dataclass(frozen=True)
class TestWeights:
    """What the quality of tests depends on beside the counts.

    Parameters
    ----------
    alphas : array (classes,)
        Dirichlet parameters of a leaf; a class of 0 does not count.
    ln_leaf : float
        Logarithm of the prior weight of a leaf.
    ln_tests : array (columns,)
        Logarithm of the prior weight of a node that tests each column.
    """

    alphas: NDArray[np.float64]
    ln_leaf: float
    ln_tests: NDArray[np.float64]

    def tables(self, n_cases: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The parameters with their sum behind them, and the logarithm of the gamma function of counts plus each."""
        alphas = np.append(self.alphas, self.alphas.sum())
        counts = np.arange(min(n_cases + 1, TABLE_SIZE), dtype=np.float64)
        with np.errstate(divide="ignore"):
            table = gammaln(alphas[:, None] + counts)
        table[alphas == 0] = 0.0
        return alphas, table


def grow_options(
    coded: CodedTable,
    arrays: Sequence[NDArray[Any]],
    classes: NDArray[np.intp],
    weights: NDArray[np.float64] | None,
    labels: Sequence[Any],
    tests: str,
    prior: TestWeights,
    rules: OptionRules,
) -> tuple[Tree, int]:
    """The option tree, and how many nodes stayed leaves because there were `max_nodes`.

    What the choice of a cut costs is the split annotation "cut_penalty".
    """
    columns = [coded.columns[place] for place in coded.column_order]
    codes = _codes(coded)
    centres = [_centres(codes[:, place], arrays[j], columns[place]) for place, j in enumerate(coded.column_order)]
    line_start = np.cumsum([0, *(len(one) for one in centres[:-1])])
    total = np.ones(len(classes)) if weights is None else weights
    alphas, table = prior.tables(int(total.sum()) + 1)
    nodes, levels, splits, children, n_left = kernels.options.grow_options(
        codes, _row_keys(len(classes)), classes.astype(np.int64), total,
        np.array([one.n_bins for one in columns], np.int64), np.array([one.kind(tests) for one in columns], np.int64),
        np.concatenate(centres), line_start, prior.ln_tests[coded.column_order], alphas, table, prior.ln_leaf,
        rules.min_samples_leaf, rules.max_depth, rules.max_options, float(np.log(rules.factor)), rules.lookahead,
        rules.max_nodes,
    )  # fmt: skip
    tree = _assemble(coded, nodes, levels, splits, children, labels, tests)
    return tree, int(n_left)


def _codes(coded: CodedTable) -> NDArray[Any]:
    """All codes as one matrix, in the order of the places."""
    if not coded.wide.shape[1]:
        return coded.narrow
    return np.hstack([coded.narrow.astype(np.uint32), coded.wide])


def _row_keys(n_rows: int) -> NDArray[np.uint64]:
    """A random number for each row, by whose sum a set of rows is known."""
    return mix(np.zeros(n_rows, np.uint64), np.arange(1, n_rows + 1, dtype=np.uint64))


def _centres(codes: NDArray[Any], values: NDArray[Any], column: Any) -> NDArray[np.float64]:
    """Where the values of each bin of a number lie: half way between the least and the greatest of them.

    There is a line more for missing values, and as many for a column that is no number: where its counts stand.
    """
    if column.kind("binary") != THRESHOLD or column.is_empty:
        return np.zeros(column.n_bins + 1)
    lowest, highest = np.zeros(column.n_bins + 1), np.zeros(column.n_bins + 1)
    lowest[:-1], highest[:-1] = np.inf, -np.inf
    is_there = codes < column.n_bins
    numbers = np.asarray(values, np.float64)[is_there]
    np.minimum.at(lowest, codes[is_there], numbers)
    np.maximum.at(highest, codes[is_there], numbers)
    return (lowest + highest) / 2


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
    place, kind, cut, missing = splits[:, 1:5].astype(np.int64).T
    stops = np.cumsum(_count_children(coded, place, kind, missing))
    starts = np.concatenate(([0], stops))[: len(splits)]
    return Tree(
        counts=nodes[order, :-1],
        sizes=nodes[order, -1].astype(np.int64),
        n_tests=np.full(len(order), sum(one.n_tests(tests) for one in coded.columns), np.int64),
        split_start=np.searchsorted(owners[by_owner], np.arange(len(order) + 1)).astype(np.int32),
        child_start=np.concatenate(([0], np.cumsum((stops - starts)[by_owner]))).astype(np.int32),
        children=number[children[ranges(starts[by_owner], stops[by_owner])]].astype(np.int32),
        conditions=_conditions(coded, place[by_owner], kind[by_owner], cut[by_owner], missing[by_owner]),
        classes=tuple(labels),
        split_annotations={"cut_penalty": splits[by_owner, 5]},
    )


def _count_children(
    coded: CodedTable, place: NDArray[np.int64], kind: NDArray[np.int64], missing: NDArray[np.int64]
) -> NDArray[np.int64]:
    n_bins = np.array([coded.columns[j].n_bins for j in coded.column_order], np.int64)[place]
    return np.where(kind == MULTIWAY, n_bins + (missing != UNSEEN), 2)


def _conditions(
    coded: CodedTable,
    place: NDArray[np.int64],
    kind: NDArray[np.int64],
    cut: NDArray[np.int64],
    missing: NDArray[np.int64],
) -> Conditions:
    """The tests in the user's words."""
    column, value = coded.column_order[place], cut.astype(np.float64)
    thresholds = [one.thresholds for one in coded.columns]
    start = np.concatenate(([0], np.cumsum([len(one) for one in thresholds])))
    is_cut = kind == THRESHOLD
    value[is_cut] = np.concatenate(thresholds)[start[column[is_cut]] + cut[is_cut]]
    return Conditions.from_arrays([one.column for one in coded.columns], kind, column, value, missing)
