"""Criteria that say yes or no to the best test of a node."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from petree.pruning.engine.bottom_up import prune_stumps
from petree.pruning.engine.context import Context
from petree.pruning.engine.correction import check_correction, prune_by_speakers
from petree.pruning.engine.stumps import Stumps, Verdicts
from petree.pruning.engine.top_down import prune_down
from petree.tree import Tree

TIMES = ("pre", "post")


def check_when(owner: Any) -> None:
    """Raise unless a criterion's 'when' is "pre" or "post"."""
    if owner.when not in TIMES:
        raise ValueError(
            f"The 'when' parameter of {type(owner).__name__} must be 'pre' or 'post'. Got {owner.when!r} instead."
        )


class Acceptance(BaseEstimator):
    """A criterion with ``judge(stumps, context)``, and a parameter `when`.

    With "post" stumps go bottom-up (CW488 section 2.2); with "pre" a node is split only if its test is accepted, while
    growing or, what comes to the same, from the root of a grown tree down. One that also has
    ``reach(stumps, context, most)`` may have a parameter `correction`.
    """

    names: ClassVar[tuple[str, str]] = ("statistic", "threshold")
    # Whether a verdict takes so little that all nodes are judged at once, also those that nobody will ask for.
    judges_at_once: ClassVar[bool] = False
    when: str
    correction: str | None = None

    def judge(self, stumps: Stumps, context: Context | None) -> Verdicts:
        """The verdict on each of some nodes."""
        raise NotImplementedError

    def reach(self, stumps: Stumps, context: Context | None, most: NDArray[np.float64]) -> NDArray[np.float64]:
        """The largest number of cases that the test of each of some nodes can speak for.

        Nobody asks beyond `most`; if that is more than the node's own cases, its own test is known to have passed.
        """
        raise NotImplementedError

    def check(self) -> None:
        """Raise for a bad parameter."""
        check_when(self)
        check_correction(self)

    def prune(self, tree: Tree, context: Context | None = None) -> Tree:
        self.check()
        return self._prune(tree, context)

    def _prune(self, tree: Tree, context: Context | None) -> Tree:
        if self.correction is not None:
            return prune_by_speakers(self, tree, lambda stumps, most: self.reach(stumps, context, most)).pruned()
        if self.when == "post":
            return prune_stumps(self, tree, lambda stumps: self.judge(stumps, context), self.names).pruned()
        log = prune_down(self, tree, lambda nodes: self.judge(Stumps.of(tree, nodes), context), self.names)
        return log.pruned()
