"""What some criteria need beyond the counts of a tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Context:
    """The world behind a grown tree; what is not to be had is None.

    Parameters
    ----------
    source : Source
        Where the tree was grown from, with the rows of every node.
    handles, keys : array
        The source's handle and the random key of each node.
    nodes : array, optional
        The nodes that `handles` and `keys` belong to, ascending; all nodes if it is not given.
    seed : int
        Where random numbers begin.
    held_out : HeldOut
        Cases that the tree was not grown from.
    grow_folds : callable
        ``grow_folds(k)`` grows a tree without each of k folds of the cases, and gives it with the left-out cases' counts.
    regrow : callable
        ``regrow(handle, classes)`` grows and prunes a tree on a node's rows with other classes.
    """

    source: Any = None
    handles: NDArray[Any] | None = None
    keys: NDArray[np.uint64] | None = None
    nodes: NDArray[np.intp] | None = None
    seed: int = 0
    held_out: Any = None
    grow_folds: Callable[..., Any] | None = None
    regrow: Callable[..., Any] | None = None


    def places(self, nodes: NDArray[np.intp]) -> NDArray[np.intp]:
        """Where some nodes stand in `handles` and `keys`."""
        return nodes if self.nodes is None else np.searchsorted(self.nodes, nodes)


# What to say where a part of the context is missing.
PARTS = {
    "source": "the rows of every node",
    "handles": "the rows of every node",
    "keys": "the rows of every node",
    "held_out": "cases that the tree was not grown from",
    "grow_folds": "the training data",
    "regrow": "the training data",
}


def require(criterion: object, context: Context | None, part: str) -> Any:
    """A part of the context, or a sentence that says where to get it."""
    found = getattr(context, part, None)
    if found is None:
        raise ValueError(
            f"{type(criterion).__name__} needs {PARTS[part]}, not only the counts of a tree; "
            "give it to an estimator as its 'pruning' parameter and fit that."
        )
    return found
