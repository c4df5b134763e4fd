"""Randomisation tests."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from petree.parts import check_integer, check_number
from petree.pruning.acceptance import Acceptance, check_when
from petree.pruning.context import Context, require
from petree.pruning.log import Notes
from petree.pruning.stumps import Stumps, Verdicts, inner_nodes
from petree.tree import Tree

# Bits by which a gain must exceed what permutations can reach for no permutation to be needed: a chance below 1e-9.
CERTAIN_BITS = 30


class Rand(Acceptance):
    """A test stays if its score beats the best score of most permutations of the node's class labels (CW488 section 4.2).

    The labels of the node's cases are permuted R times, and each time the best score over all candidate tests is
    sought; the node's test is accepted if its score is strictly above at least ``ceil((1 - alpha) R)`` of these.

    Parameters
    ----------
    alpha : float, default=0.05
        Level of the test.
    permutations : int, default=100
        The R of the definition.
    when : {"post", "pre"}, default="post"
        Whether the stumps of a grown tree are tested bottom-up, or every node before it is split.
    """

    names: ClassVar[tuple[str, str]] = ("permutations that did as well", "allowed")
    needs: ClassVar[tuple[str, ...]] = ("source",)

    def __init__(self, alpha: float = 0.05, permutations: int = 100, when: str = "post") -> None:
        self.alpha = alpha
        self.permutations = permutations
        self.when = when

    def judge(self, stumps: Stumps, context: Context | None) -> Verdicts:
        source, handles, keys = self._ask(context)
        found = np.zeros(len(stumps), np.int64)
        asked = np.flatnonzero(~self._are_certain(stumps) if source.is_plain_gain else np.ones(len(stumps), bool))
        places = context.places(stumps.nodes[asked]) if context else asked
        found[asked] = source.exceedances(
            handles[places], stumps.counts[asked], keys[places], stumps.score[asked], self.permutations, self._allowed()
        )
        return self._verdicts(found)

    def prune(self, tree: Tree, context: Context | None = None) -> Tree:
        """The pruned tree; stumps are tested in one go where the source can."""
        check_when(self)
        source, handles, keys = self._ask(context)
        if self.when == "pre" or not source.is_plain_gain or tree.is_dag:
            return super().prune(tree, context)
        is_certain = np.zeros(tree.n_nodes, bool)
        inner = inner_nodes(tree)
        is_certain[inner] = self._are_certain(Stumps.of(tree, inner))
        found = source.prune_up(
            handles, tree.counts, keys, tree.annotations["gain"], tree.parents, is_certain, self.permutations,
            self._allowed(),
        )  # fmt: skip
        if found is None:
            return super().prune(tree, context)
        notes, nodes = Notes(), np.flatnonzero(found >= 0)
        notes.add(nodes, self._verdicts(found[nodes]))
        return notes.log(self, self.names, tree, np.flatnonzero(found > self._allowed())).pruned()

    def _ask(self, context: Context | None) -> tuple[Any, Any, Any]:
        """Source, handles and keys, once the parameters are right."""
        check_number(self, "alpha", 0)
        check_integer(self, "permutations", 1)
        source, handles, keys = (require(self, context, part) for part in ("source", "handles", "keys"))
        return source, handles, keys

    def _allowed(self) -> int:
        """Permutations that may do as well."""
        return int(self.permutations) - math.ceil((1 - self.alpha) * self.permutations - 1e-9)

    def _verdicts(self, found: NDArray[np.int64]) -> Verdicts:
        allowed = self._allowed()
        return Verdicts(found.astype(np.float64), np.full(len(found), float(allowed)), found <= allowed)

    def _are_certain(self, stumps: Stumps) -> NDArray[np.bool_]:
        """Nodes whose gain no permutation reaches, but for a chance below 1e-9 (method of types).

        A permutation gives a test one of fewer than ``prod (n_c + 1)`` tables, the largest class left out, each that
        gains g with a chance below ``(N + 1) 2^(-N g)``.
        """
        n_cases = stumps.counts.sum(axis=1)
        tables = np.log2(stumps.counts + 1).sum(axis=1) - np.log2(stumps.counts.max(axis=1) + 1) + np.log2(n_cases + 1)
        chances = np.log2(self.permutations * np.maximum(stumps.n_tests, 1))
        return n_cases * stumps.score > tables + chances + CERTAIN_BITS
