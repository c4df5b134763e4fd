"""Tests that keep the splits above them, each at its share of the level.

Bottom-up on stumps, a test that passes keeps all splits above it. A large tree has so many tests that some pass by
chance, so what is left of a tree without structure grows with the data. With the correction "cases" the test of w
supports the split of v, at or above it, if it passes at the level ``alpha n_w / n_v``, n being cases: at so much of
the level as it has of v's cases. So the levels of all tests at one depth below v sum to at most alpha. v stays if its
parent does and some test supports it. With w = v that is the ordinary test; the tree lies between those of prepruning
and of postpruning.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from petree.pruning.engine.log import PruningLog, log_of
from petree.pruning.engine.stumps import Stumps, Verdicts, inner_nodes, refuse_options
from petree.tree import Tree

CORRECTIONS = (None, "cases")
NAMES = ("cases that significant tests at or below it speak for", "cases at the node")

# ``supported(stumps, most)``: the largest number of cases of a node whose split each test supports; nobody asks beyond
# `most`.
Supported = Callable[[Stumps, NDArray[np.float64]], NDArray[np.float64]]


def check_correction(criterion: object, when: str, correction: str | None) -> None:
    """Raise unless the 'correction' of a criterion is known and fits its 'when'."""
    kind = type(criterion).__name__
    if correction not in CORRECTIONS:
        raise ValueError(f"The 'correction' parameter of {kind} must be None or 'cases'. Got {correction!r} instead.")
    if correction is not None and when == "pre":
        raise ValueError(
            f"The 'correction' parameter of {kind} is for when='post', where tests speak for nodes above them; "
            "with when='pre' each test speaks for its own node alone, so leave it out."
        )


def number_of_cases(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cases of nodes; 1 for an empty one, so that its tests have something to support."""
    totals = counts.sum(axis=1)
    return np.where(totals > 0, totals, 1.0)


def prune_by_corrected_tests(criterion: object, tree: Tree, supported: Supported) -> PruningLog:
    """Cut every node that no test supports.

    First each test is asked for its own node. One that fails there supports no other; one that passes is needed only
    below a node that failed, and asked again for the cases of the topmost such node.
    """
    refuse_options(tree)
    inner = inner_nodes(tree)
    cases = number_of_cases(tree.weighted_counts)
    largest = np.zeros(tree.n_nodes)  # number of cases that some test at or below each node supports

    def ask(nodes: NDArray[np.intp], most: NDArray[np.float64]) -> None:
        largest[nodes] = np.minimum(supported(Stumps.of(tree, nodes), most), most)

    ask(inner, cases[inner])
    top = topmost(tree, inner[largest[inner] < cases[inner]])
    again = inner[(largest[inner] >= cases[inner]) & (top[inner] >= 0)]
    ask(again, cases[top[again]])
    for level in tree.by_level()[:0:-1]:
        np.maximum.at(largest, tree.parents[level], largest[level])
    verdicts = Verdicts(largest[inner], cases[inner], largest[inner] >= cases[inner])
    return log_of(criterion, NAMES, tree, inner, verdicts)


def topmost(tree: Tree, nodes: NDArray[np.intp]) -> NDArray[np.intp]:
    """The first of some nodes on the way from the root to each node, itself included; -1 where there is none."""
    top = np.full(tree.n_nodes, -1)
    top[nodes] = nodes
    for level in tree.by_level()[1:]:
        above = top[tree.parents[level]]
        top[level] = np.where(above >= 0, above, top[level])
    return top
