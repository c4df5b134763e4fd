"""C4.5's pruning: a node stays, becomes a leaf, or gives its place to its largest branch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.pruning.counts import n_children, over_leaves
from petree.pruning.log import PruningLog
from petree.pruning.stumps import Verdicts, refuse_options
from petree.tree import Tree

# So many errors more do not save a subtree.
MARGIN = 0.1

Nodes = NDArray[np.intp]
Reroute = Callable[[Tree, Nodes, Nodes], tuple[NDArray[np.float64], NDArray[np.int64]]]


class SubtreeRaising:
    """A tree under pruning, children first.

    A wave takes all nodes whose children are done with; none of them is below another, so each row is asked about once.
    The tree as it stands has notes at its nodes: `place`, the node of the grown tree whose rows are here; `test`, the
    node of the grown tree whose split is here; `waits`, whether a verdict is to come. Below a raised branch everything
    waits anew.

    Parameters
    ----------
    criterion : object
        Has ``predicted_errors(counts)`` and `names`.
    grown : Tree
        The tree to prune.
    reroute : callable, optional
        ``reroute(tree, places, starts)`` sends the rows of the grown tree's nodes `places` down `tree`, each from the
        node that stands beside it in `starts`, and gives the class counts and the number of rows that reach each node
        of `tree`. Without it no branch is raised.
    """

    def __init__(self, criterion: Any, grown: Tree, reroute: Reroute | None) -> None:
        refuse_options(grown)
        self.criterion, self.grown, self.reroute = criterion, grown, reroute
        nodes = np.arange(grown.n_nodes)
        self.tree = grown.with_annotations(place=nodes, test=nodes, waits=~grown.is_leaf)
        self.verdicts = Verdicts(
            np.full(grown.n_nodes, np.nan), np.full(grown.n_nodes, np.nan), np.zeros(grown.n_nodes, bool)
        )

    def prune(self, collapsed: NDArray[np.bool_]) -> Tree:
        """The pruned tree with its log; `collapsed` nodes become leaves whatever comes."""
        self._collapse(np.flatnonzero(collapsed))
        while len(ready := self._ready()):
            self._examine(ready)
        return self._finished()

    def _collapse(self, nodes: Nodes) -> None:
        leaf = self._predicted(self.tree.counts)
        self._note(nodes, over_leaves(self.tree, leaf)[nodes], leaf[nodes], np.zeros(len(nodes), bool))
        self.tree = self.tree.cut(nodes)
        self.tree = self.tree.with_annotations(waits=~self.tree.is_leaf)

    def _ready(self) -> Nodes:
        """Waiting nodes without a waiting child."""
        waits = self.tree.annotations["waits"]
        has_waiting_child = np.zeros(self.tree.n_nodes + 1, bool)  # the last is the root's parent
        has_waiting_child[self.tree.parents[waits]] = True
        return np.flatnonzero(waits & ~has_waiting_child[:-1])

    def _examine(self, ready: Nodes) -> None:
        tree, notes = self.tree, self.tree.annotations
        leaf, starts = self._predicted(tree.counts), _largest_children(self.tree, ready)
        subtree, leaf = over_leaves(tree, leaf)[ready], leaf[ready]
        branch, counts, sizes = self._send_down(notes["place"][ready], starts)
        is_cut = leaf <= np.minimum(subtree, branch) + MARGIN
        is_raised = ~is_cut & (branch <= subtree + MARGIN)
        self._note(notes["test"][ready], subtree, np.where(is_raised, branch, leaf), ~(is_cut | is_raised))
        waits = notes["waits"].copy()
        waits[ready] = is_raised
        self.tree = tree.with_annotations(waits=waits)
        if is_raised.any():
            self._recount(ready[is_raised], starts[is_raised], counts, sizes)
        self.tree = _replace(self.tree, ready[is_cut], ready[is_raised], starts[is_raised])

    def _send_down(
        self, places: Nodes, starts: Nodes
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """Predicted errors of each branch with all cases of its node, and what counts and sizes its nodes then have."""
        if self.reroute is None:
            return np.full(len(places), np.inf), self.tree.counts, self.tree.sizes
        counts, sizes = self.reroute(self.tree, places, starts)
        return over_leaves(self.tree, self._predicted(counts))[starts], counts, sizes

    def _recount(self, raised: Nodes, starts: Nodes, counts: NDArray[np.float64], sizes: NDArray[np.int64]) -> None:
        """Give branches their new cases before they are raised."""
        tree, below = self.tree, _at_or_below(self.tree, starts)
        test, waits = tree.annotations["test"].copy(), tree.annotations["waits"]
        test[raised] = test[starts]
        recounted = tree.with_counts(np.where(below[:, None], counts, tree.counts), np.where(below, sizes, tree.sizes))
        self.tree = recounted.with_annotations(test=test, waits=waits | (below & ~tree.is_leaf))

    def _predicted(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        weight = 1.0 if self.grown.class_weight is None else self.grown.class_weight
        predicted: NDArray[np.float64] = self.criterion.predicted_errors(counts * weight)
        return predicted

    def _note(
        self, tests: Nodes, statistic: NDArray[np.float64], threshold: NDArray[np.float64], accepted: NDArray[np.bool_]
    ) -> None:
        """Write down verdicts; a split that is looked at again gets a new one."""
        self.verdicts.statistic[tests] = statistic
        self.verdicts.threshold[tests] = threshold
        self.verdicts.accepted[tests] = accepted

    def _finished(self) -> Tree:
        place = self.tree.annotations["place"]
        nodes = np.flatnonzero(~np.isnan(self.verdicts.statistic))
        verdicts = Verdicts(
            self.verdicts.statistic[nodes], self.verdicts.threshold[nodes], self.verdicts.accepted[nodes]
        )
        cut = np.sort(place[self.tree.is_leaf & ~self.grown.is_leaf[place]])
        log = PruningLog(repr(self.criterion), self.criterion.names, self.grown, nodes, verdicts, cut)
        return replace(self.tree, annotations=self._annotations(), pruning_log=log)

    def _annotations(self) -> dict[str, NDArray[Any]]:
        """What was noted of the nodes; NaN where the split or its cases are others now."""
        tree = self.tree
        place, test = tree.annotations["place"], tree.annotations["test"]
        is_new = (place != test) | (tree.counts != self.grown.counts[place]).any(axis=1)
        kept = {name: tree.annotations[name] for name in self.grown.annotations}
        floats = {name: np.where(is_new, np.nan, kept[name]) for name in kept if kept[name].dtype.kind == "f"}
        return {**kept, **floats}


def _largest_children(tree: Tree, nodes: Nodes) -> Nodes:
    """The child of most cases of each node, the last of equals."""
    children, n_each = tree.children_of(nodes).astype(np.intp), n_children(tree)[nodes]
    order = np.lexsort((tree.counts[children].sum(axis=1), np.repeat(np.arange(len(nodes)), n_each)))
    return children[order[np.cumsum(n_each) - 1]]


def _at_or_below(tree: Tree, nodes: Nodes) -> NDArray[np.bool_]:
    found = np.zeros(tree.n_nodes, bool)
    while len(nodes):
        found[nodes] = True
        nodes = tree.children_of(nodes).astype(np.intp)
    return found


def _replace(tree: Tree, cut: Nodes, raised: Nodes, branches: Nodes) -> Tree:
    """Make leaves of some nodes, and put branches of others in their place."""
    owners = np.arange(tree.n_nodes)
    owners[branches] = raised
    keep = ~np.isin(tree.split_nodes, np.concatenate((cut, raised)))
    owners = owners[tree.split_nodes[keep]]
    order = np.argsort(owners, kind="stable")
    return tree._rewired(owners[order].astype(np.int32), np.flatnonzero(keep)[order])
