"""Bayesian smoothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.bayes import Prior, WithPrior, average_down, posterior_shares, resolve_prior
from petree.smoothing.base import Smoothing
from petree.tree import Tree


class Bayes(WithPrior, Smoothing):
    """The mean over all prunings of the tree, each by its posterior probability (Buntine 1992, Equations 8 and 9).

    ``p = sum_j P(node j is leaf) (n_j + a) / (N_j + alpha)`` along the path, where P(node is leaf) is the posterior
    probability of the prunings that end there. A node above the leaves answers as if the tree were cut there, and keeps
    what the prunings that go on weigh.

    The posterior of a node's probabilities is a mixture of Dirichlet distributions. The strength is that of the one
    Dirichlet distribution of the same mean and of the same variance, summed over the classes.

    Parameters
    ----------
    prior : str or Prior, default="I"
        "I", "II", "III", "IV" or a `petree.bayes.Prior`. Its parameters are parameters too, such as ``prior__alpha``,
        which may be "auto".

    Examples
    --------
    >>> Bayes().set_params(prior__alpha=2.0)
    Bayes(prior=Prior(alpha=2.0))
    >>> Bayes().estimate(Tree.from_counts([[[8, 0], [0, 2]], [2, 8]]))[:, 0].round(6).tolist()
    [0.5, 0.772356, 0.227644, 0.940111, 0.180278]
    """

    def __init__(self, prior: str | Prior = "I") -> None:
        self.prior = prior

    def estimate(self, tree: Tree) -> NDArray[np.float64]:
        return np.minimum(self._mix(tree, resolve_prior(self.prior).estimate(tree)), 1)

    def strength(self, tree: Tree) -> NDArray[np.float64]:
        prior = resolve_prior(self.prior)
        own = prior.estimate(tree)
        cases = prior.strength(tree)
        within = (own * (1 - own)).sum(axis=1) / (cases + 1)  # variance of Dirichlet(cases * own)
        mixed = self._mix(tree, np.column_stack((own, (own**2).sum(axis=1), within, cases * within, cases)))
        mean = mixed[:, :-4]
        squares, within, kept, cases = mixed[:, -4:].T
        variance = within + np.maximum(squares - (mean**2).sum(axis=1), 0)
        # where all parts are certain of one class there is no variance but that of rounding
        return np.divide(kept, variance, out=cases.copy(), where=kept > 0)

    def _mix(self, tree: Tree, values: NDArray[np.float64]) -> NDArray[np.float64]:
        prior = resolve_prior(self.prior)
        return average_down(tree, posterior_shares(tree, prior.leaves(tree), prior.splits(tree)), values)
