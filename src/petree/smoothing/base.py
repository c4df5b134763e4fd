"""What an estimate of class probabilities is: one class that tells all it may have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Protocol, TypeGuard, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from petree.parts import WithParameters
from petree.threads import Threads
from petree.tree import Tree

Probabilities = NDArray[np.float64]
Table = TypeVar("Table")
TableIn = TypeVar("TableIn", contravariant=True)


class Estimates(Protocol):
    """Anything that gives the class probabilities of each node: a `Smoothing`, or an object of a user's own."""

    def estimate(self, tree: Tree) -> Probabilities: ...


@runtime_checkable
class Strong(Protocol):
    """What knows how many cases stand behind its estimates."""

    def strength(self, tree: Tree) -> NDArray[np.float64]: ...


class Router(Protocol[TableIn]):
    """What sends the rows of a table down a tree, such as `petree.routing.Router`."""

    def probabilities(
        self, table: TableIn, node_probabilities: Probabilities, threads: Threads, /
    ) -> Probabilities: ...

    def confused_probabilities(
        self, table: TableIn, node_probabilities: Probabilities, factor: float, threads: Threads, /
    ) -> Probabilities: ...

    def doubted_probabilities(
        self, table: TableIn, node_probabilities: Probabilities, doubt: float, threads: Threads, /
    ) -> Probabilities: ...


@runtime_checkable
class AnswersRows(Estimates, Protocol):
    """What knows whether its answers depend on more of a row than its leaf, and gives them."""

    @property
    def by_row(self) -> bool: ...

    def answer(self, tree: Tree, router: Router[Table], table: Table, threads: Threads) -> Probabilities: ...


class Smoothing(WithParameters, ABC):
    """An estimate of class probabilities, and what it may declare; a member overrides what differs.

    A member has ``estimate(tree)``, and ``strength(tree)`` where its own pseudo-cases stand behind that, too. Both
    check the parameters they use. Counts are those of the data, `tree.counts`, without class weights.

    Attributes
    ----------
    by_row : bool
        Whether the answer depends on more of a row than its leaf; then ``answer`` gives it.
    candidates : dict
        The values that are tried of each parameter that may be "auto", from the weakest smoothing to the strongest.
    """

    candidates: ClassVar[dict[str, tuple[float, ...]]] = {}

    @property
    def by_row(self) -> bool:
        return False

    @abstractmethod
    def estimate(self, tree: Tree) -> Probabilities:
        """Class probabilities of each node of a tree, an array (nodes, classes) whose rows sum to 1."""

    def strength(self, tree: Tree) -> NDArray[np.float64]:
        """The number of cases behind the estimate of each node, pseudo-cases included; an array (nodes,).

        A node's probabilities are Dirichlet(strength * estimate). Where the estimate is ``w f + (1 - w) q`` with f the
        frequencies of the node's own N cases, the strength is N / w.
        """
        return tree.counts.sum(axis=1)

    def answer(self, tree: Tree, router: Router[Table], table: Table, threads: Threads) -> Probabilities:
        """Class probabilities of the rows of a table, sent down the tree by its router."""
        return router.probabilities(table, self.estimate(tree), threads)


def goes_by_row(smoothing: Estimates) -> TypeGuard[AnswersRows]:
    """Whether the answers of a smoothing, maybe of a user's own, depend on more of a row than its leaf."""
    # the class first, since it takes longer to ask an object for all that a protocol has
    return isinstance(smoothing, (Smoothing, AnswersRows)) and smoothing.by_row


def strength_of(smoothing: Estimates, tree: Tree) -> NDArray[np.float64]:
    """The cases behind the estimates of a smoothing; those of the nodes where one of a user's own does not tell."""
    return smoothing.strength(tree) if isinstance(smoothing, (Smoothing, Strong)) else tree.counts.sum(axis=1)


def deepest_nodes(tree: Tree, has_enough: NDArray[np.bool_]) -> NDArray[np.intp]:
    """For each node the deepest one on the way to it, itself included, that has enough; the root where none has."""
    found: NDArray[Any] = np.where(has_enough, np.arange(tree.n_nodes), tree.parents)
    found[0] = 0
    while True:  # each round doubles the steps taken
        further = found[found]
        if np.array_equal(further, found):
            return found
        found = further
