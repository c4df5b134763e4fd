"""Probability estimates: what are a node's class probabilities?

A member is a `Smoothing`, which tells all that it may have: ``estimate(tree)`` gives an array (nodes, classes) whose
rows sum to 1, ``strength(tree)`` the number of cases behind each of them. Every object with a method ``estimate`` will
do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.parts import resolve
from petree.smoothing.average import Average
from petree.smoothing.base import Estimates, Smoothing, goes_by_row, strength_of
from petree.smoothing.bayes import Bayes
from petree.smoothing.confusion import Confusion
from petree.smoothing.curtailment import Curtailment
from petree.smoothing.doubt import Doubt
from petree.smoothing.frequency import Frequency
from petree.smoothing.hierarchical import Hierarchical
from petree.smoothing.laplace import Laplace
from petree.smoothing.m_branch import MBranch
from petree.smoothing.m_estimate import MEstimate
from petree.smoothing.shrinkage import Shrinkage
from petree.tree import Tree

MEMBERS: dict[str, type[Smoothing]] = {
    "none": Frequency,
    "laplace": Laplace,
    "m_estimate": MEstimate,
    "m_branch": MBranch,
    "bayes": Bayes,
    "curtailment": Curtailment,
    "shrinkage": Shrinkage,
    "confusion": Confusion,
    "doubt": Doubt,
    "hierarchical": Hierarchical,
    "average": Average,
}


# The mean of two estimates that look at the nodes above a leaf, both tuned; docs/quality.md has the evidence.
DEFAULT = Average((Hierarchical("auto"), MBranch("auto")))


def resolve_smoothing(smoothing: str | Estimates) -> Estimates:
    """A member from its alias or itself."""
    return resolve(smoothing, MEMBERS, "smoothing", "estimate", DEFAULT)


def estimate(smoothing: str | Estimates, tree: Tree) -> NDArray[np.float64]:
    """Class probabilities of every node.

    Examples
    --------
    >>> estimate("laplace", Tree.from_counts([[3, 0], [1, 2]]))[1].tolist()
    [0.8, 0.2]
    """
    return resolve_smoothing(smoothing).estimate(tree)


__all__ = [
    "DEFAULT",
    "MEMBERS",
    "Average",
    "Bayes",
    "Confusion",
    "Curtailment",
    "Doubt",
    "Frequency",
    "Hierarchical",
    "Laplace",
    "MBranch",
    "MEstimate",
    "Shrinkage",
    "Smoothing",
    "estimate",
    "goes_by_row",
    "resolve_smoothing",
    "strength_of",
]
