"""What a criterion asks of a source that permutes its cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class PermutationTests:
    """Permutation tests of some nodes, one row per node.

    Parameters
    ----------
    handles, counts : array
        What the source knows the nodes by, and their class counts.
    keys : array
        The random key of each node, from which its permutations follow.
    scores : array
        What the best test of a permutation has to reach.
    n_permutations : array
        How many to try at each node.
    allowed : int
        How many may reach the score; a node is done as soon as one more is found.
    fallback : array, optional
        What stands for the number found at nodes whose cases the source cannot permute; given if there are any
        (`Source.permutes`).
    """

    handles: NDArray[Any]
    counts: NDArray[np.float64]
    keys: NDArray[np.uint64]
    scores: NDArray[np.float64]
    n_permutations: NDArray[np.int64]
    allowed: int
    fallback: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.handles)

    def take(self, which: NDArray[np.intp]) -> PermutationTests:
        """Those of some of the nodes."""
        return PermutationTests(
            self.handles[which],
            self.counts[which],
            self.keys[which],
            self.scores[which],
            self.n_permutations[which],
            self.allowed,
            None if self.fallback is None else self.fallback[which],
        )


# ``walk(trials, parents)``: of the nodes of a tree, how many permutations reach their scores, from the leaves up.
PruningWalk = Callable[[PermutationTests, NDArray[np.int32]], NDArray[np.int64]]
