"""What a fitted tree answers, and how it is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.utils.validation import check_is_fitted

from petree import reading
from petree.columns import Column
from petree.estimators.certainty import Certainty
from petree.estimators.choosing import most_probable_codes
from petree.estimators.importances import shares_of_columns
from petree.estimators.intervals import Intervals, node_bounds
from petree.estimators.nested import WithParts
from petree.estimators.replacing import by_one_model
from petree.estimators.sizes import Sizes
from petree.estimators.tables import TableReader
from petree.estimators.tuning import Tuning
from petree.inputs import Table
from petree.parts import declared
from petree.pruning.engine.counts import split_bits
from petree.routing import Router
from petree.smoothing import goes_by_row
from petree.splitting import SplitScore
from petree.threads import Threads, count_threads
from petree.tree import Tree


class FittedTree(WithParts, TableReader):
    """An estimator that sends the rows of a table down a tree."""

    n_jobs: int | None

    def _set_fitted(
        self,
        tree: Tree,
        columns: Sequence[Column],
        classes: NDArray[Any],
        split: Any,
        smoothing: Any,
        tuning: Tuning | None,
    ) -> None:
        self.tree_ = tree
        self.columns_ = tuple(columns)
        self.classes_ = classes
        self.n_features_in_ = len(self.columns_)
        self.split_ = split
        self.smoothing_ = smoothing
        self.__dict__.pop("tuning_", None)
        if tuning is not None:
            self.tuning_ = tuning
        self.node_probabilities_ = smoothing.estimate(tree)
        self._keep_router()

    def _note_sizes(self, sizes: Sizes | None) -> None:
        """Keep the sizes that the tree could have had, where one was chosen."""
        self.__dict__.pop("sizes_", None)
        if sizes is not None:
            self.sizes_ = sizes

    def _note_certainty(self, certainty: Certainty | None) -> None:
        """Keep what the leaves are worth, where that is known."""
        self.__dict__.pop("certainty_", None)
        if certainty is not None:
            self.certainty_ = certainty

    def _keep_router(self) -> None:
        """Make ready to send rows down the tree."""
        self._router = Router.of(self.tree_)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name != "_router"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if hasattr(self, "tree_"):
            self._keep_router()

    # -- predicting ---------------------------------------------------------------------------------------

    @by_one_model
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class probabilities, one row a row of X, one column a class of `classes_`."""
        table = self._read_known(X)
        return self._answer(table, Threads(count_threads(self.n_jobs)))

    def _answer(self, table: Table, threads: Threads) -> NDArray[np.float64]:
        if goes_by_row(self.smoothing_):
            return self.smoothing_.answer(self.tree_, self._router, table, threads)
        return self._router.probabilities(table, self.node_probabilities_, threads)

    @by_one_model
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Natural logarithms of the class probabilities."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    @by_one_model
    def predict(self, X: Any) -> NDArray[Any]:
        """Most probable class, after class weights; the first of equals."""
        probabilities = self.predict_proba(X)
        return self.classes_[most_probable_codes(probabilities, self.tree_.class_weight)]

    @by_one_model
    def predict_interval(self, X: Any, level: float = 0.9) -> Intervals:
        """Credible intervals of the class probabilities, each containing what `predict_proba` answers.

        The interval of a class is that of the leaf: quantiles of Beta(s p, s (1 - p)) around its estimate p, where s is
        the number of cases that the leaf is worth. Where fitting learned inner folds (the default pruning, a smoothing
        with an "auto" parameter, or an honest tree), s was measured on them: `certainty_` says how well the answers of
        leaves agree with cases that they have not seen. There a class without a case in the leaf has 0 as its lower
        bound, and one that is alone in it 1 as its upper one. In all other trees s is the number of cases in the leaf
        and of the smoothing's pseudo-cases, as if the leaf had been there before the cases were: these intervals are
        too narrow where leaves were searched for.

        A blend of several leaves has the blend of their bounds. An estimate of exactly 0 or 1, as plain frequencies
        give in pure leaves, is taken at its word, and gets a point: smooth to see how little two cases say. Where all
        leaves answer (confusion, doubt) nothing is measured, and the interval is that of the row's own leaf, widened to
        the answer.

        Parameters
        ----------
        X : array, data frame or dict of columns
        level : float, default=0.9
            Posterior probability of the interval, with as much below it as above.

        Returns
        -------
        lower, upper : array (rows, classes)
        n : array (rows,)
            Training cases in the leaf of each row, the heaviest one where the answer is a blend.
        """
        table = self._read_known(X)
        threads = Threads(count_threads(self.n_jobs))
        lower, upper = np.hsplit(self._router.probabilities(table, np.hstack(self._bounds_at(level)), threads), 2)
        if goes_by_row(self.smoothing_):
            answer = self._answer(table, threads)
            lower, upper = np.minimum(lower, answer), np.maximum(upper, answer)
        return Intervals(lower, upper, self.tree_.sizes[self._router.leaves(table, threads)])

    @by_one_model
    def apply(self, X: Any) -> NDArray[np.int64]:
        """Leaf of each row; the heaviest one where the answer is a blend of several."""
        table = self._read_known(X)
        return self._router.leaves(table, Threads(count_threads(self.n_jobs)))

    @by_one_model
    def decision_path(self, X: Any) -> csr_array:
        """Indicator of the nodes from the root to the leaf of each row."""
        leaves = self.apply(X)
        levels, parents = self.tree_.levels, self.tree_.parents.astype(np.int64)
        ends = np.concatenate(([0], np.cumsum(levels[leaves] + 1)))
        nodes, at, place = np.empty(ends[-1], np.int64), leaves.copy(), ends[1:] - 1
        while len(at):  # all rows climb one step at a time, and leave at the root
            nodes[place] = at
            climbing = at > 0
            at, place = parents[at[climbing]], place[climbing] - 1
        return csr_array((np.ones(len(nodes), np.int64), nodes, ends), shape=(len(leaves), self.tree_.n_nodes))

    # -- what the tree is like ----------------------------------------------------------------------------

    @by_one_model
    def get_depth(self) -> int:
        """Number of tests on the longest path."""
        check_is_fitted(self)
        return self.tree_.depth

    @by_one_model
    def get_n_leaves(self) -> int:
        """Number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    @by_one_model
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of each column in the total gain of the tree.

        A gain per case is weighted by the training weight of its node; a score such as chi-square is a total already.
        A tree that was not grown by a score, such as the summary of one with options, has the gains of its counts.
        """
        check_is_fitted(self)
        tree = self.tree_
        if "gain" not in tree.annotations:
            gains = split_bits(tree)
        elif declared(self.split_, SplitScore, "per_case"):
            gains = (tree.annotations["gain"] * tree.weighted_counts.sum(axis=1))[tree.split_nodes]
        else:
            gains = tree.annotations["gain"][tree.split_nodes]
        return shares_of_columns(tree, gains, len(self.columns_))

    @by_one_model
    def export_text(self) -> str:
        """The tree as text."""
        check_is_fitted(self)
        return reading.export_text(self)

    @by_one_model
    def rules(self, level: float | None = None) -> list[str]:
        """One line a leaf; with a level, such as 0.9, also the credible interval of the probability.

        Under confusion and doubt a line tells what the leaf itself says; a row hears the other leaves too.
        """
        check_is_fitted(self)
        return reading.rules(self, bounds=self._bounds(level))

    @by_one_model
    def to_frame(self, level: float | None = None) -> Any:
        """One row a node, as a data frame; with a level also the credible intervals of the probabilities."""
        check_is_fitted(self)
        return reading.to_frame(self, bounds=self._bounds(level))

    @by_one_model
    def why(self, everything: bool = False) -> list[str]:
        """Why nodes were pruned, one line a cut subtree; with `everything` one for each node that was examined."""
        check_is_fitted(self)
        return reading.why(self, everything)

    def _bounds(self, level: float | None) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        return None if level is None else self._bounds_at(level)

    def _bounds_at(self, level: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        certainty = getattr(self, "certainty_", None)
        return node_bounds(self.tree_, self.smoothing_, self.node_probabilities_, level, certainty)

    @by_one_model
    def _html_repr(self) -> str:
        """What notebooks show: the tree once there is one, the parameters before."""
        return reading.to_html(self) if hasattr(self, "tree_") else str(super()._html_repr())
