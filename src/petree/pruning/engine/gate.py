"""A criterion at work while a tree grows: it closes nodes before their test is sought, and refuses tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.pruning.criterion import Criterion
from petree.pruning.engine.context import Context
from petree.pruning.engine.log import Notes, PruningLog
from petree.pruning.engine.stumps import Stumps
from petree.tree import Tree


class Gate:
    """What the growing loop asks of a criterion, as this declares: see `Criterion`."""

    def __init__(self, criterion: Criterion, seed: int = 0) -> None:
        self.criterion = criterion
        self.seed = seed
        self.judges = criterion.judges_while_growing
        self.chooses = self.judges and criterion.chooses_tests
        self._notes = Notes()
        self._cut: list[NDArray[np.intp]] = []

    @property
    def is_active(self) -> bool:
        """Whether it does anything while the tree grows."""
        return self.judges or self.criterion.closes_nodes

    def opens(
        self, nodes: NDArray[np.intp], counts: NDArray[np.float64], n_tests: NDArray[np.int64], n_cases: float
    ) -> NDArray[np.bool_]:
        """Which of some nodes may be split."""
        if not self.criterion.closes_nodes:
            return np.ones(len(nodes), bool)
        verdicts = self.criterion.opens(counts, n_tests, n_cases)
        is_closed = ~verdicts.accepted
        self._notes.add(nodes[is_closed], verdicts.take(is_closed))
        return verdicts.accepted

    def accepts(self, stumps: Stumps, context: Context) -> NDArray[np.bool_]:
        """Which of some nodes keep the split they just got."""
        verdicts = self.criterion.judge(stumps, context)
        self._notes.add(stumps.nodes, verdicts)
        self._cut.append(stumps.nodes[~verdicts.accepted])
        return verdicts.accepted

    def finish(self, tree: Tree, context: Context) -> Tree:
        """The pruned tree; `tree` still has the splits that were refused."""
        if self.judges:
            cut = np.concatenate([np.empty(0, np.intp), *self._cut])
            return self._notes.log(self.criterion, self.criterion.names, tree, cut).pruned()
        pruned = self.criterion.prune(tree, context)
        return self._with_closed(pruned, pruned.pruning_log) if self.criterion.closes_nodes else pruned

    def _with_closed(self, pruned: Tree, log: PruningLog) -> Tree:
        """The pruned tree, whose log tells of the closed nodes too."""
        self._notes.add(log.nodes, log.verdicts)
        return pruned.with_log(self._notes.log(self.criterion, log.names, log.grown, log.cut))
