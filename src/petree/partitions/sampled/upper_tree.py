"""A tree whose nodes have rows of a sample, and in the end the counts of all rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.conditions import MULTIWAY, UNSEEN
from petree.partitions.code_tree import CodeTree
from petree.partitions.counting import Layout
from petree.partitions.sampled.counting import Tally
from petree.sources.base import Nodes
from petree.sources.searching.scoring import Scoring
from petree.tree import ranges


class UpperTree:
    """Tests by codes, and of each node its parent, level, rows of the sample, and what all rows say.

    A node whose test was taken back is open again; what was below it is nowhere, and no row comes there.

    Parameters
    ----------
    root : Nodes
        All rows.
    sampled : Nodes
        Those of the sample.
    n_columns : int
    """

    def __init__(self, root: Nodes, sampled: Nodes, n_columns: int) -> None:
        self.tree = CodeTree.root()
        self.parents = np.full(1, -1)
        self.levels = np.zeros(1, np.intp)
        self.sampled = sampled
        self.counts = root.counts
        self.sizes = root.sizes
        self.gains = np.full(1, np.nan)
        # Tests that nobody but the sample has chosen, and those of them that have a branch for missing values on trust.
        self.is_by_sample = np.zeros(1, bool)
        self.is_on_trust = np.zeros(1, bool)
        # Columns that the sample does not exclude.
        self.contend = np.ones((1, n_columns), bool)
        # Nodes that all rows have found no test for.
        self.is_final = np.zeros(1, bool)

    def __len__(self) -> int:
        return len(self.tree)

    @property
    def has_test(self) -> NDArray[np.bool_]:
        return self.tree.n_children > 0

    def exact(self, nodes: NDArray[np.intp]) -> Nodes:
        """Some nodes as all rows have them."""
        return Nodes(nodes, self.counts[nodes], self.sizes[nodes])

    def children_of(self, nodes: NDArray[np.intp]) -> NDArray[np.intp]:
        """Children of some nodes, one node's after the other's."""
        first = self.tree.first_child[nodes]
        return ranges(first, first + self.tree.n_children[nodes])

    def divide(
        self, nodes: NDArray[np.intp], tests: NDArray[Any], children: Nodes, n_children: NDArray[np.intp]
    ) -> NDArray[np.intp]:
        """Give tests to some open nodes, whose rows of the sample are divided so; the numbers of the children."""
        n_new = len(children)
        before = len(self)
        self.tree = self.tree.divided(nodes, tests, n_children)
        self.parents = np.append(self.parents, np.repeat(nodes, n_children))
        self.levels = np.append(self.levels, np.repeat(self.levels[nodes] + 1, n_children))
        self.sampled = joined(self.sampled, children)
        self.counts = np.concatenate((self.counts, np.zeros((n_new, self.counts.shape[1]))))
        self.sizes = np.append(self.sizes, np.zeros(n_new, np.int64))
        self.gains = np.append(self.gains, np.full(n_new, np.nan))
        self.is_by_sample = np.append(self.is_by_sample, np.zeros(n_new, bool))
        self.is_on_trust = np.append(self.is_on_trust, np.zeros(n_new, bool))
        self.contend = np.concatenate((self.contend, np.ones((n_new, self.contend.shape[1]), bool)))
        self.is_final = np.append(self.is_final, np.zeros(n_new, bool))
        return np.arange(before, len(self))

    def are_there(self) -> NDArray[np.bool_]:
        """Which nodes belong to the tree: not what stood below a test that was taken back."""
        are_there = np.ones(len(self), bool)
        tree = self.tree
        for level in range(1, int(self.levels.max()) + 1):
            nodes = np.flatnonzero(self.levels == level)
            above = self.parents[nodes]
            place = nodes - tree.first_child[above]
            are_there[nodes] = are_there[above] & (place >= 0) & (place < tree.n_children[above])
        return are_there

    # -- what all rows say --------------------------------------------------------------------------------

    def settle(self, tally: Tally, layout: Layout, scoring: Scoring) -> NDArray[np.intp]:
        """Take over the counts of all rows; the nodes whose tests are taken back, since they leave too few of them."""
        amounts = tally.amounts.copy()
        for level in range(int(self.levels.max()), 0, -1):
            nodes = np.flatnonzero(self.levels == level)
            np.add.at(amounts, self.parents[nodes], amounts[nodes])
        self.counts = layout.amounts.weigh(amounts[:, : layout.n_classes])
        self.sizes = amounts[:, -1] if layout.amounts.counts_rows else amounts.sum(axis=1)
        self._settle_missing(tally)
        taken_back = self._take_back(scoring.min_samples_leaf)
        self._score(scoring)
        return taken_back

    def _settle_missing(self, tally: Tally) -> None:
        """Tests that meet no missing value have no branch for them."""
        unmet = np.flatnonzero(self.is_on_trust & self.has_test & (tally.met_missing == 0))
        self.tree.tests["missing"][unmet] = UNSEEN
        self.tree.n_children[unmet] -= self.tree.tests["kind"][unmet] == MULTIWAY
        self.is_on_trust[:] = False

    def _take_back(self, least: int) -> NDArray[np.intp]:
        nodes = np.flatnonzero(self.is_by_sample & self.has_test)
        owner = np.repeat(nodes, self.tree.n_children[nodes])
        n_large = np.bincount(owner, self.sizes[self.children_of(nodes)] >= least, len(self))
        self.tree.n_children[nodes[n_large[nodes] < 2]] = 0
        nodes = nodes[~self.has_test[nodes] & self.are_there()[nodes]]
        self.is_by_sample[nodes] = False
        return nodes

    def _score(self, scoring: Scoring) -> None:
        """The scores of the tests that the sample has chosen, by the counts of all rows."""
        nodes = np.flatnonzero(self.is_by_sample & self.has_test & self.are_there())
        factors = scoring.class_weight if len(scoring.class_weight) else 1.0
        for n_children in np.unique(self.tree.n_children[nodes]).tolist():
            some = nodes[self.tree.n_children[nodes] == n_children]
            children = self.counts[self.children_of(some)] * factors
            self.gains[some] = scoring.ask(children.reshape(len(some), n_children, -1))


def joined(one: Nodes, other: Nodes) -> Nodes:
    """Nodes behind others."""
    return Nodes(
        np.concatenate((one.handles, other.handles)),
        np.concatenate((one.counts, other.counts)),
        np.concatenate((one.sizes, other.sizes)),
    )
