"""What Buntine's quality of the tests of a table depends on, as the compiled loops need it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from petree import core
from petree.bayes import Prior
from petree.binning import midpoints
from petree.columns import NUMBER
from petree.conditions import THRESHOLD
from petree.sources.base import Nodes
from petree.sources.coding import BinnedColumn, CodedTable, middles_of_bins
from petree.splitting.base import Scores, code_of
from petree.splitting.codes import BayesCode, GrowthSetting

# Whole counts below this look up the logarithm of the gamma function.
TABLE_SIZE = 65_536


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
    lowest = np.full(column.n_bins + 1, np.inf)
    highest = np.full(column.n_bins + 1, -np.inf)
    is_there = codes < column.n_bins
    numbers = np.asarray(values, np.float64)[is_there]
    np.minimum.at(lowest, codes[is_there], numbers)
    np.maximum.at(highest, codes[is_there], numbers)
    # a bin without values lies between its cuts, a category that does not occur where its code is
    is_number = column.column.kind == NUMBER
    empty = middles_of_bins(column.thresholds) if is_number else np.arange(column.n_bins)
    is_filled = lowest <= highest
    empty = np.append(empty, 0.0)
    return midpoints(np.where(is_filled, lowest, empty), np.where(is_filled, highest, empty))


def centres_of_bins(column: BinnedColumn) -> NDArray[np.float64]:
    """The same where no values are known: half way between the cuts, outer bins being as wide as those beside them."""
    if column.kind("binary") != THRESHOLD or not len(column.thresholds):
        return np.zeros(column.n_bins + 1)
    return np.append(middles_of_bins(column.thresholds), 0.0)


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
    prior: Prior

    @classmethod
    def of(
        cls, coded: CodedTable, arrays: Sequence[NDArray[Any]], counts: NDArray[np.float64], prior: Prior, tests: str
    ) -> Quality:
        """Of a table whose root has these class counts; without values bins lie between their cuts."""
        columns = [coded.columns[j] for j in coded.column_order]
        codes = [*coded.narrow.T, *coded.wide.T]
        if len(arrays):
            centres = [
                centres_of(codes[place], arrays[j], columns[place]) for place, j in enumerate(coded.column_order)
            ]
        else:
            centres = [centres_of_bins(column) for column in columns]
        n_tests = sum(one.n_prior_tests(tests) for one in columns)
        return cls(
            *log_gamma_table(prior.pseudo_counts(counts), int(np.ceil(counts.sum()))),
            prior.checked_power(),
            prior.leaf_weight(),
            prior.test_weights(np.array([n_tests])) + prior.column_weights([one.column.name for one in columns]),
            np.array([one.n_bins for one in columns], np.int64),
            np.array([one.kind(tests) for one in columns], np.int64),
            centres,
            n_tests,
            prior,
        )

    def evidence(
        self, places: slice | NDArray[np.intp], class_weight: NDArray[np.float64], min_rows: int
    ) -> core.options.Evidence:
        """What the compiled loops need, of the columns at some places in this order."""
        which = np.arange(len(self.centres))[places]
        centres = [self.centres[place] for place in which]
        return core.options.Evidence(
            self.alphas,
            self.table,
            float(self.power),
            float(self.ln_leaf),
            self.ln_tests[which],
            np.concatenate([np.empty(0), *centres]),
            np.ascontiguousarray(class_weight, np.float64),
            int(min_rows),
        )


@dataclass(frozen=True, eq=False)
class EvidenceOfTests:
    """How probable the classes below a test are (Buntine's Quality_1 without the prior of the test), for any score.

    Parameters
    ----------
    prior : Prior
    alphas : array (classes,)
        The Dirichlet parameters of all leaves.
    class_weight : array (classes,) or empty
    """

    prior: Prior
    alphas: NDArray[np.float64]
    class_weight: NDArray[np.float64]

    @classmethod
    def of(cls, split: Scores, root: NDArray[np.float64], class_weight: NDArray[np.float64]) -> EvidenceOfTests:
        """Where the root has these class counts: by the prior of a split score that has one."""
        code = code_of(split, GrowthSetting("binary", float(root.sum())))
        prior = code.prior if isinstance(code, BayesCode) else Prior()
        weighted = root * class_weight if len(class_weight) else root
        return cls(prior, prior.pseudo_counts(weighted), class_weight)

    def of_children(self, children: Nodes, n_children: NDArray[np.intp]) -> NDArray[np.float64]:
        """The logarithm for each test, given the children of all of them, one test's after the other's."""
        counts = children.counts * self.class_weight if len(self.class_weight) else children.counts
        owner = np.repeat(np.arange(len(n_children)), n_children)
        return np.bincount(owner, self.prior.evidence(counts, self.alphas), len(n_children)).astype(np.float64)
