"""The most probable pruning."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from petree.bayes import Prior, WithPrior, resolve_prior
from petree.pruning.by_cost import CostCriterion, Costs
from petree.pruning.by_stump import check_when
from petree.pruning.engine.bottom_up import is_cheaper
from petree.pruning.engine.context import Context
from petree.pruning.engine.stumps import Stumps, Verdicts, refuse_options
from petree.pruning.engine.top_down import prune_down
from petree.tree import Tree


class MAP(WithPrior, CostCriterion):
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

    def __init__(self, prior: str | Prior = "III", when: str = "post") -> None:
        self.prior = prior
        self.when = when

    @property
    def names(self) -> tuple[str, str]:
        grown = "the subtree" if self.when == "post" else "the test"
        return (f"how improbable {grown} is (-ln P)", "how improbable one leaf is (-ln P)")

    def check(self) -> None:
        check_when(self, self.when)
        resolve_prior(self.prior).check()

    def costs(self, tree: Tree) -> Costs:
        prior = resolve_prior(self.prior)
        weighed = replace(tree, counts=tree.weighted_counts)
        split = np.zeros(tree.n_nodes)
        split[tree.split_nodes] = -prior.splits(weighed)
        return Costs(-prior.leaves(weighed), split)

    def _prune(self, tree: Tree, context: Context) -> Tree:
        if self.when == "post":
            return super()._prune(tree, context)
        refuse_options(tree)
        leaf, split = self.costs(tree)

        def judge(nodes: NDArray[np.intp]) -> Verdicts:
            stump = split[nodes] + Stumps.of(tree, nodes).sum(leaf[tree.children_of(nodes)])
            return Verdicts(stump, leaf[nodes], is_cheaper(stump, leaf[nodes]))

        return prune_down(self, tree, judge, self.names).pruned()
