"""Pruning by the number of cases per class."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.parts import check_choice, check_number
from petree.pruning.criterion import Criterion
from petree.pruning.engine.context import Context
from petree.pruning.engine.stumps import Verdicts
from petree.pruning.engine.top_down import prune_down
from petree.tree import Tree

READINGS = ("ratio", "printed", "Kc/2")


class CardPerClass(Criterion):
    """A node with too few cases for its classes is not split (Ferri et al. 2003, Definition 4).

    The definition is printed as ``Card(l) < 2K / c``, which asks for fewer cases where there are more classes, while
    the text wants more; so there are three readings. Small nodes are closed while the tree grows.

    Parameters
    ----------
    k : float, default=1.0
        K of the definition; 0 prunes nothing.
    reading : {"ratio", "printed", "Kc/2"}, default="ratio"
        Split if ``Card / c >= 2K``; as printed, if ``Card >= 2K / c``; or if ``Card >= K c / 2``, which for two classes
        is the same as printed.
    """

    names = ("cases at the node", "cases needed to go on")
    closes_nodes = True

    def __init__(self, k: float = 1.0, reading: str = "ratio") -> None:
        self.k = k
        self.reading = reading

    def check(self) -> None:
        check_number(self, "k", 0)
        check_choice(self, "reading", READINGS)

    def cases_needed(self, n_classes: int) -> float:
        """The fewest cases of a node that may be split."""
        k = float(self.k)
        return {"ratio": 2 * k * n_classes, "printed": 2 * k / n_classes, "Kc/2": k * n_classes / 2}[self.reading]

    def opens(self, counts: NDArray[np.float64], n_tests: NDArray[np.int64], n_cases: float) -> Verdicts:
        """Whether nodes have cases enough."""
        cases = counts.sum(axis=1)
        needed = self.cases_needed(counts.shape[1])
        return Verdicts(cases, np.full(len(cases), needed), cases >= needed)

    def _prune(self, tree: Tree, context: Context) -> Tree:
        counts = tree.weighted_counts

        def judge(nodes: NDArray[np.intp]) -> Verdicts:
            return self.opens(counts[nodes], tree.n_tests[nodes], float(counts[0].sum()))

        return prune_down(self, tree, judge, self.names).pruned()
