"""A first test that a person asks for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.conditions import UNSEEN, Condition, Equals, In, IsMissing, Threshold
from petree.sources.base import Splits
from petree.sources.found import TEST, as_bits
from petree.sources.searching.by_value import ByRatio
from petree.sources.table import TableSource
from petree.tree import Tree


@dataclass(frozen=True)
class FirstTest:
    """The test of the root: the best one of a column, or a certain one.

    Parameters
    ----------
    text : str
        As it was asked for.
    column : int
        Place of the column.
    condition : Condition or None
        None for the best test of the column.
    """

    text: str
    column: int
    condition: Condition | None = None

    @property
    def threshold(self) -> float | None:
        """Where a column of numbers must be cut for the test, if anywhere."""
        return self.condition.threshold if isinstance(self.condition, Threshold) else None

    def is_of(self, tree: Tree) -> bool:
        """Whether the root of a tree asks this, wherever missing values go."""
        if tree.is_leaf[0] or tree.conditions.column[0] != self.column:
            return False
        return self.condition is None or replace(tree.conditions[0], missing=UNSEEN) == self.condition

    def split(self, source: TableSource) -> Splits | None:
        """The split of the root, with missing values on the better branch; None where it does not divide the rows."""
        if self.condition is None:
            return self._best(source)
        found = [self._scored(source, test) for test in self._ways(source, self.condition)]
        divided = [split for split in found if split is not None]
        return max(divided, key=lambda split: float(split.gain[0]), default=None)  # the first of equals

    def _best(self, source: TableSource) -> Splits | None:
        """The best test of the column."""
        root = source.root()
        best = source.best_by_column(root)[self.column]
        if best.test["column"][0] < 0:
            return None
        if isinstance(source.searcher, ByRatio):  # the values of which are not the scores
            return self._scored(source, best.test)
        return Splits(np.zeros(1, np.intp), source.score_of(best.value, root.counts), best.test)

    def _ways(self, source: TableSource, condition: Condition) -> list[NDArray[Any]]:
        """The test as the source knows it, for each branch that missing values may take."""
        column = source.vocabulary.columns[self.column]
        test = np.zeros(1, TEST)
        test["column"] = self.column
        test["missing"] = UNSEEN
        test["kind"] = condition.kind
        match condition:
            case Threshold(threshold=threshold) if threshold not in column.thresholds:
                return []  # below the first category of an ordered column is nothing
            case Threshold(threshold=threshold):
                test["cut"] = np.searchsorted(column.thresholds, threshold)
            case Equals(code=code):
                test["cut"] = code
            case In(codes=codes):
                test["inside"] = as_bits(np.isin(np.arange(256), codes)[None])
            case IsMissing():
                return [_with_missing(test, 0)] if column.has_missing else []
        ways = [_with_missing(test, branch) for branch in (1, 0)] if column.has_missing else [test]
        return [source.settled(source.root(), way) for way in ways]

    def _scored(self, source: TableSource, test: NDArray[Any]) -> Splits | None:
        """The split of a test; dividing only sorts the rows of the root."""
        root = source.root()
        split = Splits(np.zeros(1, np.intp), np.zeros(1), test)
        children, _ = source.divide(root, split)
        if np.count_nonzero(children.sizes >= source.min_samples_leaf) < 2:
            return None
        scoring = source.searcher.scoring
        factors = scoring.class_weight if len(scoring.class_weight) else 1.0
        return replace(split, gain=scoring.ask((children.counts * factors)[None]))


def _with_missing(test: NDArray[Any], branch: int) -> NDArray[Any]:
    copy = test.copy()
    copy["missing"] = branch
    return copy
