"""All that grows below some nodes of a table in memory."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from petree.growing.grower import Stopping
from petree.sources.base import Finished, Limits, Nodes, Splits
from petree.sources.table import TableSource


@dataclass
class Below:
    """What has grown below some open nodes: splits, and all nodes below, numbered on behind the open ones."""

    n_nodes: int
    owners: list[NDArray[np.intp]] = field(default_factory=list)
    splits: list[Splits] = field(default_factory=list)
    children: list[Nodes] = field(default_factory=list)
    n_children: list[NDArray[np.intp]] = field(default_factory=list)

    def add(
        self, owners: NDArray[np.intp], splits: Splits, children: Nodes, n_children: NDArray[np.intp]
    ) -> NDArray[np.intp]:
        """Note splits and their children; the numbers of these."""
        self.owners.append(owners)
        self.splits.append(splits)
        self.children.append(children)
        self.n_children.append(n_children)
        self.n_nodes += len(children)
        return np.arange(self.n_nodes - len(children), self.n_nodes)

    def finished(self, left_open: NDArray[np.intp]) -> Finished:
        """The same as growing wants it; some open nodes are left. Handles of nodes below mean nothing."""
        tests = np.concatenate([splits.tests for splits in self.splits])
        gain = np.concatenate([splits.gain for splits in self.splits])
        counts = np.concatenate([nodes.counts for nodes in self.children])
        sizes = np.concatenate([nodes.sizes for nodes in self.children])
        children = Nodes(np.full(len(sizes), -1), counts, sizes)
        owners = np.concatenate(self.owners)
        splits = Splits(np.arange(len(tests)), gain, tests)
        return Finished(owners, splits, children, np.concatenate(self.n_children), left_open, is_by_level=False)


def grow_below(source: TableSource, nodes: Nodes, numbers: NDArray[np.intp], limits: Limits, below: Below) -> None:
    """Grow all that can grow below some nodes, wave by wave, as the growing loop does; the nodes have these numbers."""
    stopping = Stopping(source.min_samples_leaf, None, limits.min_gain)
    while len(nodes) and limits.most_waves > 0:
        done = source.finish(nodes, limits)
        if done is not None:
            first = np.arange(below.n_nodes, below.n_nodes + len(done.children))
            below.add(np.concatenate((numbers, first))[done.owners], done.splits, done.children, done.n_children)
            return
        asked = np.flatnonzero(stopping.asks(nodes, 0))
        splits = source.best_splits(nodes.take(asked))
        splits = splits.take(np.flatnonzero(stopping.accepts(splits)))
        if not len(splits):
            return
        parents = asked[splits.node]
        children, n_children = source.divide(nodes.take(parents), splits)
        numbers = below.add(numbers[parents], splits, children, n_children)
        nodes = children
        limits = limits._replace(level=limits.level + 1, most_waves=limits.most_waves - 1)
