"""The upper tree grows in rounds: as far as the sample decides, and then once over all rows.

A round asks the sample for tests, wave by wave, until no open node has one that is sure enough. Then all rows go
through the tree so far: they give the class counts of its nodes, and all counts of the nodes that the sample is large
enough for but does not decide, which thus get the best tests of all rows. Below these the next round goes on. Whether
a node is for the sample or for all rows follows from the sample alone: neither memory nor parts nor workers matter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.conditions import MULTIWAY, UNSEEN
from petree.growing.grower import Stopping
from petree.partitions.code_tree import CodeTree
from petree.partitions.counting import Layout
from petree.partitions.sampled.counting import Tally
from petree.partitions.sampled.upper_tree import UpperTree
from petree.partitions.tables import CountedNodes
from petree.sources.base import Nodes, Splits
from petree.sources.coding import Vocabulary
from petree.sources.rows import Rows, n_rows_of
from petree.sources.searching.leading import Lead, Tried
from petree.sources.searching.searcher import Searcher
from petree.threads import Threads

# A child has its share of the least rows in the sample, and so many standard deviations more, lest all rows refuse it.
MARGIN = 3.0
# Rows of the sample that a node must have to be asked there; below it all rows are.
LEAST_ROWS = 1024
# A level at which depth closes no node: that is looked at when the sample is asked.
ABOVE_ALL = -1


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows of a sample, which are moved, what searches in them, and when a test is chosen."""

    rows: Rows
    searcher: Searcher
    lead: Lead
    threads: Threads

    def judge(self, nodes: Nodes) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """The test of each node that it decides, column -1 where it does not, and the columns that contend there."""
        tried = Tried.of(self.searcher.best_by_column(self.rows, nodes, self.threads))
        tests = self.lead.decided(tried, self.rows, nodes, self.threads)
        left = np.flatnonzero(tests["column"] < 0)
        return tests, self.lead.contenders(tried.take(left), self.rows, nodes.take(left), self.threads)

    def divide(self, nodes: Nodes, tests: NDArray[Any]) -> tuple[Nodes, NDArray[np.intp]]:
        return self.rows.divide(nodes, Splits(np.arange(len(nodes)), np.zeros(len(nodes)), tests), self.threads)


@dataclass(frozen=True, eq=False)
class AllRows:
    """What goes over all rows, and what searches in their counts.

    `tally` counts a tree, and some of its nodes by code in the columns that are marked, of which `most_nodes` have room
    at a time; it is told whether rows have to begin at the root again.
    """

    tally: Callable[[CodeTree, NDArray[np.intp], NDArray[np.uint8], bool], Tally]
    most_nodes: int
    layout: Layout
    searcher: Searcher
    vocabulary: Vocabulary


def least_of_sample(min_samples_leaf: int, run: int) -> int:
    """Rows that a child must have in a sample of one in so many."""
    mean = (min_samples_leaf - 1) / run
    return max(ceil(mean + MARGIN * sqrt(mean)), 1)


class Rounds:
    """Grows the upper tree from its root. `begins_anew` tells that rows may lie below a test that was taken back."""

    def __init__(self, upper: UpperTree, sample: Sample, all_rows: AllRows, stopping: Stopping) -> None:
        self.upper = upper
        self._sample = sample
        self._all = all_rows
        self._stopping = stopping
        self._is_uncounted = False
        self.begins_anew = True

    def run(self) -> None:
        """Go on until no node is left that the sample is large enough for."""
        fresh = np.zeros(1, np.intp)
        waiting = fresh[:0]
        while len(fresh) or len(waiting):
            waiting = np.append(waiting, self._ask_sample(fresh))
            fresh = fresh[:0]
            if len(waiting) or self._is_uncounted:
                fresh, waiting = self._ask_all_rows(waiting)

    # -- the sample ---------------------------------------------------------------------------------------

    def _ask_sample(self, nodes: NDArray[np.intp]) -> NDArray[np.intp]:
        """Grow below some nodes what the sample decides; the nodes that it is large enough for but does not decide."""
        left = [nodes[:0]]
        while len(nodes):
            nodes = self._sampled_enough(nodes)
            is_pure = (self.upper.sampled.counts[nodes] > 0).sum(axis=1) < 2
            left.append(nodes[is_pure])
            self.upper.contend[nodes[is_pure]] = False  # until all rows have another class
            nodes = nodes[~is_pure]
            if len(nodes):
                tests, contenders = self._sample.judge(self.upper.sampled.take(nodes))
                is_decided = tests["column"] >= 0
                left.append(nodes[~is_decided])
                self.upper.contend[left[-1]] = contenders
                nodes = self._divide_by_sample(nodes[is_decided], tests[is_decided])
        return np.concatenate(left)

    def _sampled_enough(self, nodes: NDArray[np.intp]) -> NDArray[np.intp]:
        """The nodes that may have a test, and have rows enough in the sample."""
        depth = self._stopping.max_depth
        is_open = np.ones(len(nodes), bool) if depth is None else self.upper.levels[nodes] < depth
        return nodes[is_open & (n_rows_of(self.upper.sampled.handles[nodes]) >= LEAST_ROWS)]

    def _divide_by_sample(self, nodes: NDArray[np.intp], tests: NDArray[Any]) -> NDArray[np.intp]:
        """The children of some nodes by tests that the sample has chosen."""
        if not len(nodes):
            return nodes
        tests, on_trust = self._with_branch_for_missing(tests)
        children, n_children = self._sample.divide(self.upper.sampled.take(nodes), tests)
        self.upper.is_by_sample[nodes] = True
        self.upper.is_on_trust[nodes] = on_trust
        self._is_uncounted = True
        return self.upper.divide(nodes, tests, children, n_children)

    def _with_branch_for_missing(self, tests: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """The tests, and which of them met no missing value but may: these have the branch of the first of equals."""
        columns = self._all.vocabulary.columns
        has_missing = np.array([column.has_missing for column in columns])[tests["column"]]
        n_bins = np.array([column.n_bins for column in columns])[tests["column"]]
        on_trust = has_missing & (tests["missing"] == UNSEEN)
        tests = tests.copy()
        branch = np.where(tests["kind"] == MULTIWAY, n_bins, 1)
        tests["missing"] = np.where(on_trust, branch, tests["missing"])
        return tests, on_trust

    # -- all rows -----------------------------------------------------------------------------------------

    def _ask_all_rows(self, waiting: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Count all rows, and divide some of the nodes that wait; their children, and the nodes that wait then."""
        upper = self.upper
        layout = self._all.layout
        asked = waiting[: self._all.most_nodes]
        columns = np.ascontiguousarray(upper.contend[asked][:, layout.columns.order], np.uint8)
        tally = self._all.tally(upper.tree, asked, columns, self.begins_anew)
        again = upper.settle(tally, layout, self._all.searcher.scoring)
        self._is_uncounted = False
        self.begins_anew = len(again) > 0
        counted = CountedNodes.of(layout, tally.filled(layout, asked, columns)) if len(asked) else None
        fresh = asked if counted is None else self._search(asked, counted)
        missed = asked[upper.is_final[asked] & ~upper.contend[asked].all(axis=1)]
        upper.is_final[missed] = False
        upper.contend[missed] = True
        waiting = np.concatenate((waiting[len(asked) :], again, missed))
        may_grow = self._stopping.asks(upper.exact(waiting), ABOVE_ALL) & upper.are_there()[waiting]
        return fresh, waiting[may_grow]

    def _search(self, nodes: NDArray[np.intp], counted: CountedNodes) -> NDArray[np.intp]:
        """Divide some nodes by the best tests of all rows; the children that may grow."""
        upper = self.upper
        exact = upper.exact(nodes)
        places = np.flatnonzero(self._stopping.asks(exact, ABOVE_ALL) & upper.are_there()[nodes])
        if not len(places):
            return nodes[:0]
        open_nodes = Nodes(counted.slices[places], exact.counts[places], exact.sizes[places])
        splits = self._all.searcher.best_splits(counted.rows, open_nodes, self._sample.threads)
        places = places[splits.node]
        upper.is_final[nodes] = True
        nodes = nodes[places]
        upper.is_final[nodes] = False
        upper.gains[nodes] = splits.gain
        children, n_children = self._sample.divide(upper.sampled.take(nodes), splits.tests)
        numbers = upper.divide(nodes, splits.tests, children, n_children)
        upper.counts[numbers], upper.sizes[numbers] = counted.divide(places, splits.tests, n_children)
        return numbers[np.repeat(self._stopping.accepts(splits), n_children)]
