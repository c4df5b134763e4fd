"""What the growing loop asks of a source of data, and the records that go between them.

A source counts: given open nodes it finds the best test of each and divides their rows among the children. Whether
the rows lie in memory, on a cluster or in several tables is its own affair; the loop sees arrays with one row a node.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from petree.conditions import Conditions
from petree.pruning.engine.trials import Trials


@dataclass(frozen=True)
class Nodes:
    """Open nodes: the source's own handles (opaque, one row a node), class counts and numbers of rows."""

    handles: NDArray[Any]
    counts: NDArray[np.float64]
    sizes: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.sizes)

    def take(self, rows: NDArray[Any]) -> Nodes:
        return Nodes(self.handles[rows], self.counts[rows], self.sizes[rows])


@dataclass(frozen=True)
class Splits:
    """Splits of open nodes: `node` says which, `gain` how good, `tests` (opaque, one row a split) how.

    A node without any split does not occur; a node with options may occur several times.
    """

    node: NDArray[np.intp]
    gain: NDArray[np.float64]
    tests: NDArray[Any]

    def __len__(self) -> int:
        return len(self.node)

    def take(self, rows: NDArray[Any]) -> Splits:
        return Splits(self.node[rows], self.gain[rows], self.tests[rows])


@dataclass(frozen=True)
class Candidates:
    """Tests of open nodes in the order in which they are generated, with the class counts of all their children.

    Counts are times the class weights; children stand one test's after the other's, `n_children` says how many each
    has.
    """

    splits: Splits
    children: NDArray[np.float64]
    n_children: NDArray[np.intp]


@dataclass(frozen=True)
class Wave:
    """Splits of some open nodes (`owners` says which), the children of all of them, and how many each split has."""

    owners: NDArray[np.intp]
    splits: Splits
    children: Nodes
    n_children: NDArray[np.intp]


class Source(Protocol):
    """A place that can count."""

    def root(self) -> Nodes:
        """All rows as one node."""

    def n_tests(self, nodes: Nodes) -> NDArray[np.int64]:
        """Number of candidate tests at each node, whether or not they divide it."""

    def best_splits(self, nodes: Nodes) -> Splits:
        """The best test of each node that has any."""

    def candidates(self, nodes: Nodes) -> Iterator[Candidates]:
        """Every test that divides some nodes, a few nodes at a time; of tests with equal tables the first is enough."""

    def finish(self, nodes: Nodes, level: int, most_waves: int, min_gain: float) -> list[Wave] | None:
        """All further waves at once, where that is worth while: the same splits as wave by wave, but in one go."""

    def divide(self, nodes: Nodes, splits: Splits) -> tuple[Nodes, NDArray[np.intp]]:
        """Children of the splits, one split after the other, and how many each split has."""

    def exceedances(
        self, trials: Trials, moves_attributes: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Permutations under which some test of a node has at least its score, and how many were tried.

        Class labels are permuted, or the attributes of objects: with one object a case that is the same.
        """

    def prune_up(self, trials: Trials, parents: NDArray[np.int32]) -> NDArray[np.int64] | None:
        """The permutations found from the leaves of a tree up, in one go where the source can; None where it cannot.

        Trials are of all nodes, and scores NaN at leaves. Only nodes whose children are all leaves, or have become ones
        by more than are allowed, are tested; the others have -1.
        """

    def permuted(self, handle: Any, key: np.uint64) -> Source:
        """The cases of a node as a source of their own, their classes permuted as the key says."""

    @property
    def is_linked(self) -> bool:
        """Whether a case may have several objects, in tables of their own."""

    @property
    def is_plain_gain(self) -> bool:
        """Whether tests are binary and scored by the gain of whole counts."""

    def conditions(self, waves: Sequence[NDArray[Any]]) -> Conditions:
        """The tests of all waves as conditions in the user's words."""
