"""Why nodes went: the grown tree, and one verdict for each node that was examined."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree.pruning.stumps import Verdicts
from petree.tree import Tree


@dataclass(frozen=True)
class PruningLog:
    """The verdicts of a criterion on the nodes of a grown tree.

    Parameters
    ----------
    criterion : str
        The criterion with its parameters.
    names : (str, str)
        What the statistic and the threshold are called.
    grown : Tree
        The tree before pruning; where a criterion worked while growing, with the splits it refused.
    nodes : array
        Nodes of the grown tree that were examined.
    verdicts : Verdicts
        One row for each of `nodes`.
    cut : array
        Nodes of the grown tree that became leaves.
    """

    criterion: str
    names: tuple[str, str]
    grown: Tree
    nodes: NDArray[np.intp]
    verdicts: Verdicts
    cut: NDArray[np.intp]

    def pruned(self) -> Tree:
        """The tree that is left, with this log."""
        return self.grown.cut(self.cut).with_log(self)


class Notes:
    """Verdicts as they come in, node by node or level by level."""

    def __init__(self) -> None:
        self._nodes: list[NDArray[np.intp]] = []
        self._verdicts: list[Verdicts] = []

    def add(self, nodes: NDArray[np.intp], verdicts: Verdicts) -> None:
        self._nodes.append(nodes)
        self._verdicts.append(verdicts)

    def log(self, criterion: object, names: tuple[str, str], grown: Tree, cut: NDArray[np.intp]) -> PruningLog:
        """All of them, in the order of the nodes."""
        nodes = np.concatenate([np.empty(0, np.intp), *self._nodes])
        order = np.argsort(nodes, kind="stable")
        verdicts = Verdicts(
            np.concatenate([np.empty(0), *(one.statistic for one in self._verdicts)])[order],
            np.concatenate([np.empty(0), *(one.threshold for one in self._verdicts)])[order],
            np.concatenate([np.empty(0, bool), *(one.accepted for one in self._verdicts)])[order],
        )
        return PruningLog(repr(criterion), names, grown, nodes[order], verdicts, np.sort(cut))
