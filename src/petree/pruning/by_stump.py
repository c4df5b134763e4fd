"""Criteria that say yes or no to the test of a node."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from petree.pruning.criterion import Criterion
from petree.pruning.engine.bottom_up import prune_stumps
from petree.pruning.engine.context import Context
from petree.pruning.engine.correction import check_correction, prune_by_corrected_tests
from petree.pruning.engine.stumps import Stumps, Verdicts
from petree.pruning.engine.top_down import prune_down
from petree.tree import Tree

TIMES = ("pre", "post")


def check_when(criterion: Criterion, when: str) -> None:
    """Raise unless the 'when' of a criterion is "pre" or "post"."""
    if when not in TIMES:
        raise ValueError(
            f"The 'when' parameter of {type(criterion).__name__} must be 'pre' or 'post'. Got {when!r} instead."
        )


class StumpCriterion(Criterion):
    """A criterion with ``judge(stumps, context)``, and a parameter `when` ("post" for a member that takes none).

    With "post" stumps, nodes whose children are leaves, are judged bottom-up (Fierens et al. 2007, section 2.3); with
    "pre" a node is split only if its test is accepted (section 2.2), while growing or, what comes to the same, from the
    root of a grown tree down. One that also has ``supported_cases(stumps, context, most)`` may have a parameter
    `correction`.

    Attributes
    ----------
    judges_at_once : bool
        Whether a verdict takes so little that all nodes are judged at once, also those that nobody will ask for.
    """

    judges_at_once: ClassVar[bool] = False
    when: str = "post"
    correction: str | None = None

    @abstractmethod
    def judge(self, stumps: Stumps, context: Context) -> Verdicts:
        """The verdict on the test of each of some nodes, without a look at what lies below their children."""

    @property
    def judges_while_growing(self) -> bool:
        return self.when == "pre"

    def supported_cases(self, stumps: Stumps, context: Context, most: NDArray[np.float64]) -> NDArray[np.float64]:
        """The largest number of cases that a node at or above each stump may have for the test to keep its split.

        Nobody asks beyond `most`; if that is more than the stump's own cases, its own test is known to have passed.
        """
        raise NotImplementedError

    def check(self) -> None:
        check_when(self, self.when)
        check_correction(self, self.when, self.correction)

    def _prune(self, tree: Tree, context: Context) -> Tree:
        if self.correction is not None:
            log = prune_by_corrected_tests(self, tree, lambda stumps, most: self.supported_cases(stumps, context, most))
        elif self.when == "post":
            log = prune_stumps(self, tree, lambda stumps: self.judge(stumps, context), self.names, self.judges_at_once)
        else:
            log = prune_down(self, tree, lambda nodes: self.judge(Stumps.of(tree, nodes), context), self.names)
        return log.pruned()
