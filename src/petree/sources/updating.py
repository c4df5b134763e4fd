"""A tree grown anew where an older one stands already (Buntine 1992, section 3; after Crawford 1989).

A node keeps the test that it had, unless another one is so many times more probable; a test that is so many times more
probable than those of all other columns is fixed, and no other is sought from then on.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree.caching import cached_property
from petree.conditions import IN, THRESHOLD, UNSEEN
from petree.sources.base import Finished, Limits, Nodes, Splits
from petree.sources.coding import BinnedColumn
from petree.sources.found import TEST, Best, as_bits
from petree.sources.quality import EvidenceOfTests
from petree.sources.rows import Rows, n_rows_of, rows_by_node
from petree.sources.searching.leading import Tried
from petree.sources.table import TableSource
from petree.tree import Tree, ranges

FIXED = "fixed"


class UpdateRules(NamedTuple):
    """Logarithms of how many times more probable a test must be to replace another one, and to be fixed."""

    replace: float
    fix: float


@dataclass(frozen=True, eq=False)
class OldTree:
    """The tree before new rows came.

    Parameters
    ----------
    tree : Tree
        Before pruning, without options; its annotation "fixed" says which tests stay, if any.
    columns : tuple of BinnedColumn
    rules : UpdateRules
    """

    tree: Tree
    columns: tuple[BinnedColumn, ...]
    rules: UpdateRules

    @cached_property
    def tests(self) -> NDArray[Any]:
        """The test of each node as a source knows it, of column -1 at leaves."""
        conditions = self.tree.conditions
        found = np.zeros(len(conditions), TEST)
        found["column"] = conditions.column
        found["kind"] = conditions.kind
        found["missing"] = conditions.missing
        found["cut"] = np.where(conditions.kind == IN, 0, conditions.value).astype(np.int64)
        for column in np.unique(conditions.column[conditions.kind == THRESHOLD]).tolist():
            which = (conditions.kind == THRESHOLD) & (conditions.column == column)
            found["cut"][which] = np.searchsorted(self.columns[column].thresholds, conditions.value[which])
        is_set = conditions.kind == IN
        sets = [conditions.extras[place] for place in conditions.value[is_set].astype(np.intp).tolist()]
        inside = np.zeros((len(sets), 256), bool)
        members = np.fromiter(chain.from_iterable(sets), np.intp)
        inside[np.repeat(np.arange(len(sets)), [len(one) for one in sets]), members] = True
        found["inside"][is_set] = as_bits(inside)
        tests = Best.none(self.tree.n_nodes).test
        tests[self.tree.split_nodes] = found
        return tests

    @cached_property
    def first_children(self) -> NDArray[np.intp]:
        """The first child of each node; those of one node have neighbouring numbers."""
        first = np.full(self.tree.n_nodes, -1)
        first[self.tree.split_nodes] = self.tree.children[self.tree.child_start[:-1]]
        return first

    @cached_property
    def is_fixed(self) -> NDArray[np.bool_]:
        """Whether the test of each node stays."""
        fixed = self.tree.annotations.get(FIXED)
        return np.zeros(self.tree.n_nodes, bool) if fixed is None else fixed > 0


class UpdatingSource(TableSource):
    """A table that grows a tree where an older one stands.

    Of a node that grows next it is known by the first of its rows which of the old nodes it is.
    """

    def __init__(self, source: TableSource, old: OldTree) -> None:
        super().__init__(source.rows, source.searcher, source.vocabulary, source.threads)
        scoring = source.searcher.scoring
        self._old = old
        self._evidence = EvidenceOfTests.of(scoring.split, self.rows.root().counts[0], scoring.class_weight)
        self._old_at = np.full(len(self.rows) + 1, -1)
        self._old_at[0] = 0
        self._fixed = [np.empty((0, 2), np.int64)]

    # -- growing ------------------------------------------------------------------------------------------

    def best_splits(self, nodes: Nodes) -> Splits:
        numbers = self._old_at[nodes.handles[:, 0]]
        tests = np.where(numbers >= 0, self._old.tests[numbers], Best.none(1).test[0])
        is_fixed = (numbers >= 0) & self._old.is_fixed[numbers] & (tests["column"] >= 0)
        best = self._best_of(nodes, np.flatnonzero(~is_fixed))
        old = self._old_splits(nodes, tests)
        splits = self._kept_or_best(nodes, old, best, is_fixed)
        if self._old.rules.fix < np.inf:
            self._fix(nodes, splits, is_fixed[splits.node])
        return splits

    def _best_of(self, nodes: Nodes, which: NDArray[np.intp]) -> Splits:
        """The best tests of some of the nodes."""
        if not len(which):
            return Splits(np.empty(0, np.intp), np.empty(0), np.empty(0, TEST))
        best = super().best_splits(nodes.take(which))
        return Splits(which[best.node], best.gain, best.tests)

    def _old_splits(self, nodes: Nodes, tests: NDArray[Any]) -> Splits:
        """The old tests that can be asked: those that say where all values go and leave enough rows in the branches."""
        which = np.flatnonzero(tests["column"] >= 0)
        which = which[~_are_unseen(self.rows, nodes.take(which), tests[which])]
        asked = Splits(which, np.zeros(len(which)), tests[which])
        children, n_children = super().divide(nodes.take(which), asked)
        owner = np.repeat(np.arange(len(which)), n_children)
        n_filled = np.bincount(owner[children.sizes >= self.min_samples_leaf], minlength=len(which))
        # a multiway test may have small children beside two that are large enough
        can_be_asked = n_filled >= 2
        scoring = self.searcher.scoring
        counts = children.counts * (scoring.class_weight if len(scoring.class_weight) else 1.0)
        return Splits(which, scoring.of_children(counts, n_children), asked.tests).take(can_be_asked)

    def _kept_or_best(self, nodes: Nodes, old: Splits, best: Splits, is_fixed: NDArray[np.bool_]) -> Splits:
        """The old test of each node, but where the best one is so much more probable, or there is no other."""
        rival = np.full(len(nodes), -1)
        rival[best.node] = np.arange(len(best))
        of_old = rival[old.node]
        is_rivalled = (of_old >= 0) & ~is_fixed[old.node]
        is_rivalled[is_rivalled] = best.tests[of_old[is_rivalled]] != old.tests[is_rivalled]
        contested = old.take(is_rivalled)
        lead = self._support(nodes, best.take(of_old[is_rivalled])) - self._support(nodes, contested)
        given_up = contested.node[lead >= self._old.rules.replace]
        kept = old.take(~np.isin(old.node, given_up))
        others = best.take(~np.isin(best.node, kept.node))
        order = np.argsort(np.concatenate((kept.node, others.node)), kind="stable")
        return Splits(
            np.concatenate((kept.node, others.node))[order],
            np.concatenate((kept.gain, others.gain))[order],
            np.concatenate((kept.tests, others.tests))[order],
        )

    def _support(self, nodes: Nodes, splits: Splits) -> NDArray[np.float64]:
        """What the classes say for some tests; dividing only sorts the rows of a node."""
        return self._evidence.of_children(*super().divide(nodes.take(splits.node), splits))

    def _fix(self, nodes: Nodes, splits: Splits, is_fixed: NDArray[np.bool_]) -> None:
        """Note the tests that stay: those that were fixed, and those that lead by enough before all other columns."""
        asked = splits.take(~is_fixed)
        tried = Tried.of(self.best_by_column(nodes.take(asked.node)))
        tried.values[asked.tests["column"], np.arange(len(asked))] = -np.inf
        others = tried.tests[np.argmax(tried.values, axis=0), np.arange(len(asked))]
        is_alone = np.isneginf(tried.values).all(axis=0)
        rivals = Splits(asked.node, asked.gain, np.where(is_alone, asked.tests, others))
        lead = self._support(nodes, asked) - self._support(nodes, rivals)
        leads = (lead >= self._old.rules.fix) & ~is_alone
        self._fixed.append(nodes.handles[np.concatenate((splits.node[is_fixed], asked.node[leads]))])

    def divide(self, nodes: Nodes, splits: Splits) -> tuple[Nodes, NDArray[np.intp]]:
        numbers = self._old_at[nodes.handles[:, 0]]
        is_old = (numbers >= 0) & (splits.tests == self._old.tests[numbers])
        children, n_children = super().divide(nodes, splits)
        branch = ranges(np.zeros_like(n_children), n_children)
        below = np.where(is_old, self._old.first_children[numbers], -1)
        is_filled = n_rows_of(children.handles) > 0
        of_children = np.where(np.repeat(is_old, n_children), np.repeat(below, n_children) + branch, -1)
        self._old_at[children.handles[is_filled, 0]] = of_children[is_filled]
        return children, n_children

    def finish(self, nodes: Nodes, limits: Limits) -> Finished | None:
        """What grows below nodes that no old node is."""
        is_new = self._old_at[nodes.handles[:, 0]] < 0
        new = np.flatnonzero(is_new)
        done = super().finish(nodes.take(new), limits) if len(new) and self._old.rules.fix == np.inf else None
        if done is None:
            return None
        is_open = done.owners < len(new)
        owners = np.where(is_open, 0, done.owners - len(new) + len(nodes))
        owners[is_open] = new[done.owners[is_open]]
        left_open = np.union1d(np.flatnonzero(~is_new), new[done.left_open])
        return Finished(owners, done.splits, done.children, done.n_children, left_open)

    def annotate(self, tree: Tree, handles: NDArray[np.int64]) -> Tree:
        tree = super().annotate(tree, handles)
        if self._old.rules.fix == np.inf:
            return tree
        fixed = np.concatenate(self._fixed)
        n_places = len(self.rows) + 1
        is_fixed = np.isin(handles @ [n_places, 1], fixed @ [n_places, 1]) & ~tree.is_leaf
        return tree.with_annotations(**{FIXED: is_fixed.astype(np.float64)})


def _are_unseen(rows: Rows, nodes: Nodes, tests: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether a node has missing values of which its test does not say where they go."""
    unsaid = np.flatnonzero(tests["missing"] == UNSEEN)
    which, node = rows_by_node(nodes.handles[unsaid])
    places = rows.columns.places[tests["column"][unsaid]][node]
    is_missing = rows.codes_at(which, places) == rows.columns.n_bins[places]
    is_unseen = np.zeros(len(nodes), bool)
    is_unseen[unsaid[node[is_missing]]] = True
    return is_unseen
