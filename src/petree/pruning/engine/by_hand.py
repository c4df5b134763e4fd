"""Trees that a person cuts, with a log that tells so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from petree.pruning.engine.counts import over_leaves
from petree.pruning.engine.log import BY_HAND, PruningLog, Reasons, known_log, noted
from petree.pruning.engine.stumps import refuse_options
from petree.tree import Tree

ONLY_FIRST = "The criterion would have kept no test at the root, where the first test stands that was set by hand."


def keep_first_test(grown: Tree, pruned: Tree) -> Tree:
    """A pruned tree whose root keeps the test that it was grown with; below it stays what the criterion accepted."""
    log = pruned.pruning_log
    is_raised = log is not None and log.tests is not None and log.tests[0] != 0
    if not pruned.is_leaf[0] and not is_raised:
        return pruned
    below = grown.children_of(np.zeros(1, np.intp)).astype(np.intp)
    below = below[~grown.is_leaf[below]]
    if log is None or is_raised:
        return noted(grown.cut(below), ONLY_FIRST)
    is_other = log.nodes > 0
    verdicts = log.verdicts.take(is_other)
    accepted = log.nodes[is_other][verdicts.accepted]
    cut = np.union1d(log.cut[log.cut > 0], np.setdiff1d(below, accepted))
    # that of the log also has the counts of cases that a criterion added
    kept = PruningLog(log.criterion, log.names, log.grown, log.nodes[is_other], verdicts, cut)
    return noted(kept.pruned(), ONLY_FIRST)


def cut_by_hand(tree: Tree, nodes: Iterable[int]) -> Tree:
    """A tree in which the given nodes are leaves; its log tells so, and what was cut before.

    Whatever else was examined before is no longer known.
    """
    refuse_options(tree)
    wanted = list(nodes) if isinstance(nodes, Iterable) else nodes
    numbered = tree.with_annotations(place=np.arange(tree.n_nodes)).cut(wanted)
    is_leaf = tree.is_leaf[wanted]
    if is_leaf.any():
        raise ValueError(f"Node {wanted[int(np.argmax(is_leaf))]} is a leaf already; name nodes that have a test.")
    places = numbered.annotations["place"]
    cut = replace(numbered, annotations={name: numbered.annotations[name] for name in tree.annotations})
    return cut.with_log(_told_again(tree, np.unique(np.array(wanted, np.intp)), places))


def _told_again(tree: Tree, cut: NDArray[np.intp], places: NDArray[np.intp]) -> Reasons:
    """The reasons of a tree and those of cuts by hand, for the nodes that are left, which stood at `places`."""
    before = known_log(tree).frontier()
    kept = np.flatnonzero(np.isin(before.nodes, places) & ~np.isin(before.nodes, cut))
    by_hand = cut[np.isin(cut, places)]
    nodes = np.concatenate((before.nodes[kept], by_hand))
    order = np.argsort(nodes)
    unknown = np.full(len(by_hand), np.nan)
    n_leaves = over_leaves(tree, np.ones(tree.n_nodes, np.int64))
    tests = [before.tests[row] for row in kept.tolist()] + [str(tree.node(node).conditions[0]) for node in by_hand]
    outcomes = [before.outcomes[row] for row in kept.tolist()] + [BY_HAND] * len(by_hand)
    number = np.zeros(tree.n_nodes, np.intp)
    number[places] = np.arange(len(places))
    return Reasons(
        before.criterion,
        before.names,
        number[nodes][order],
        tuple(tests[row] for row in order.tolist()),
        np.concatenate((before.n_leaves[kept], n_leaves[by_hand]))[order],
        np.concatenate((before.statistic[kept], unknown))[order],
        np.concatenate((before.threshold[kept], unknown))[order],
        tuple(outcomes[row] for row in order.tolist()),
        before.notes,
    )
