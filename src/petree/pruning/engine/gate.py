"""A criterion at work while a tree grows: it closes nodes before their test is sought, and refuses tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.pruning.engine.context import Context
from petree.pruning.engine.log import Notes
from petree.pruning.engine.stumps import Stumps, Verdicts
from petree.tree import Tree


def pruned_by(criterion: Any, tree: Tree, context: Context | None) -> Tree:
    """What a criterion, maybe of a user's own, makes of a tree."""
    pruned = criterion.prune(tree, context)
    if not isinstance(pruned, Tree):
        raise TypeError(f"The method 'prune' of {type(criterion).__name__} must return a Tree. Got {pruned!r} instead.")
    return pruned


class Gate:
    """What the growing loop asks of a criterion.

    A criterion with ``opens(counts, n_tests, n_cases)`` has verdicts on nodes before their test is sought: those that
    it does not accept are leaves, and its numbers are those of the best test that there could be;
    one whose `when` is "pre" judges that test as well, and with ``passes(children, child_start, keys)`` it chooses it:
    where the best test of a node does not pass, the next one by its score is asked.
    """

    def __init__(self, criterion: Any, seed: int = 0) -> None:
        self.criterion = criterion
        self.seed = seed
        self.judges = getattr(criterion, "when", None) == "pre" and hasattr(criterion, "judge")
        self.chooses = self.judges and hasattr(criterion, "passes")
        self._opens = getattr(criterion, "opens", None)
        self._notes = Notes()
        self._cut: list[NDArray[np.intp]] = []

    @property
    def is_active(self) -> bool:
        """Whether it has any say while the tree grows."""
        return self.judges or self._opens is not None

    def opens(
        self, nodes: NDArray[np.intp], counts: NDArray[np.float64], n_tests: NDArray[np.int64], n_cases: float
    ) -> NDArray[np.bool_]:
        """Which of some nodes may be split."""
        if self._opens is None:
            return np.ones(len(nodes), bool)
        verdicts: Verdicts = self._opens(counts, n_tests, n_cases)
        is_closed = ~verdicts.accepted
        self._notes.add(nodes[is_closed], verdicts.take(is_closed))
        return verdicts.accepted

    def accepts(self, stumps: Stumps, context: Context) -> NDArray[np.bool_]:
        """Which of some nodes keep the split they just got."""
        verdicts = self.criterion.judge(stumps, context)
        self._notes.add(stumps.nodes, verdicts)
        self._cut.append(stumps.nodes[~verdicts.accepted])
        accepted: NDArray[np.bool_] = verdicts.accepted
        return accepted

    def finish(self, tree: Tree, context: Context) -> Tree:
        """The pruned tree; `tree` still has the splits that were refused."""
        if not self.judges:
            pruned = pruned_by(self.criterion, tree, context)
            return pruned if self._opens is None else self._with_closed(pruned)
        cut = np.concatenate([np.empty(0, np.intp), *self._cut])
        return self._notes.log(self.criterion, self.criterion.names, tree, cut).pruned()

    def _with_closed(self, pruned: Tree) -> Tree:
        """The pruned tree, whose log tells of the closed nodes too."""
        log = pruned.pruning_log
        self._notes.add(log.nodes, log.verdicts)
        return pruned.with_log(self._notes.log(self.criterion, log.names, log.grown, log.cut))
