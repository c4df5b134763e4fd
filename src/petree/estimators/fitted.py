"""What a single fitted tree answers, of one table or of related ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.utils.validation import check_is_fitted

from petree.columns import Column
from petree.estimators.base import TreeClassifier
from petree.estimators.explaining import MOVED, Grounds, OtherVerdicts, Paths, Shapley
from petree.estimators.found import LeftBySome
from petree.estimators.intervals.bounds import Intervals, node_bounds
from petree.estimators.intervals.certainty import Certainty
from petree.estimators.replacing import by_one_model
from petree.estimators.tuning.finish import Finished, Tuning
from petree.estimators.tuning.sizes import Sizes
from petree.inputs import Table
from petree.inputs.types import TableLike
from petree.parts import check_count, declared
from petree.pruning.engine.by_hand import cut_by_hand
from petree.pruning.engine.counts import split_bits
from petree.reading.large import SizeLosses
from petree.reading.view import Bounds, View, told
from petree.routing import Router, Ways
from petree.smoothing.base import goes_by_row
from petree.smoothing.directions import Directions
from petree.splitting.base import Scores, SplitScore
from petree.threads import Threads
from petree.tree import Tree, offsets

ALL_LEAVES_ANSWER = (
    "Under confusion and doubt all leaves answer a row, so that contributions of columns are not defined; choose "
    "another smoothing."
)


class Sender(Protocol):
    """A tree that rows can be sent down."""

    def leaves(self, table: Table, threads: Threads) -> NDArray[np.int64]:
        """Leaf of each row."""

    def probabilities(
        self, table: Table, node_probabilities: NDArray[np.float64], threads: Threads
    ) -> NDArray[np.float64]:
        """Class probabilities of each row, from those of the nodes."""


class SingleTreeClassifier(TreeClassifier):
    """A classifier that sends each row to a leaf of its tree."""

    split_: Any
    smoothing_: Any
    sizes_ = LeftBySome[SizeLosses](
        "there is only the size that it has. Fit with pruning='best_size', as the default is, and honest=False; trees "
        "that were changed by hand or by new rows have one size."
    )
    tuning_ = LeftBySome[Tuning](
        "no parameter of its smoothing was 'auto', or it was resized to a size that was not tuned by itself. "
        "'smoothing_' has the values that are used."
    )
    certainty_ = LeftBySome[Certainty](
        "what its leaves are worth was not measured, so that intervals go by the counts. Fit with pruning='best_size', "
        "with a parameter of the smoothing that is 'auto', or with honest=True."
    )

    def _set_fitted(self, done: Finished, columns: Sequence[Column], classes: NDArray[Any], split: Scores) -> None:
        self._set_tree(done.tree, columns, classes)
        self.split_ = split
        self.smoothing_ = done.smoothing
        self._note(tuning_=done.tuning, sizes_=done.sizes, certainty_=done.certainty, _chosen=done.chosen)
        self.node_probabilities_ = done.estimate()
        self._pack()

    def _set_counted(self, tree: Tree) -> None:
        """Take the same tree with other counts; its smoothing stays the one that was chosen."""
        found = vars(self)
        done = Finished(tree, self.smoothing_, found.get("tuning_"), None, found.get("certainty_"), self._directions())
        self._set_fitted(done, self.columns_, self.classes_, self.split_)

    def _note(self, **found: Any) -> None:
        """Keep what was found while fitting; of what was not, nothing is left of an earlier fit."""
        for name, value in found.items():
            self.__dict__.pop(name, None)
            if value is not None:
                setattr(self, name, value)

    def _pack(self) -> None:
        self._packed = Router.of(self.tree_)

    @property
    def _router(self) -> Sender:
        """What sends rows down the tree."""
        return self._packed

    # -- other trees --------------------------------------------------------------------------------------

    @by_one_model
    def resized(self, max_leaf_nodes: int) -> Self:
        """The model with the largest tree of at most so many leaves on the path of sizes, without fitting again.

        Its smoothing has the values that suit this size best of those that were tried with every size; at the size that
        was chosen, where more were tried, the model is the one that was fitted. For models whose criterion chose a
        size, as the default does; `sizes_` has them all, and how well each predicts. What its leaves are worth in
        intervals was measured at the size that was chosen.
        """
        check_is_fitted(self)
        sizes = vars(self).get("sizes_")
        if not isinstance(sizes, Sizes):
            raise ValueError(
                "This model has one size only: its criterion chooses none, it is honest, or it comes from a file. Fit "
                "one with pruning='best_size'."
            )
        check_count("The argument of resized(max_leaf_nodes), the most leaves of the tree,", max_leaf_nodes, 1)
        chosen = self._as_chosen()
        tree, smoothing = sizes.at_most(int(max_leaf_nodes))
        if tree.n_leaves == chosen.tree.n_leaves:
            model = self._changed(replace(chosen, chosen=chosen))
        else:
            tree = self._of_size(tree)
            model = self._changed(Finished(tree, smoothing, None, sizes, chosen.certainty, chosen=chosen))
        return model.set_params(max_leaf_nodes=max_leaf_nodes) if self._bounds_leaves() else model

    def _of_size(self, tree: Tree) -> Tree:
        """Return a tree of the path of sizes as a model with these parameters has it."""
        return tree

    def _bounds_leaves(self) -> bool:
        """Return whether the model has a parameter that bounds the number of leaves."""
        return "max_leaf_nodes" in self.get_params(deep=False)

    def _as_chosen(self) -> Finished:
        """The tree of the size that was chosen, also where this model has another one by now."""
        found = vars(self)
        fitted = Finished(self.tree_, self.smoothing_, found.get("tuning_"), self.sizes_, found.get("certainty_"))
        return found.get("_chosen", fitted)

    @by_one_model
    def cut(self, nodes: Iterable[int]) -> Self:
        """A new estimator in which these nodes are leaves, by hand.

        Its smoothing, with the values that were chosen at fit, is computed anew. `why` tells what was cut; what a leaf
        is worth in intervals was measured in the tree as it was.

        Parameters
        ----------
        nodes : iterable of int
            Inner nodes by their numbers, as `apply`, `decision_path` and `to_frame` have them. Nodes of the new tree
            are numbered anew.
        """
        check_is_fitted(self)
        tuning = vars(self).get("tuning_")
        certainty = vars(self).get("certainty_")
        return self._changed(Finished(cut_by_hand(self.tree_, nodes), self.smoothing_, tuning, None, certainty))

    def _changed(self, done: Finished) -> Self:
        """The same estimator with another tree, at the base rates that were asked for."""
        model = copy(self)
        done = replace(done, directions=self._directions())
        model._set_fitted(done, self.columns_, self.classes_, self.split_)
        if self._shift().factors is not None:
            model.base_rates_ = self.base_rates_
        return model

    def _directions(self) -> Directions | None:
        """The directions of columns that the answers keep, where there are any."""
        return None

    # -- predicting ---------------------------------------------------------------------------------------

    def _answer(self, table: Table, threads: Threads) -> NDArray[np.float64]:
        """Class probabilities at the base rates of the training data."""
        if goes_by_row(self.smoothing_):
            return self.smoothing_.answer(self.tree_, self._packed, table, threads)
        return self._router.probabilities(table, self.node_probabilities_, threads)

    @by_one_model
    def predict_interval(self, X: TableLike, level: float = 0.9) -> Intervals:
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
        return self._intervals(self._read_known(X), level)

    def _intervals(self, table: Table, level: float) -> Intervals:
        threads = self._threads()
        of_nodes = np.hstack((*self._bounds(level), self.node_probabilities_))
        lower, upper, answer = np.hsplit(self._router.probabilities(table, of_nodes, threads), 3)
        if goes_by_row(self.smoothing_):
            answer = self._answer(table, threads)
            lower = np.minimum(lower, answer)
            upper = np.maximum(upper, answer)
        lower, upper = self._shift().bounds(lower, upper, answer)
        return Intervals(lower, upper, self.tree_.sizes[self._router.leaves(table, threads)])

    def _bounds(self, level: float) -> Bounds:
        """Lower and upper bounds of the class probabilities of every node, at the base rates of the training data."""
        certainty = vars(self).get("certainty_")
        return node_bounds(self.tree_, self.smoothing_, self.node_probabilities_, level, certainty)

    @by_one_model
    def apply(self, X: TableLike) -> NDArray[np.int64]:
        """Leaf of each row; the heaviest one where the answer is a blend of several."""
        return self._leaves(self._read_known(X))

    @by_one_model
    def decision_path(self, X: TableLike) -> csr_array:
        """Indicator of the nodes from the root to the leaf of each row."""
        at = self.apply(X)
        parents = self.tree_.parents.astype(np.int64)
        ends = offsets(self.tree_.levels[at] + 1)
        shape = (len(at), self.tree_.n_nodes)
        nodes = np.empty(ends[-1], np.int64)
        place = ends[1:] - 1
        while len(at):  # all rows climb one step at a time, and leave at the root
            nodes[place] = at
            climbing = at > 0
            at = parents[at[climbing]]
            place = place[climbing] - 1
        return csr_array((np.ones(len(nodes), np.int64), nodes, ends), shape=shape)

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

    def _split_gains(self) -> NDArray[np.float64]:
        """What each split gains over all cases.

        A gain per case is weighted by the training weight of its node; a score such as chi-square is a total already.
        A tree that was not grown by a score, such as the summary of one with options, has the gains of its counts.
        """
        tree = self.tree_
        if "gain" not in tree.annotations:
            return split_bits(tree)
        gains = tree.annotations["gain"]
        if declared(self.split_, SplitScore, "per_case"):
            gains = gains * tree.weighted_counts.sum(axis=1)
        return gains[tree.split_nodes]

    def _grounds(self, level: float) -> Grounds:
        if self.tree_.surrogates is not None and len(self.tree_.surrogates):
            raise ValueError(
                "Surrogates decide where rows with missing values go in this tree, so that what a column contributes "
                "is not defined; fit with missing='branch', 'fractions' or 'majority' to explain answers."
            )
        answers = self._answers(level)
        paths = self._paths()
        if paths.by_row:
            return Grounds(self.columns_, answers, ALL_LEAVES_ANSWER, paths)
        ways = Ways.of(self.tree_)
        shapley = Shapley(ways, self.node_probabilities_, self._threads) if self._shift().factors is None else MOVED
        return Grounds(self.columns_, answers, shapley, paths, OtherVerdicts(paths.view, ways, self._threads))

    def _paths(self) -> Paths:
        return Paths(self._view(), self._leaves, goes_by_row(self.smoothing_))

    def _leaves(self, table: Table) -> NDArray[np.int64]:
        return self._router.leaves(table, self._threads())

    def _view(self, level: float | None = None) -> View:
        check_is_fitted(self)
        masses = self._shift().masses(self.node_probabilities_)
        return View(
            told(self.tree_),
            *self._shown(level),
            is_by_row=goes_by_row(self.smoothing_),
            masses=masses,
            has_directions=self._directions() is not None,
            **self._sizes_shown(),
        )

    def _sizes_shown(self) -> dict[str, Any]:
        """Return what a view contains on other sizes of the tree: their log loss, and the call that returns one."""
        sizes = vars(self).get("sizes_")
        if sizes is None:
            return {}
        refitting = "fit with max_leaf_nodes={}" if self._bounds_leaves() else ""
        return {"sizes": sizes, "resizing": "model.resized({})" if isinstance(sizes, Sizes) else refitting}

    def _shown(self, level: float | None = None) -> tuple[NDArray[np.float64], Bounds | None]:
        """The probabilities of the nodes at the current base rates, and with a level their bounds."""
        shift = self._shift()
        given = self.node_probabilities_
        return shift.probabilities(given), None if level is None else shift.bounds(*self._bounds(level), given)
