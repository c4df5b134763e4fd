"""Wallace and Patrick's code for classification trees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.bayes import log_evidence
from petree.parts import check_number
from petree.pruning.by_cost import CostCriterion, Costs
from petree.pruning.engine.counts import n_children
from petree.tree import Tree

Numbers = NDArray[np.float64]


class WallacePatrick(CostCriterion):
    """The shortest message of the tree and then the classes: minimum message length (Wallace & Patrick 1993).

    The root is a leaf with probability 1 / N_test, any other node an inner node with probability 1 / b, where b is the
    number of its parent's branches: so trees of many branches are not expected to go on for ever. An inner node also
    names its test, ``log2 N_test`` bits. The classes of a leaf are ``-log2 B(n + a) / B(a)`` bits, where each of the C
    classes has the pseudo-count `alpha`. A leaf replaces a subtree that is not shorter.

    The paper counts attributes where petree counts candidate tests, so that a cut or a value is named with its column.
    A root of a single test is a leaf with probability 1 / 2, since it could not be split otherwise.

    Parameters
    ----------
    alpha : float, default=1.0
        Pseudo-count of each class in a leaf: 1 for even chances of all class probabilities, less where leaves are
        expected to be purer.
    """

    names = ("bits to write down the subtree and its classes", "bits to write down one leaf and its classes")

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def check(self) -> None:
        check_number(self, "alpha", 0, above=True)

    def costs(self, tree: Tree) -> Costs:
        inner = inner_chances(tree)
        counts = tree.weighted_counts
        classes = -log_evidence(counts, np.full_like(counts, float(self.alpha))) / np.log(2)
        return Costs(classes - np.log2(1 - inner), np.log2(np.maximum(tree.n_tests, 1)) - np.log2(inner))


def inner_chances(tree: Tree) -> Numbers:
    """The prior probability that each node is an inner one."""
    chances = np.empty(tree.n_nodes)
    chances[0] = 1 - 1 / max(int(tree.n_tests[0]), 2)
    chances[1:] = 1 / n_children(tree)[tree.parents[1:]]
    return chances
