"""What growing, pruning and the estimators ask of a source of data, and the records that go between them.

A source counts: given open nodes it finds the best test of each and divides their rows among the children. Whether
the rows lie in memory, on a cluster or in several tables is its own affair; the others see arrays with one row per
node. What a node is to the source, its handle, nobody else looks into.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from petree.conditions import Conditions
from petree.sources.found import Best
from petree.tree import Tree

if TYPE_CHECKING:  # workers that count know nothing of pruning
    from petree.pruning.engine.permutation_tests import PermutationTests, PruningWalk


@dataclass(frozen=True)
class Nodes:
    """Open nodes: the source's own handles (opaque, one row per node), class counts and numbers of rows.

    Counts have the weights of rows in them, but not those of classes. A handle is good for as long as its source:
    pruning comes back to nodes that were divided long ago.
    `allowed` says for each node and column whether it may be tested, where not all may.
    """

    handles: NDArray[Any]
    counts: NDArray[np.float64]
    sizes: NDArray[np.int64]
    allowed: NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.sizes)

    def take(self, rows: NDArray[Any]) -> Nodes:
        allowed = None if self.allowed is None else self.allowed[rows]
        return Nodes(self.handles[rows], self.counts[rows], self.sizes[rows], allowed)


@dataclass(frozen=True)
class Splits:
    """Splits of open nodes: `node` says which, `gain` how good, `tests` (opaque, one row per split) how.

    `node` is a place among the nodes that were asked for, ascending. A node without any split does not occur; a node
    with options may occur several times. `gain` is the split score, with the weights of classes in it. Tests are a
    one-dimensional array, such as one of records, and equal where they are the same test.
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


class Limits(NamedTuple):
    """How far open nodes may still grow: the level they are on, most waves from there on, and the least score."""

    level: int
    most_waves: int
    min_gain: float


@dataclass(frozen=True)
class Finished:
    """All that grows below some of the open nodes, and the other open nodes.

    Parameters
    ----------
    owners : array (splits,)
        The node of each split: open nodes by their places, then the children by theirs, counted on. Ascending.
    splits : Splits
    children : Nodes
        Those of all splits, one split's after the other's.
    n_children : array (splits,)
    left_open : array
        Places of the open nodes that are still to be split, ascending; no split is one of theirs.
    is_by_level : bool, default=True
        Whether the splits of a level stand before those of the next; where not, owners need not ascend.
    """

    owners: NDArray[np.intp]
    splits: Splits
    children: Nodes
    n_children: NDArray[np.intp]
    left_open: NDArray[np.intp]
    is_by_level: bool = True


def _refuse(source: object, what: str) -> NoReturn:
    raise ValueError(f"{type(source).__name__} cannot {what}; choose a pruning criterion that goes by counts alone.")


class Source(Protocol):
    """A place that can count.

    A class that inherits from it says by itself what stands in the first part: that is enough to grow trees, and to
    prune them by all criteria that go by counts. The second part is asked by criteria that look at the cases again, and
    refuses unless a source says more; the third is what only some sources can do, or do faster.
    """

    # -- what growing asks --------------------------------------------------------------------------------

    @abstractmethod
    def root(self) -> Nodes:
        """All rows as one node."""

    @abstractmethod
    def n_tests(self, nodes: Nodes) -> NDArray[np.int64]:
        """Number of candidate tests at each node, whether or not they divide it."""

    @abstractmethod
    def best_splits(self, nodes: Nodes) -> Splits:
        """The best test of each node that has any: the first of the best, each child with enough rows.

        docs/methods.md specifies the order of tests. The least rows of a child are told when the source is made.
        """

    @abstractmethod
    def divide(self, nodes: Nodes, splits: Splits) -> tuple[Nodes, NDArray[np.intp]]:
        """Children of the splits, one split after the other, and how many each split has.

        Every node has one split here: they stand side by side, so that `splits.node` is not needed.
        """

    @abstractmethod
    def conditions(self, waves: Sequence[NDArray[Any]]) -> Conditions:
        """The tests of all waves as conditions in the user's words."""

    # -- what some criteria ask ---------------------------------------------------------------------------

    def candidates(self, nodes: Nodes) -> Iterator[Candidates]:
        """Every test that divides some nodes, a few nodes at a time; of tests with equal tables the first is enough.

        All tests of a node come at the same time. Asked by criteria that choose a test while a tree grows.
        """
        _refuse(self, "list all tests of a node")

    def rows_of(self, handles: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The rows of some nodes by their places in the cases, one node's after the other's; how many each has.

        Asked where a branch is raised.
        """
        _refuse(self, "tell the rows of a node")

    def permuted(self, handle: Any, key: np.uint64) -> Self:
        """The cases of a node as a source of their own, their classes permuted as the key says.

        Asked by the randomisation of subtrees.
        """
        _refuse(self, "permute the classes of its cases")

    def exceedances(
        self, trials: PermutationTests, moves_attributes: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Permutations under which some test of a node has at least its score, and how many were tried.

        Class labels are permuted, or the attributes of objects: with one object per case that is the same. Asked by
        permutation tests.
        """
        _refuse(self, "permute the classes of its cases")

    def permutes(self, handles: NDArray[Any]) -> NDArray[np.bool_]:
        """Return which of some nodes `exceedances` can permute; for others the fallback of the tests stands."""
        return np.ones(len(handles), bool)

    # -- what only some have ------------------------------------------------------------------------------

    def finish(self, nodes: Nodes, limits: Limits) -> Finished | None:
        """All that grows below some of the nodes, in one go: the same splits as wave by wave.

        None where there is no faster way than wave by wave.
        """
        return None

    def annotate(self, tree: Tree, handles: NDArray[Any]) -> Tree:
        """A grown tree with what only the source can tell of its splits, such as what the choice of a cut costs."""
        return tree

    def forget(self) -> None:
        """Let go of what was kept to be faster, and would have to be found again; most sources keep nothing."""
        return

    def remarks(self) -> list[str]:
        """What was left out, in sentences to warn the user with."""
        return []

    @property
    def is_linked(self) -> bool:
        """Whether a case may have several objects, in tables of their own."""
        return False

    @property
    def is_plain_gain(self) -> bool:
        """Whether tests are binary and scored by the gain of whole counts, for which chances have bounds."""
        return False

    @property
    def are_tests_movable(self) -> bool:
        """Whether a test means the same at any node, so that a branch may stand in another place of the tree."""
        return True

    @property
    def pruning_walk(self) -> PruningWalk | None:
        """The permutation tests of a whole tree, from the leaves up, in one go; None where there is no faster way.

        The tests are of all nodes, and scores NaN at leaves. Only nodes whose children are all leaves, or have become
        ones by more than are allowed, are tested; the others have -1.
        """
        return None


@runtime_checkable
class SourceByColumn(Source, Protocol):
    """A source that tells the best test of each column, so that tests can be chosen with those below them.

    Its tests are records of `found.TEST`. Looking ahead divides a node by one test after the other: the children of the
    last one count.
    """

    @property
    def min_samples_leaf(self) -> int:
        """Least rows of a child."""

    def best_by_column(self, nodes: Nodes) -> list[Best]:
        """The best test of each column at each node, columns in the user's order."""

    def score_of(self, value: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores per case from the values of tests and the class counts of their nodes."""
