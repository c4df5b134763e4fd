"""Why nodes went: the grown tree, and one verdict for each node that was examined."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from petree.pruning.engine.counts import over_leaves
from petree.pruning.engine.stumps import Verdicts
from petree.tree import Tree

KEPT = "kept"
CUT = "cut"
RAISED = "replaced by its largest branch"
LOST = "kept, but went with a node above it"
CLOSED = "closed before a test was sought"
BY_HAND = "cut by hand"
# Instead of a criterion, where no other has looked at a tree.
HAND = "by hand"


@dataclass(frozen=True)
class Reasons:
    """What stood at some nodes of a tree, and what became of it: all that a model file keeps of a pruning log.

    Parameters
    ----------
    criterion : str
        The criterion with its parameters, on one line.
    names : (str, str)
        What the statistic and the threshold are called.
    nodes : array
        Nodes of the tree that is spoken of, ascending.
    tests : tuple of str
        The test that each of them had; empty if it never had one.
    n_leaves : array
        Number of leaves below it then.
    statistic, threshold : array
        What the criterion found there; of a node without a test, for the best test that there could be.
    outcomes : tuple of str
        `KEPT`, `CUT`, `RAISED`, `LOST`, `CLOSED` or `BY_HAND`.
    notes : tuple of str
        Sentences about the tree as a whole, such as what a person did to it.
    """

    criterion: str
    names: tuple[str, str]
    nodes: NDArray[np.intp]
    tests: tuple[str, ...]
    n_leaves: NDArray[np.int64]
    statistic: NDArray[np.float64]
    threshold: NDArray[np.float64]
    outcomes: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def frontier(self) -> Reasons:
        """Where the pruned tree has something else than the grown one."""
        return self

    def examined(self) -> Reasons:
        """Refused: the grown tree is not there."""
        raise ValueError(
            "A model file keeps only what was cut, not every node that was examined, and so does a model that was cut "
            "by hand; ask the model that was fitted, or one that was pickled."
        )


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
        Nodes of the grown tree that were examined; its leaves among them are nodes that were closed while growing.
    verdicts : Verdicts
        One row for each of `nodes`.
    cut : array
        Nodes of the grown tree that became leaves.
    places, tests : array, optional
        Where branches were raised: for each node of the pruned tree, the node of the grown one that stood there, and
        the one whose test it has.
    notes : tuple of str
        Sentences about the tree as a whole, such as what a person did to it.
    """

    criterion: str
    names: tuple[str, str]
    grown: Tree
    nodes: NDArray[np.intp]
    verdicts: Verdicts
    cut: NDArray[np.intp]
    places: NDArray[np.intp] | None = None
    tests: NDArray[np.intp] | None = None
    notes: tuple[str, ...] = ()

    def pruned(self) -> Tree:
        """The tree that is left, with this log."""
        return self.grown.cut(self.cut).with_log(self)

    def frontier(self) -> Reasons:
        """What stood where a leaf or a raised branch stands now; nodes are those of the pruned tree."""
        places, _ = self._origins()
        is_refused = np.isin(places, self.nodes[~self.verdicts.accepted])
        rows = np.searchsorted(self.nodes, places[is_refused])
        return self._reasons(np.flatnonzero(is_refused), rows)

    def examined(self) -> Reasons:
        """All nodes that were examined; nodes are those of the grown tree."""
        return self._reasons(self.nodes, np.arange(len(self.nodes)))

    def _origins(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """`places` and `tests`, also where nothing was raised."""
        if self.places is not None and self.tests is not None:
            return self.places, self.tests
        numbered = self.grown.with_annotations(place=np.arange(self.grown.n_nodes))
        kept = numbered.cut(self.cut).annotations["place"]
        return kept, kept

    def _reasons(self, nodes: NDArray[np.intp], rows: NDArray[np.intp]) -> Reasons:
        """The given rows of the log, told of `nodes`."""
        grown = self.grown
        places = self.nodes[rows]
        n_leaves = over_leaves(grown, np.ones(grown.n_nodes, np.int64))
        return Reasons(
            _one_line(self.criterion),
            self.names,
            nodes,
            tuple(
                "" if is_leaf else str(grown.conditions[split])
                for split, is_leaf in zip(grown.split_start[places].tolist(), grown.is_leaf[places], strict=True)
            ),
            n_leaves[places],
            self.verdicts.statistic[rows],
            self.verdicts.threshold[rows],
            tuple(self._outcomes()[rows].tolist()),
            self.notes,
        )

    def _outcomes(self) -> NDArray[np.str_]:
        """What became of each examined node; of a refused one below a cut, that it was cut."""
        places, tests = self._origins()
        is_raised = np.isin(self.nodes, places) & ~np.isin(self.nodes, self.cut)
        accepted = np.where(np.isin(self.nodes, tests), KEPT, LOST)
        refused = np.where(self.grown.is_leaf[self.nodes], CLOSED, np.where(is_raised, RAISED, CUT))
        return np.where(self.verdicts.accepted, accepted, refused)


def _one_line(criterion: str) -> str:
    """The text of a criterion without line ends, and without the places of functions in memory."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", " ".join(criterion.split()))


def log_of(
    criterion: object, names: tuple[str, str], grown: Tree, nodes: NDArray[np.intp], verdicts: Verdicts
) -> PruningLog:
    """The log of a criterion that examined these nodes, ascending, all at once, and cut those it refused."""
    return PruningLog(repr(criterion), names, grown, nodes, verdicts, nodes[~verdicts.accepted])


def known_log(tree: Tree) -> PruningLog | Reasons:
    """The log of a tree, or an empty one where no criterion has looked at it."""
    if tree.pruning_log is not None:
        return tree.pruning_log
    nobody = np.empty(0, np.intp)
    unknown = Verdicts(np.empty(0), np.empty(0), np.empty(0, bool))
    return PruningLog(HAND, ("statistic", "threshold"), tree, nobody, unknown, nobody)


def noted(tree: Tree, note: str) -> Tree:
    """The same tree, whose log has one more sentence about it as a whole."""
    log = known_log(tree)
    return tree.with_log(replace(log, notes=(*log.notes, note)))


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
