"""The most probable pruning."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from petree.bayes import WithPrior, resolve_prior
from petree.pruning.criterion import check_when
from petree.pruning.engine.bottom_up import is_cheaper, prune_by_cost
from petree.pruning.engine.context import Context
from petree.pruning.engine.stumps import Stumps, Verdicts, refuse_options
from petree.pruning.engine.top_down import prune_down
from petree.tree import Tree


class MAP(WithPrior):
    """The pruning of largest posterior probability (Buntine 1992, section 3.2).

    A subtree stays if its weight in the prior times the evidence of its leaves, ``P(T) prod_leaves B(n + a) / B(a)``,
    is more than that of the node as a leaf. The log has minus their natural logarithms.

    Parameters
    ----------
    prior : str or Prior, default="III"
        "I", "II", "III", "IV" or a `petree.bayes.Prior`. Its parameters are parameters too, such as ``prior__alpha``.
        Under "I" and "II", which do not pay for the choice of a test among many, much of what fits noise stays.
    when : {"post", "pre"}, default="post"
        Bottom-up over whole subtrees; or from the root down, where a test stays if the stump it makes is more probable
        than the leaf.
    """

    names: ClassVar[tuple[str, str]] = ("-ln P of the subtree", "-ln P of the leaf")

    def __init__(self, prior: Any = "III", when: str = "post") -> None:
        self.prior = prior
        self.when = when

    def check(self) -> None:
        """Raise for a bad parameter."""
        check_when(self)
        resolve_prior(self.prior).check()

    def prune(self, tree: Tree, context: Context | None = None) -> Tree:
        self.check()
        refuse_options(tree)
        prior, weighed = resolve_prior(self.prior), replace(tree, counts=tree.weighted_counts)
        leaf, split = -prior.leaves(weighed), np.zeros(tree.n_nodes)
        split[tree.split_nodes] = -prior.splits(weighed)
        if self.when == "post":
            return prune_by_cost(self, tree, leaf, split, self.names).pruned()

        def judge(nodes: NDArray[np.intp]) -> Verdicts:
            stump = split[nodes] + Stumps.of(tree, nodes).sum(leaf[tree.children_of(nodes)])
            return Verdicts(stump, leaf[nodes], is_cheaper(stump, leaf[nodes]))

        return prune_down(self, tree, judge, ("-ln P of the stump", self.names[1])).pruned()
