"""How tests are scored, whoever searches for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.parts import declared
from petree.splitting.base import Scores, SplitScore
from petree.tree import offsets


@dataclass(frozen=True, eq=False)
class Scoring:
    """A split score, the least rows of a child, and the weights of the classes; an empty array where there are none.

    Where `known_only`, a test is worth what it gains among the rows whose value it asks for is known; a mean over the
    cases is still one over all cases of the node (Quinlan 1993, section 3.2).
    """

    split: Scores
    min_samples_leaf: int
    class_weight: NDArray[np.float64]
    known_only: bool = False

    @property
    def per_case(self) -> bool:
        """Whether a score is a mean over the cases of a node; where it is a sum over them, the member says so."""
        return bool(declared(self.split, SplitScore, "per_case"))

    def score_of(self, value: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores from the values that are compared while searching, and the class counts of the nodes."""
        if not self.per_case:
            return value
        return value / (counts @ self.class_weight if len(self.class_weight) else counts.sum(axis=1))

    def of_children(self, children: NDArray[np.float64], n_children: NDArray[Any]) -> NDArray[np.float64]:
        """The scores of tests, by the class counts of all their children, one test's after the other's."""
        scores = np.empty(len(n_children))
        starts = offsets(n_children)
        for arity in np.unique(n_children).tolist():
            which = np.flatnonzero(n_children == arity)
            scores[which] = self.ask(children[starts[which, None] + np.arange(arity)])
        return scores

    def ask(self, children: NDArray[np.float64]) -> NDArray[np.float64]:
        """What the split score says of a block of tests; it must say one finite number of each."""
        try:
            score = np.asarray(self.split.score(children), np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"The split score {self.split!r} cannot score class counts: {error}.") from error
        if score.shape != children.shape[:-2] or not np.isfinite(score).all():
            raise ValueError(
                f"The split score {self.split!r} must give one finite number for each table of children and classes "
                f"(the last two axes): of counts of shape {children.shape} it gave an array of shape {score.shape}, "
                f"{np.count_nonzero(~np.isfinite(score))} of them not finite."
            )
        return score
