"""Randomisation tests of whole subtrees."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from petree.parts import check_integer, check_number, has_method
from petree.pruning.criteria.errors.error_based import ErrorBased
from petree.pruning.criterion import Criterion, Prunes, as_criterion
from petree.pruning.engine.bottom_up import is_cheaper
from petree.pruning.engine.context import PARTS, Context, require
from petree.pruning.engine.counts import errors, over_leaves
from petree.pruning.engine.stumps import Verdicts
from petree.pruning.engine.top_down import prune_down
from petree.tree import Tree


class SubtreeRandomisation(Criterion):
    """A pruned subtree stays if it saves more errors than most subtrees of permuted classes (Oates & Jensen 1998).

    The tree is pruned by another criterion first. At an inner node the classes of its training cases are permuted R
    times, and each time a tree is grown from them and pruned in the same way. Its score, as that of the subtree itself,
    are the training errors that it makes less than a leaf; the subtree stays if its score is strictly above at least
    ``ceil((1 - alpha) R)`` of the others. Nodes are judged from the root down, since what lies below a refused one goes
    with it. All this growing takes long: up to R times that of the tree, for every level of it.

    Parameters
    ----------
    alpha : float, default=0.05
        Level of the test.
    permutations : int, default=100
        The R of the definition.
    criterion : pruning criterion, optional
        By which trees are pruned before they are compared; by default `ErrorBased`. It may need the rows of the nodes,
        but no cases held out, and may not raise subtrees.
    """

    names = ("shuffles of the classes whose own tree saves as much, counted to one too many", "allowed")
    needs = ("source", "regrow")
    exchanges_rows = True

    def __init__(self, alpha: float = 0.05, permutations: int = 100, criterion: Prunes | None = None) -> None:
        self.alpha = alpha
        self.permutations = permutations
        self.criterion = criterion

    def check(self) -> None:
        check_number(self, "alpha", 0, most=1)
        check_integer(self, "permutations", 1)
        if self.criterion is not None and not has_method(self.criterion, "prune"):
            raise TypeError(
                "The 'criterion' parameter of SubtreeRandomisation must be None or a pruning criterion, such as "
                f"petree.pruning.ErrorBased(). Got {self.criterion!r} instead."
            )
        criterion = self._criterion()
        for part in set(criterion.needs) - {"source"}:
            raise ValueError(
                f"{type(self.criterion).__name__} needs {PARTS.get(part, part)}, so it cannot be used inside of "
                "SubtreeRandomisation; choose another 'criterion', such as petree.pruning.ErrorBased()."
            )
        criterion.check()

    def _prune(self, tree: Tree, context: Context) -> Tree:
        regrow = require(self, "regrow", context.regrow)
        criterion = self._criterion()
        pruned = criterion.prune(tree, context)
        places = grown_nodes(tree, pruned)
        saved = saved_errors(pruned)
        allowed = self.permutations - math.ceil((1 - self.alpha) * self.permutations - 1e-9)

        def judge(nodes: NDArray[np.intp]) -> Verdicts:
            found = np.array([self._count(regrow(criterion, places[node]), saved[node], allowed) for node in nodes])
            return Verdicts.of_counts(found, allowed)

        return prune_down(self, pruned, judge, self.names).pruned()

    def _criterion(self) -> Criterion:
        return ErrorBased() if self.criterion is None else as_criterion(self.criterion)

    def _count(self, regrown: Iterator[Tree], saved: float, allowed: int) -> int:
        """Regrown trees that save as many errors; no more are grown than the verdict takes."""
        found = 0
        for done, tree in enumerate(islice(regrown, self.permutations), 1):
            found += not is_cheaper(saved_errors(tree)[:1], np.array([saved]))[0]
            if found > allowed or found + self.permutations - done <= allowed:
                break
        return found


def grown_nodes(tree: Tree, pruned: Tree) -> NDArray[np.intp]:
    """The node of the grown tree that each node of the pruned one is."""
    cut = [] if pruned.pruning_log is None else pruned.pruning_log.cut
    nodes: NDArray[np.intp] = tree.with_annotations(node=np.arange(tree.n_nodes)).cut(cut).annotations["node"]
    if not np.array_equal(pruned.counts, tree.counts[nodes]):
        raise ValueError(
            "SubtreeRandomisation needs a 'criterion' that cuts nodes and logs which, and does nothing else."
        )
    return nodes


def saved_errors(tree: Tree) -> NDArray[np.float64]:
    """Training errors of each node as a leaf, less those of its leaves."""
    wrong = errors(tree.weighted_counts)
    return wrong - over_leaves(tree, wrong)
