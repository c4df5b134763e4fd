"""What the estimates share."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from petree.tree import Tree


class Smoothing(BaseEstimator):
    """A member answers by node and has nothing to tune, unless it says otherwise.

    Every member has ``estimate(tree)``, the class probabilities of each node, and ``strength(tree)``, the number of
    cases behind them with the member's own pseudo-cases: a node's probabilities are Dirichlet(strength * estimate).
    Where the estimate is ``w f + (1 - w) q`` with f the frequencies of the node's own N cases, the strength is N / w.

    Attributes
    ----------
    by_row : bool
        Whether the answer depends on more of a row than its leaf; ``answer(tree, router, table, threads)`` gives it.
    candidates : dict
        The values that are tried of each parameter that may be "auto".
    """

    by_row: ClassVar[bool] = False
    candidates: ClassVar[dict[str, tuple[float, ...]]] = {}


def strength_of(member: Any, tree: Tree) -> NDArray[np.float64]:
    """What a member says of its strength; the cases of the nodes where it says nothing."""
    return member.strength(tree) if hasattr(member, "strength") else tree.counts.sum(axis=1)


def nested_parameters(name: str, part: Any) -> dict[str, Any]:
    """A part of a member and the part's own parameters, by their names in the member."""
    nested = part.get_params() if hasattr(part, "get_params") else {}
    return {name: part, **{f"{name}__{inner}": value for inner, value in nested.items()}}


def speakers(tree: Tree, can_speak: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The deepest node on the way to each node that can speak for it; the root where none can."""
    speaker: NDArray[Any] = np.where(can_speak, np.arange(tree.n_nodes), tree.parents)
    speaker[0] = 0
    while True:  # each round doubles the steps taken
        further = speaker[speaker]
        if np.array_equal(further, speaker):
            return speaker
        speaker = further
