"""C4.5's pruning: a node stays, becomes a leaf, or gives its place to its largest branch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.pruning.by_cost import CountCostCriterion
from petree.pruning.engine.context import Nodes, Rerouted
from petree.pruning.engine.counts import over_leaves
from petree.pruning.engine.log import PruningLog
from petree.pruning.engine.stumps import Verdicts, refuse_options
from petree.tree import Tree, ranges, with_splits

# So many errors more do not save a subtree.
MARGIN = 0.1
LEAF = -1

Numbers = NDArray[np.float64]
Reroute = Callable[[Tree, Nodes, Nodes], Rerouted]


class SubtreeRaising:
    """A tree under pruning, children first, by arrays with a row for each node of the grown tree.

    A wave takes all nodes whose children are done with, so that none of them is below another. Below a raised branch
    everything waits anew.

    Parameters
    ----------
    criterion : CountCostCriterion
        Its `leaf_costs` are predicted errors.
    grown : Tree
        The tree to prune.
    reroute : callable, optional
        ``reroute(tree, places, starts)`` sends the rows of the grown tree's nodes `places` down `tree`, each from the
        node that stands beside it in `starts`, and gives the class counts and the number of rows that reach each node
        of `tree`. Without it no branch is raised.

    Attributes
    ----------
    split : array
        The split that each node has now, or `LEAF`.
    test : array
        The node whose split that was.
    rows : array
        The node whose rows come by: itself, or the highest above where a branch was raised.
    waits : array
        Whether a verdict is to come.
    errors : array
        What is predicted of a leaf, or of a subtree that is done with.
    """

    def __init__(self, criterion: CountCostCriterion, grown: Tree, reroute: Reroute | None) -> None:
        refuse_options(grown)
        self.criterion = criterion
        self.grown = grown
        self.reroute = reroute
        self.counts = grown.counts.copy()
        self.sizes = grown.sizes.copy()
        self.parents = grown.parents.copy()
        self.split = np.where(grown.is_leaf, LEAF, grown.split_start[:-1])
        self.test = np.arange(grown.n_nodes)
        self.rows = np.arange(grown.n_nodes)
        self.waits = ~grown.is_leaf
        self.errors = self._predicted(grown.counts)
        unknown = np.full(grown.n_nodes, np.nan)
        self.verdicts = Verdicts(unknown, unknown.copy(), np.zeros(grown.n_nodes, bool))

    def prune(self, collapsed: NDArray[np.bool_]) -> Tree:
        """The pruned tree with its log; `collapsed` nodes become leaves whatever comes."""
        self._collapse(np.flatnonzero(collapsed))
        while len(ready := self._ready()):
            self._examine(ready)
        return self._finished()

    def _collapse(self, nodes: Nodes) -> None:
        subtree = over_leaves(self.grown, self.errors)[nodes]
        self._note(nodes, subtree, self.errors[nodes] - MARGIN, np.zeros(len(nodes), bool))
        self.split[nodes] = LEAF
        self.waits[:] = False
        self.waits[self._inner_below(np.zeros(1, np.intp))] = True

    def _ready(self) -> Nodes:
        """Waiting nodes without a waiting child."""
        has_waiting_child = np.zeros(len(self.waits) + 1, bool)  # the last is the root's parent
        has_waiting_child[self.parents[self.waits]] = True
        return np.flatnonzero(self.waits & ~has_waiting_child[:-1])

    def _examine(self, ready: Nodes) -> None:
        children, n_children = self._children(ready)
        subtree = np.add.reduceat(self.errors[children], np.cumsum(n_children) - n_children)
        leaf = self._predicted(self.counts[ready])
        largest = self._largest(children, n_children)
        branch, counts, sizes = self._try_to_raise(ready, largest)
        is_cut = leaf <= np.minimum(subtree, branch) + MARGIN
        is_raised = ~is_cut & (branch <= subtree + MARGIN)
        in_its_place = np.where(is_raised, branch, leaf)
        self._note(self.test[ready], subtree, in_its_place - MARGIN, ~(is_cut | is_raised))
        self.waits[ready] = False
        self.errors[ready] = np.where(is_cut, leaf, subtree)
        self.split[ready[is_cut]] = LEAF
        self._raise(ready[is_raised], largest[is_raised], counts, sizes)

    def _largest(self, children: Nodes, n_children: Nodes) -> Nodes:
        """The child of most cases of each node, the last of equals."""
        owners = np.repeat(np.arange(len(n_children)), n_children)
        cases = np.round(self.counts[children].sum(axis=1), 6)  # sums of parts of rows come with residues
        order = np.lexsort((cases, owners))
        return children[order[np.cumsum(n_children) - 1]]

    def _try_to_raise(self, nodes: Nodes, branches: Nodes) -> tuple[Numbers, Numbers, NDArray[np.int64]]:
        """Predicted errors of each branch with all cases of its node, and all counts and sizes below the nodes then.

        A leaf is no branch.
        """
        errors = np.full(len(nodes), np.inf)
        is_branch = self.split[branches] != LEAF
        if self.reroute is None or not is_branch.any():
            return errors, self.counts, self.sizes
        split = self.split.copy()
        split[nodes[is_branch]] = split[branches[is_branch]]
        places = np.unique(self.rows[nodes[is_branch]])
        counts, sizes = self.reroute(self._wired(split), places, places)
        below, owners = self._below(branches[is_branch])
        is_leaf = self.split[below] == LEAF
        predicted = self._predicted(counts[below[is_leaf]])
        errors[is_branch] = np.bincount(owners[is_leaf], predicted, is_branch.sum())
        return errors, counts, sizes

    def _raise(self, nodes: Nodes, branches: Nodes, counts: Numbers, sizes: NDArray[np.int64]) -> None:
        """Put branches in the place of nodes, with their new cases; everything in them waits."""
        below, owners = self._below(branches)
        self.counts[below] = counts[below]
        self.sizes[below] = sizes[below]
        self.errors[below] = self._predicted(counts[below])
        self.rows[below] = self.rows[nodes[owners]]
        self.split[nodes] = self.split[branches]
        self.test[nodes] = self.test[branches]
        self.split[branches] = LEAF
        children, n_children = self._children(nodes)
        self.parents[children] = np.repeat(nodes, n_children)
        self.waits[self._inner_below(nodes)] = True

    # -- the tree as it stands ------------------------------------------------------------------------------------

    def _children(self, nodes: Nodes) -> tuple[Nodes, Nodes]:
        """Children of some inner nodes, one node's after the other's, and how many each has."""
        starts = self.grown.child_start[self.split[nodes]]
        stops = self.grown.child_start[self.split[nodes] + 1]
        return self.grown.children[ranges(starts, stops)].astype(np.intp), (stops - starts).astype(np.intp)

    def _below(self, nodes: Nodes) -> tuple[Nodes, Nodes]:
        """All nodes below some that are inner, and which of these each is below of."""
        found = [nodes[:0]]
        owners = [nodes[:0]]
        of = np.arange(len(nodes))
        while len(nodes):
            children, n_children = self._children(nodes)
            of = np.repeat(of, n_children)
            found.append(children)
            owners.append(of)
            is_inner = self.split[children] != LEAF
            nodes = children[is_inner]
            of = of[is_inner]
        return np.concatenate(found), np.concatenate(owners)

    def _inner_below(self, nodes: Nodes) -> Nodes:
        """The inner ones of some nodes, and of those below them."""
        inner = nodes[self.split[nodes] != LEAF]
        below = self._below(inner)[0]
        return np.concatenate((inner, below[self.split[below] != LEAF]))

    def _wired(self, split: Nodes) -> Tree:
        """A tree with these splits at the nodes; nodes that cannot be reached any more are still in it."""
        owners = np.flatnonzero(split != LEAF)
        return replace(with_splits(self.grown, owners, split[owners]), counts=self.counts, sizes=self.sizes)

    # -- verdicts -------------------------------------------------------------------------------------------------

    def _predicted(self, counts: Numbers) -> Numbers:
        weight = 1.0 if self.grown.class_weight is None else self.grown.class_weight
        return self.criterion.leaf_costs(counts * weight)

    def _note(self, tests: Nodes, statistic: Numbers, threshold: Numbers, accepted: NDArray[np.bool_]) -> None:
        """Write down verdicts; a split that is looked at again gets a new one."""
        self.verdicts.statistic[tests] = statistic
        self.verdicts.threshold[tests] = threshold
        self.verdicts.accepted[tests] = accepted

    def _finished(self) -> Tree:
        tree = self._wired(self.split).with_annotations(**self._annotations(), place=np.arange(len(self.split)))
        tree = tree.cut(())  # drops what cannot be reached
        notes = dict(tree.annotations)
        place = notes.pop("place")
        nodes = np.flatnonzero(~np.isnan(self.verdicts.statistic))
        cut = place[tree.is_leaf & ~self.grown.is_leaf[place]]
        names = (self.criterion.names[0], f"{self.criterion.names[1]}, less {MARGIN}")
        verdicts = self.verdicts.take(nodes)
        log = PruningLog(repr(self.criterion), names, self.grown, nodes, verdicts, cut, place, self.test[place])
        return replace(tree, annotations=notes, pruning_log=log)

    def _annotations(self) -> dict[str, NDArray[Any]]:
        """What was noted of the nodes; NaN where the split or its cases are others now."""
        is_new = (self.test != np.arange(len(self.test))) | (self.counts != self.grown.counts).any(axis=1)
        notes = self.grown.annotations
        floats = {name: np.where(is_new, np.nan, notes[name]) for name in notes if notes[name].dtype.kind == "f"}
        return {**notes, **floats}
