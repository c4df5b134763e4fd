"""One table in memory: columns binned to small codes, searched and divided in place by compiled loops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.conditions import IN, Conditions
from petree.pruning.engine.counts import over_leaves
from petree.pruning.engine.permutation_tests import PermutationTests, PruningWalk
from petree.sources.base import Candidates, Finished, Limits, Nodes, SourceByColumn, Splits
from petree.sources.coding import CodedTable, Vocabulary
from petree.sources.found import TEST, Best, codes_of
from petree.sources.permutation import draw_classes, exceedances, pruning_walk
from petree.sources.quality import Quality
from petree.sources.rows import Rows, n_rows_of
from petree.sources.searching import Searcher, searcher_of
from petree.sources.weights import Targets
from petree.splitting.base import Scores
from petree.threads import Threads
from petree.tree import Tree, ranges


class TableSource(SourceByColumn):
    """A table that grows a tree: rows, a way to search them, and the words for what is found.

    Handles are slices of the rows.

    Parameters
    ----------
    rows : Rows
        They are moved while nodes are divided.
    searcher : Searcher
    vocabulary : Vocabulary
    threads : Threads
    """

    def __init__(self, rows: Rows, searcher: Searcher, vocabulary: Vocabulary, threads: Threads) -> None:
        self.rows = rows
        self.searcher = searcher
        self.vocabulary = vocabulary
        self.threads = threads
        self._n_tests = vocabulary.n_tests(rows.n_classes)

    # -- growing ------------------------------------------------------------------------------------------

    def root(self) -> Nodes:
        return self.rows.root()

    def n_tests(self, nodes: Nodes) -> NDArray[np.int64]:
        return np.full(len(nodes), self._n_tests, np.int64)

    def best_splits(self, nodes: Nodes) -> Splits:
        return self.searcher.best_splits(self.rows, nodes, self.threads)

    def candidates(self, nodes: Nodes) -> Iterator[Candidates]:
        return self.searcher.candidates(self.rows, nodes, self.threads)

    def divide(self, nodes: Nodes, splits: Splits) -> tuple[Nodes, NDArray[np.intp]]:
        return self.rows.divide(nodes, splits, self.threads)

    def finish(self, nodes: Nodes, limits: Limits) -> Finished | None:
        return self.searcher.finish(self.rows, nodes, limits, self.threads)

    def conditions(self, waves: Sequence[NDArray[Any]]) -> Conditions:
        # To join records takes numpy longer than all that follows.
        tests = waves[0] if len(waves) == 1 else np.concatenate([np.empty(0, TEST), *waves])
        are_sets = tests["kind"] == IN
        sets = codes_of(tests["inside"][are_sets]) if are_sets.any() else ()
        return self.vocabulary.conditions(tests["column"], tests["kind"], tests["cut"], tests["missing"], sets)

    def annotate(self, tree: Tree, handles: NDArray[np.int64]) -> Tree:
        return self.searcher.annotate(self.rows, tree, Nodes(handles, tree.counts, tree.sizes), self.threads)

    def seated(self, tree: Tree, leaves: NDArray[np.intp]) -> tuple[TableSource, NDArray[np.int64]]:
        """The same rows at the nodes of a tree that was not grown from them, given their leaves; and the handles."""
        order, handles = slices_of(tree, leaves)
        return TableSource(self.rows.sorted_by(order), self.searcher, self.vocabulary, self.threads), handles

    def settled(self, nodes: Nodes, tests: NDArray[Any]) -> NDArray[Any]:
        """Tests of some nodes, one each, with what is decided of missing values after they are found; here nothing."""
        return tests

    # -- looking ahead ------------------------------------------------------------------------------------

    @property
    def min_samples_leaf(self) -> int:
        return self.searcher.scoring.min_samples_leaf

    def best_by_column(self, nodes: Nodes) -> list[Best]:
        return self.searcher.best_by_column(self.rows, nodes, self.threads)

    def score_of(self, value: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.searcher.scoring.score_of(value, counts)

    # -- looking at nodes again ---------------------------------------------------------------------------

    def rows_of(self, handles: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        places = ranges(handles[:, 0], handles[:, 1])
        return self.rows.order[places].astype(np.intp), n_rows_of(handles)

    def permuted(self, handle: NDArray[np.int64], key: np.uint64) -> TableSource:
        cases = self.rows.cases_of(handle)
        rows = self.rows.of_cases(cases, draw_classes(self.rows, cases, key))
        return TableSource(rows, self.searcher, self.vocabulary, self.threads)

    def exceedances(
        self, trials: PermutationTests, moves_attributes: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return exceedances(self.rows, self.searcher, trials, self.threads)

    # -- what it is like ----------------------------------------------------------------------------------

    @property
    def is_plain_gain(self) -> bool:
        return self.searcher.gain_search(self.rows.columns) is not None

    @property
    def pruning_walk(self) -> PruningWalk | None:
        return pruning_walk(self.rows, self.searcher, self.threads)


def table_source(
    coded: CodedTable,
    arrays: Sequence[NDArray[Any]],
    targets: Targets,
    split: Scores,
    tests: str,
    min_samples_leaf: int,
    threads: Threads,
) -> TableSource:
    """A coded table as a source.

    Parameters
    ----------
    coded : CodedTable
        Its rows are moved while nodes are divided.
    arrays : sequence of array (rows,)
        Numbers with NaN for missing, or codes of categories with -1 for missing; scores that look at values need them.
    targets : Targets
    split : Scores
    tests : {"binary", "sets", "multiway"}
        What a nominal column offers: ``x = v`` for each category, sets of categories, or one branch per category.
    min_samples_leaf : int
    threads : Threads
    """
    searcher = searcher_of(
        split,
        tests,
        min_samples_leaf,
        targets,
        lambda prior: Quality.of(coded, arrays, targets.counts(), prior, tests),
    )
    return TableSource(Rows.of(coded, targets, tests), searcher, Vocabulary(coded.columns, tests), threads)


def slices_of(tree: Tree, leaves: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Rows in an order in which those of every node stand together, and where they begin and end.

    Parameters
    ----------
    tree : Tree
        Without options.
    leaves : array (rows,)
        The leaf of each row.

    Returns
    -------
    order : array (rows,)
        The rows; those of one leaf in the order they had.
    slices : array (nodes, 2)
    """
    n_rows = over_leaves(tree, np.bincount(leaves, minlength=tree.n_nodes).astype(np.int64))
    starts = _before_siblings(tree, n_rows)
    for level in tree.by_level()[1:]:
        starts[level] += starts[tree.parents[level]]
    return np.argsort(starts[leaves], kind="stable"), np.column_stack((starts, starts + n_rows))


def _before_siblings(tree: Tree, n_rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rows of the siblings that stand before each node; 0 for the root."""
    of_children = n_rows[tree.children]
    before = np.cumsum(of_children) - of_children
    first = np.repeat(before[tree.child_start[:-1]], np.diff(tree.child_start))
    offset = np.zeros(tree.n_nodes, np.int64)
    offset[tree.children] = before - first
    return offset
