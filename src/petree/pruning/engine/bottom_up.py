"""The two ways up a grown tree (Fierens et al. 2007, section 2.3): whole subtrees by cost, stumps by acceptance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.pruning.engine.log import Notes, PruningLog, log_of
from petree.pruning.engine.stumps import Stumps, Verdicts, inner_nodes, refuse_options
from petree.tree import Tree, wiring_of

# Costs that differ by no more than this, relative to the larger, are equal.
TIE = 1e-12


def is_cheaper(subtree: NDArray[np.float64], leaf: NDArray[np.float64], or_equal: bool = False) -> NDArray[np.bool_]:
    """Whether subtrees cost less than leaves, or no more; rounding does not decide."""
    margin = TIE * np.maximum(np.abs(subtree), np.abs(leaf))
    return subtree <= leaf + margin if or_equal else subtree < leaf - margin


def prune_by_cost(
    criterion: object,
    tree: Tree,
    leaf_cost: NDArray[np.float64],
    split_cost: NDArray[np.float64],
    names: tuple[str, str],
    keep_equal: bool = False,
) -> PruningLog:
    """Cut every node whose cost as a leaf is below that of its (already pruned) subtree.

    A subtree costs its `split_cost` and what its children cost. On equality the subtree goes, unless `keep_equal`.
    """
    refuse_options(tree)
    nodes = inner_nodes(tree)
    splits = split_cost.astype(np.float64)
    cost = leaf_cost.astype(np.float64)  # what the subtree of each node costs, from the leaves up
    subtree = np.empty(len(nodes))
    accepted = np.empty(len(nodes), bool)
    core.trees.compare_costs(wiring_of(tree), splits, TIE, bool(keep_equal), cost, subtree, accepted)
    return log_of(criterion, names, tree, nodes, Verdicts(subtree, leaf_cost[nodes], accepted))


def prune_stumps(
    criterion: object,
    tree: Tree,
    judge: Callable[[Stumps], Verdicts],
    names: tuple[str, str],
    at_once: bool = False,
) -> PruningLog:
    """Cut every stump that is not acceptable, and whatever becomes a stump by that.

    A node above an accepted one is never asked: its subtree stays. With `at_once` all nodes are judged in one go, and
    verdicts that nobody asks for are left out.
    """
    refuse_options(tree)
    if at_once:
        return _prune_at_once(criterion, tree, judge, names)
    parents = tree.parents
    nodes = inner_nodes(tree)
    n_inner_children = np.bincount(parents[nodes[nodes > 0]], minlength=tree.n_nodes)
    cut = [np.empty(0, np.intp)]
    notes = Notes()
    nodes = nodes[n_inner_children[nodes] == 0]
    while len(nodes):
        verdicts = judge(Stumps.of(tree, nodes))
        notes.add(nodes, verdicts)
        cut.append(nodes[~verdicts.accepted])
        above = parents[cut[-1][cut[-1] > 0]]
        np.subtract.at(n_inner_children, above, 1)
        nodes = np.unique(above[n_inner_children[above] == 0]).astype(np.intp)
    return notes.log(criterion, names, tree, np.concatenate(cut))


def _prune_at_once(
    criterion: object, tree: Tree, judge: Callable[[Stumps], Verdicts], names: tuple[str, str]
) -> PruningLog:
    nodes = inner_nodes(tree)
    verdicts = judge(Stumps.of(tree, nodes))
    is_kept = np.zeros(tree.n_nodes, bool)
    is_kept[nodes[verdicts.accepted]] = True
    keeps_below = np.empty(tree.n_nodes, bool)
    core.trees.any_below(wiring_of(tree), is_kept, keeps_below)
    asked = np.flatnonzero(~keeps_below[nodes])
    return log_of(criterion, names, tree, nodes[asked], verdicts.take(asked))
