"""Tests of a table by Buntine's quality: what the compiled loops need, and what they find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from petree import core
from petree.bayes import Prior
from petree.binning import midpoints
from petree.conditions import THRESHOLD
from petree.sources.base import Nodes
from petree.sources.coding import BinnedColumn, CodedTable
from petree.sources.found import TEST, Best, as_lines
from petree.tree import Tree

# Whole counts below this look up the logarithm of the gamma function.
TABLE_SIZE = 65_536
# Qualities that differ by no more than this are equal.
TOLERANCE = 1e-9


def log_gamma_table(alphas: NDArray[np.float64], n_cases: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Dirichlet parameters with their sum behind them, and the logarithm of the gamma function of counts plus each."""
    alphas = np.append(alphas, alphas.sum())
    counts = np.arange(min(n_cases + 1, TABLE_SIZE), dtype=np.float64)
    with np.errstate(divide="ignore"):
        table = gammaln(alphas[:, None] + counts)
    table[alphas == 0] = 0.0
    return alphas, table


def centres_of(codes: NDArray[Any], values: NDArray[Any], column: BinnedColumn) -> NDArray[np.float64]:
    """Where the values of each bin of a number lie: half way between the least and the greatest of them.

    There is a line more for missing values, and as many for a column that is no number: where its counts stand.
    """
    if column.kind("binary") != THRESHOLD or column.is_empty:
        return np.zeros(column.n_bins + 1)
    lowest, highest = np.full(column.n_bins + 1, np.inf), np.full(column.n_bins + 1, -np.inf)
    is_there = codes < column.n_bins
    numbers = np.asarray(values, np.float64)[is_there]
    np.minimum.at(lowest, codes[is_there], numbers)
    np.maximum.at(highest, codes[is_there], numbers)
    # a bin without values, such as a category that does not occur, lies where it begins
    begins = np.concatenate(([0.0], column.thresholds, [0.0]))
    is_filled = lowest <= highest
    return midpoints(np.where(is_filled, lowest, begins), np.where(is_filled, highest, begins))


@dataclass(frozen=True)
class Quality:
    """What the quality of tests depends on beside the cases; columns stand in the order of their places."""

    alphas: NDArray[np.float64]
    table: NDArray[np.float64]
    power: float
    ln_leaf: float
    ln_tests: NDArray[np.float64]
    n_bins: NDArray[np.int64]
    kinds: NDArray[np.int64]
    centres: Sequence[NDArray[np.float64]]
    n_prior_tests: int

    @classmethod
    def of(
        cls, coded: CodedTable, arrays: Sequence[NDArray[Any]], counts: NDArray[np.float64], prior: Prior, tests: str
    ) -> Quality:
        """Of a table whose root has these class counts."""
        columns = [coded.columns[j] for j in coded.column_order]
        codes = [*coded.narrow.T, *coded.wide.T]
        n_tests = sum(one.n_prior_tests(tests) for one in columns)
        return cls(
            *log_gamma_table(prior.pseudo_counts(counts), int(np.ceil(counts.sum()))),
            prior.checked_power(),
            prior.leaf_weight(),
            prior.test_weights(np.array([n_tests])) + prior.column_weights([one.column.name for one in columns]),
            np.array([one.n_bins for one in columns], np.int64),
            np.array([one.kind(tests) for one in columns], np.int64),
            [centres_of(codes[place], arrays[j], columns[place]) for place, j in enumerate(coded.column_order)],
            n_tests,
        )

    def evidence(
        self, places: slice | NDArray[np.intp], class_weight: NDArray[np.float64], min_rows: int
    ) -> core.options.Evidence:
        """What the compiled loops need, of the columns at some places in this order."""
        which = np.arange(len(self.centres))[places]
        centres = [self.centres[place] for place in which]
        return core.options.Evidence(
            self.alphas, self.table, float(self.power), float(self.ln_leaf), self.ln_tests[which],
            np.concatenate([np.empty(0), *centres]), np.ascontiguousarray(class_weight, np.float64), int(min_rows),
        )  # fmt: skip


def best_by_quality(source: Any, nodes: Nodes) -> Iterator[tuple[NDArray[np.intp], Best]]:
    """Best tests of nodes, by runs of nodes: first among the narrow columns, then among the wide ones."""
    n_rows = nodes.handles[:, 1] - nodes.handles[:, 0]
    blocks = [(0, source.n_narrow), (source.n_narrow, len(source.columns))]
    pieces = [
        (which, first, last)
        for first, last in blocks
        if last > first
        for which in source.chunks(np.arange(len(nodes)), n_rows, last - first)
    ]
    found = source.threads.run(lambda *piece: best_of_columns(source, nodes, *piece)[0], pieces)
    yield from zip([which for which, _, _ in pieces], found, strict=True)


def best_of_columns(
    source: Any, nodes: Nodes, which: NDArray[np.intp], first: int, last: int
) -> tuple[Best, NDArray[np.float64]]:
    """Best tests of some nodes among the columns at some places, all narrow or all wide, and what their cuts cost."""
    values, tests = np.empty((len(which), 2)), np.empty(len(which), TEST)
    core.search.best_by_evidence(
        source.evidence, source.rows, core.search.Nodes(nodes.handles[which], nodes.counts[which], nodes.sizes[which]),
        first, last, values, as_lines(tests), source.threads.stop,
    )  # fmt: skip
    return Best(values[:, 0], np.full(len(which), TOLERANCE), tests), values[:, 1]


def annotate(source: Any, tree: Tree, handles: NDArray[np.int64]) -> Tree:
    """The tree with what the cuts of its nodes cost, and the number of tests where a number counts as one."""
    cost, inner = np.zeros(tree.n_nodes), np.flatnonzero(~tree.is_leaf)
    grown = Nodes(handles, tree.counts, tree.sizes)
    column = source.places[tree.conditions.column]
    for first, last in ((0, source.n_narrow), (source.n_narrow, len(source.columns))):
        nodes = inner[(column >= first) & (column < last)]
        if len(nodes):
            cost[nodes] = best_of_columns(source, grown, nodes, first, last)[1]
    n_tests = np.full(tree.n_nodes, source.quality.n_prior_tests)
    return tree.with_annotations(cut_penalty=cost, n_prior_tests=n_tests)
