"""A table whose tests are valued by the rows that have a value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from petree.conditions import IN, MULTIWAY, THRESHOLD
from petree.sources.base import Candidates, Finished, Limits, Nodes, Splits
from petree.sources.found import Best
from petree.sources.rows import Rows
from petree.sources.table import TableSource
from petree.tree import Tree

Numbers = NDArray[np.intp]
# The branch of a row whose value is missing.
NOWHERE = -1


def branches_of(rows: Rows, which: Numbers, tests: NDArray[Any], node: Numbers) -> Numbers:
    """The branch of some rows, each by the test of its own node; `NOWHERE` where its value is missing."""
    place = rows.columns.places[tests["column"]]
    codes = rows.codes_at(which, place[node])
    cut = tests["cut"][node]
    kind = tests["kind"][node]
    branch = np.where(kind == THRESHOLD, codes > cut, codes != cut).astype(np.intp)
    are_each = kind == MULTIWAY
    branch[are_each] = codes[are_each]
    are_sets = np.flatnonzero(kind == IN)
    if len(are_sets):
        code = np.minimum(codes[are_sets], 255).astype(np.uint64)
        word = tests["inside"][node[are_sets], (code >> np.uint64(6)).astype(np.intp)]
        branch[are_sets] = 1 - ((word >> (code & np.uint64(63))) & np.uint64(1)).astype(np.intp)
    branch[codes == rows.columns.n_bins[place[node]]] = NOWHERE
    return branch


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
