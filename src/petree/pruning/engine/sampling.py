"""Pruning with other cases for every decision (Oates & Jensen 1999, why and when pruning algorithms fail).

Bottom-up, a subtree is compared with a leaf on cases that are drawn for this one decision. What was cut below was cut
by other draws, and so the errors that it makes here are no longer the smallest of many.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.pruning.engine.bottom_up import is_cheaper
from petree.pruning.engine.log import Notes, PruningLog
from petree.pruning.engine.routed_cases import RoutedCases
from petree.pruning.engine.stumps import Stumps, Verdicts, refuse_options
from petree.tree import Tree

Nodes = NDArray[np.intp]
Counts = NDArray[np.float64]
# ``draw(nodes, above)``: cases for the decision on each of some nodes of one level; `above` has the node of that level
# that stands above each leaf.
Draw = Callable[[Nodes, Nodes], RoutedCases]
# ``make(n)``: n new cases as X and y, in whatever a user's tables and labels are.
NewCases = Callable[[int], tuple[Any, Any]]


class DrawnCosts(NamedTuple):
    """What leaves and splits cost, given the cases that were drawn.

    Parameters
    ----------
    of_leaves : callable
        ``of_leaves(counts, labels)``: cost of leaves that hold such cases and predict such classes.
    of_splits : array (nodes,)
        Cost of each node's split.
    labels : array (nodes,)
        Class that each node of the grown tree predicts.
    relabels : bool
        Whether a node that is cut predicts the most frequent class of the cases it was judged by.
    keeps_equal : bool
        Whether a subtree stays that costs what the leaf does.
    """

    of_leaves: Callable[[Counts, Nodes], NDArray[np.float64]]
    of_splits: NDArray[np.float64]
    labels: Nodes
    relabels: bool = False
    keeps_equal: bool = False


def majority(counts: Counts, labels: Nodes) -> Nodes:
    """The most frequent class; where the given label is as frequent, this."""
    own = counts[np.arange(len(counts)), labels]
    return np.where(own == counts.max(axis=1), labels, counts.argmax(axis=1)).astype(np.intp)


def wrong(counts: Counts, labels: Nodes) -> NDArray[np.float64]:
    """Weight of the cases that are of another class than the label."""
    return counts.sum(axis=1) - counts[np.arange(len(counts)), labels]


class SampledPruning:
    """A tree under pruning, level by level from the bottom.

    `above` has, for every node, the node of the current level that it is below of, or itself; `stands` the node that
    its cases end in by now; `labels` what a node predicts; `spent` what the splits at and below it cost.
    """

    def __init__(self, tree: Tree, draw: Draw, costs: DrawnCosts) -> None:
        refuse_options(tree)
        self.tree = tree
        self.draw = draw
        self.costs = costs
        self.above = np.arange(tree.n_nodes)
        self.stands = np.arange(tree.n_nodes)
        self.labels = costs.labels.copy()
        self.spent = np.zeros(tree.n_nodes)

    def prune(self, criterion: object, names: tuple[str, str]) -> PruningLog:
        """Judge all nodes."""
        notes = Notes()
        cut = [np.empty(0, np.intp)]
        for level in self.tree.by_level()[-2::-1]:
            self._climb(int(self.tree.levels[level[0]]))
            nodes = level[~self.tree.is_leaf[level]]
            verdicts = self._judge(nodes)
            notes.add(nodes, verdicts)
            cut.append(nodes[~verdicts.accepted])
        return notes.log(criterion, names, self.tree, np.concatenate(cut))

    def _climb(self, depth: int) -> None:
        is_below = self.tree.levels[self.above] > depth
        self.above[is_below] = self.tree.parents[self.above[is_below]]

    def _judge(self, nodes: Nodes) -> Verdicts:
        tree = self.tree
        costs = self.costs
        leaves, counts = self._count(nodes)
        places = np.searchsorted(nodes, self.above[leaves])
        splits = costs.of_splits[nodes] + Stumps.of(tree, nodes).sum(self.spent[tree.children_of(nodes)])
        below = splits + np.bincount(places, costs.of_leaves(counts, self.labels[leaves]), len(nodes))
        here = np.zeros((len(nodes), tree.n_classes))
        np.add.at(here, places, counts)
        labels = majority(here, self.labels[nodes]) if costs.relabels else self.labels[nodes]
        as_leaf = costs.of_leaves(here, labels)
        accepted = is_cheaper(below, as_leaf, costs.keeps_equal)
        self.spent[nodes[accepted]] = splits[accepted]
        self._cut(nodes[~accepted], labels[~accepted])
        return Verdicts(below, as_leaf, accepted)

    def _count(self, nodes: Nodes) -> tuple[Nodes, Counts]:
        """The leaves below some nodes as they stand by now, and class counts of the cases drawn for the nodes there."""
        is_asked = np.zeros(self.tree.n_nodes, bool)
        is_asked[nodes] = True
        leaves = np.unique(self.stands[self.tree.is_leaf & is_asked[self.above]])
        cases = self.draw(nodes, self.above)
        counts = cases.tally(np.searchsorted(leaves, self.stands[cases.leaves]), len(leaves), self.tree.n_classes)
        return leaves, counts if self.tree.class_weight is None else counts * self.tree.class_weight

    def _cut(self, nodes: Nodes, labels: Nodes) -> None:
        self.labels[nodes] = labels
        is_cut = np.zeros(self.tree.n_nodes, bool)
        is_cut[nodes] = True
        is_gone = is_cut[self.above]
        self.stands[is_gone] = self.above[is_gone]


# -- where the cases come from ---------------------------------------------------------------------------------------


class SamplePerNode:
    """A sample of the same cases, drawn anew for each node: so many of all of them, without replacement.

    Parameters
    ----------
    cases : RoutedCases
    share : float
        Share of the cases that are drawn, at least one; those of them that reach the node are used.
    keys : array (nodes,)
        Where the random numbers of each node begin.
    """

    def __init__(self, cases: RoutedCases, share: float, keys: NDArray[np.uint64]) -> None:
        self.cases = cases
        self.n_drawn = max(int(np.rint(share * len(cases))), 1)
        self.keys = keys

    def __call__(self, nodes: Nodes, above: Nodes) -> RoutedCases:
        place = np.full(len(self.keys), -1)
        place[nodes] = np.arange(len(nodes))
        places = place[above[self.cases.leaves]]
        here = np.flatnonzero(places >= 0)
        here = here[np.argsort(places[here], kind="stable")]
        starts = np.searchsorted(places[here], np.arange(len(nodes) + 1))
        is_drawn = np.zeros(len(here), bool)
        core.draws.select(self.keys[nodes], starts, len(self.cases), self.n_drawn, is_drawn)
        return self.cases.take(here[is_drawn])


class NewCasesPerNode:
    """Cases that nobody has seen before, for each node.

    Parameters
    ----------
    make : callable
        ``make(n)``: n new cases as X and y.
    n_cases : int
        How many to ask for.
    read : callable
        ``read(X, y)``: a `RoutedCases`.
    """

    def __init__(self, make: NewCases, n_cases: int, read: Callable[..., RoutedCases]) -> None:
        self.make = make
        self.n_cases = n_cases
        self.read = read

    def __call__(self, nodes: Nodes, above: Nodes) -> RoutedCases:
        return RoutedCases.join([self._draw(node, above) for node in nodes])

    def _draw(self, node: int, above: Nodes) -> RoutedCases:
        made = self.make(self.n_cases)
        if not isinstance(made, tuple | list) or len(made) != 2:
            raise TypeError(
                "The 'fresh' parameter of ReducedError must return a pair (X, y) of as many cases as it is asked for. "
                f"Got {'None' if made is None else type(made).__name__} instead."
            )
        cases = self.read(*made)
        if len(cases) != self.n_cases:
            raise ValueError(
                f"The 'fresh' parameter of ReducedError was asked for {self.n_cases} cases, but returned {len(cases)}."
            )
        return cases.take(above[cases.leaves] == node)
