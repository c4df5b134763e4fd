"""What a fitted tree with options answers, of one table or of related ones."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from petree.bayes import WEIGHTS, Prior, Shares, posterior_shares, resolve_prior, split_probability
from petree.columns import Column
from petree.estimators.base import TreeClassifier
from petree.estimators.fitted import SingleTreeClassifier
from petree.estimators.intervals.bounds import Intervals
from petree.estimators.intervals.distributions import NodeDistributions
from petree.estimators.intervals.mixtures import mixture_bounds
from petree.estimators.replacing import by_one_model
from petree.inputs import Table
from petree.inputs.types import RandomState, TableLike
from petree.pruning.engine.counts import split_bits
from petree.routing import Mixer
from petree.threads import Threads
from petree.tree import Tree


class AveragedTrees(TreeClassifier):
    """A classifier that answers by the mean over all trees that its tree with options contains.

    A subclass gives `_mixing`, what sends rows down all ways and the rows as it knows them.
    """

    prior: str | Prior
    lookahead: int
    max_options: int
    option_depth: int | None
    factor: float
    max_depth: int
    min_samples_leaf: int
    max_nodes: int | None
    n_searches: int
    max_features: int | str | None
    growing: str
    max_seconds: float | None
    weights: str
    random_state: RandomState
    prior_: Prior
    shares_: Shares

    @abstractmethod
    def _mixing(self, table: Table, threads: Threads) -> tuple[Mixer, Table]:
        """The tree as rows are sent down all its ways, and a table of them with the columns that it asks for."""

    @abstractmethod
    def summary(self, max_leaves: int | None = 8) -> SingleTreeClassifier:
        """The most probable single tree of at most so many leaves, as a fitted classifier that can be read."""

    def resolved_prior(self) -> Prior:
        """The prior that the parameters name."""
        return resolve_prior(self.prior)

    def _set_fitted(self, tree: Tree, columns: Sequence[Column], classes: NDArray[Any], prior: Prior) -> None:
        self._set_tree(tree, columns, classes)
        self.prior_ = clone(prior)  # the user's own may change
        self.shares_ = posterior_shares(tree, *WEIGHTS[self.weights](tree, prior), by_search=self.n_searches > 1)
        self._distributions = NodeDistributions(self.tree_, self.prior_)
        self._pack()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name != "_distributions"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if self.__sklearn_is_fitted__():
            self._distributions = NodeDistributions(self.tree_, self.prior_)

    # -- predicting ---------------------------------------------------------------------------------------

    def _answer(self, table: Table, threads: Threads) -> NDArray[np.float64]:
        mixer, known = self._mixing(table, threads)
        return mixer.probabilities(known, self.prior_.estimate(self.tree_), threads)

    @by_one_model
    def predict_interval(self, X: TableLike, level: float = 0.9) -> Intervals:
        """Credible intervals of the class probabilities, from the mixture of all trees.

        The posterior of a probability is a mixture of Beta distributions, one for each node that the row reaches, by
        the posterior probability that a tree ends there.

        Parameters
        ----------
        X : as in `predict_proba`
        level : float, default=0.9
            Posterior probability of the interval, with as much below it as above.

        Returns
        -------
        lower, upper : array (rows, classes)
        n : array (rows,)
            Mean number of training cases in the nodes where trees end.
        """
        return self._intervals(self._read_known(X), level)

    def _intervals(self, table: Table, level: float) -> Intervals:
        threads = self._threads()
        mixer, known = self._mixing(table, threads)
        answer = mixer.probabilities(known, self.prior_.estimate(self.tree_), threads)
        found = mixture_bounds(mixer, known, self._distributions, answer, level, threads)
        return Intervals(*self._shift().bounds(found.lower, found.upper, answer), found.n)

    def _split_gains(self) -> NDArray[np.float64]:
        """The gain of each test in bits of its node's cases, by the posterior probability of the trees that have it."""
        return split_bits(self.tree_) * split_probability(self.tree_, self.shares_)
