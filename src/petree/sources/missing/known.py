"""A table whose tests are valued by the rows that have a value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from petree.sources.base import Candidates, Finished, Limits, Nodes, Splits
from petree.sources.found import Best
from petree.sources.table import TableSource
from petree.tree import Tree


class KnownSource(TableSource):
    """A table whose tests are worth what they gain among the rows whose value they ask for is known.

    No test asks whether a value is missing. Where the other rows go, a subclass says: as it settles tests that were
    found, or as it divides nodes. Trees grow wave by wave, since the loops that grow them in one go do not ask.

    Parameters
    ----------
    source : TableSource
        As it has just been made.
    has_missing : array (columns,)
        Which of the user's columns have missing values.
    """

    def __init__(self, source: TableSource, has_missing: NDArray[np.bool_]) -> None:
        super().__init__(source.rows, source.searcher.on_known(), source.vocabulary.of_known(), source.threads)
        self.has_missing = has_missing

    def best_splits(self, nodes: Nodes) -> Splits:
        splits = super().best_splits(nodes)
        return replace(splits, tests=self.settled(nodes.take(splits.node), splits.tests))

    def best_by_column(self, nodes: Nodes) -> list[Best]:
        return [self._settled_where_found(nodes, best) for best in super().best_by_column(nodes)]

    def _settled_where_found(self, nodes: Nodes, best: Best) -> Best:
        found = np.flatnonzero(best.test["column"] >= 0)
        tests = best.test.copy()
        tests[found] = self.settled(nodes.take(found), tests[found])
        return replace(best, test=tests)

    def candidates(self, nodes: Nodes) -> Iterator[Candidates]:
        raise ValueError(
            "A pruning criterion that chooses among all tests of a node needs to know where missing values go; set "
            "missing='branch', or when=\"post\" of the criterion."
        )

    def finish(self, nodes: Nodes, limits: Limits) -> Finished | None:
        return None

    def seated(self, tree: Tree, leaves: NDArray[np.intp]) -> tuple[TableSource, NDArray[np.int64]]:
        raise ValueError("A given tree says itself where missing values go; set missing='branch'.")

    def permuted(self, handle: NDArray[np.int64], key: np.uint64) -> Self:
        return type(self)(super().permuted(handle, key), self.has_missing)

    def settled(self, nodes: Nodes, tests: NDArray[Any]) -> NDArray[Any]:
        """Tests of some nodes, one each, with the branch that missing values take."""
        return tests
