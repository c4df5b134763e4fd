"""What a pruning criterion is: one class that tells all hooks it may have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from petree.parts import WithParameters, check_part
from petree.pruning.engine.context import Context
from petree.pruning.engine.stumps import Stumps, Verdicts
from petree.tree import Tree


class Prunes(Protocol):
    """Anything that makes a tree of a tree: a `Criterion`, or an object of a user's own."""

    def prune(self, tree: Tree, context: Context | None = None) -> Tree: ...


@runtime_checkable
class Needy(Protocol):
    """An object of a user's own that names the parts of the context it needs."""

    needs: tuple[str, ...]


class Criterion(WithParameters, ABC):
    """A pruning criterion, and what it may declare; a member overrides what differs.

    A member derives from `CostCriterion` and has ``costs(tree)``: whole subtrees are compared with leaves; from
    `CountCostCriterion` with ``leaf_costs(counts)``, if the counts of a leaf say what it costs. Or from
    `StumpCriterion`, with ``judge(stumps, context)``: the test of a node is accepted or not. Or from this class, with
    ``_prune(tree, context)``: a walk of its own, such as `prune_down`. All leave a `PruningLog` in the tree.

    Attributes
    ----------
    names : (str, str)
        What the statistic and the threshold of the log are called.
    needs : tuple of str
        The parts of the `Context` without which it cannot work: "source" (with handles and keys), "held_out" (with
        read), "training", "grow_folds", "regrow", "reroute". None for a criterion that reads counts alone.
    counts_held_out : bool
        Whether of cases held out it asks no more than their class counts at the nodes.
    keep_equal : bool
        Where costs are compared: whether a subtree that costs what its leaf does stays.
    closes_nodes : bool
        Whether ``opens(counts, n_tests, n_cases)`` is asked while a tree grows, before the test of a node is sought.
    judges_while_growing : bool
        Whether ``judge(stumps, context)`` is asked for every test while a tree grows; a refused node is a leaf.
    chooses_tests : bool
        Whether, while a tree grows, the best of the tests that ``passes(children, child_start, keys)`` is taken.
    exchanges_rows : bool
        Whether rows are permuted, or drawn for a decision, one by one: it takes them for exchangeable, which rows of
        one group are not, so that estimators refuse groups.
    chooses_size : bool
        Whether an estimator chooses the size of the tree on inner folds, with the methods that `BestSize` has.
    """

    closes_nodes: ClassVar[bool] = False
    chooses_tests: ClassVar[bool] = False
    chooses_size: ClassVar[bool] = False
    keep_equal: bool = False

    @property
    def names(self) -> tuple[str, str]:
        return ("statistic", "threshold")

    @property
    def exchanges_rows(self) -> bool:
        return False

    @property
    def needs(self) -> tuple[str, ...]:
        return ()

    @property
    def counts_held_out(self) -> bool:
        return False

    @property
    def judges_while_growing(self) -> bool:
        return False

    def check(self) -> None:
        """Raise for a bad parameter. It is called before anything is grown, and before a tree is pruned."""

    def prune(self, tree: Tree, context: Context | None = None) -> Tree:
        """The tree that is left, with its log.

        Parameters
        ----------
        tree : Tree
            As it was grown.
        context : Context, optional
            What the criterion names in `needs`, which an estimator provides.
        """
        self.check()
        return self._prune(tree, context or Context())

    @abstractmethod
    def _prune(self, tree: Tree, context: Context) -> Tree:
        """The same, after the parameters have been checked."""

    def judge(self, stumps: Stumps, context: Context) -> Verdicts:
        """The verdict on the test of each of some nodes."""
        raise NotImplementedError

    def opens(self, counts: NDArray[np.float64], n_tests: NDArray[np.int64], n_cases: float) -> Verdicts:
        """The verdict on nodes without a test yet, for the best test that there could be; leaves are those refused.

        Of each node there are the class counts and the number of candidate tests; `n_cases` is the whole training set.
        """
        raise NotImplementedError

    def passes(
        self, children: NDArray[np.float64], child_start: NDArray[np.intp], keys: NDArray[np.uint64]
    ) -> NDArray[np.bool_]:
        """Which candidate tests may be used, by the class counts of their children and the random keys of their nodes.

        The children of test i stand at ``child_start[i]:child_start[i + 1]``.
        """
        raise NotImplementedError


class OwnCriterion(Criterion):
    """A user's own object with a method ``prune``; it may have `needs` and ``check()``, and prunes grown trees.

    To work while a tree grows, it has to derive from `Criterion`.
    """

    def __init__(self, own: Prunes) -> None:
        self.own = own

    @property
    def needs(self) -> tuple[str, ...]:
        return tuple(self.own.needs) if isinstance(self.own, Needy) else ()

    @property
    def exchanges_rows(self) -> bool:
        """Whether it gets what permutes rows; one that derives from `Criterion` can say that it does not."""
        return not {"source", "regrow"}.isdisjoint(self.needs)

    def check(self) -> None:
        check_part(self.own)

    def _prune(self, tree: Tree, context: Context) -> Tree:
        pruned = self.own.prune(tree, context)
        if not isinstance(pruned, Tree):
            raise TypeError(
                f"The method 'prune' of {type(self.own).__name__} must return a Tree. Got {pruned!r} instead."
            )
        return pruned


def as_criterion(criterion: Prunes) -> Criterion:
    """A criterion as it is, and an object of a user's own as one that declares no more than that."""
    return criterion if isinstance(criterion, Criterion) else OwnCriterion(criterion)
