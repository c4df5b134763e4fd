"""One tree that is grown with a lookahead, as option trees are, and then pruned: the paper's open questions need it."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from lab.experiments.measuring import Columns
from lab.statistics.resampling import cross_validation
from petree import ProbabilityTreeClassifier, presets
from petree.bayes.summary import unfold
from petree.estimators.stored import Stored
from petree.pruning import resolve_pruning
from petree.pruning.engine.context import Context
from petree.pruning.engine.routed_cases import RoutedCases
from petree.tree import Tree, ranges


class LookaheadTree(ClassifierMixin, BaseEstimator):
    """The tree of the best test of every node, by its quality in so many plies, down to the depth of option trees.

    Parameters
    ----------
    prior : str or Prior
    lookahead : int
        Plies; the beam has the width of option trees, 4.
    pruning : str or pruning criterion
        One that reads counts, or needs trees of folds.
    smoothing : str or estimate
    tests, binning : as of `OptionTreeClassifier`
    """

    def __init__(
        self,
        prior: Any = "I",
        lookahead: int = 1,
        pruning: Any = "none",
        smoothing: Any = "bayes",
        tests: str = "binary",
        binning: Any = "quantile",
    ) -> None:
        self.prior = prior
        self.lookahead = lookahead
        self.pruning = pruning
        self.smoothing = smoothing
        self.tests = tests
        self.binning = binning

    def fit(self, X: Columns, y: NDArray[Any], classes: NDArray[Any]) -> Self:
        """Learn from columns; `classes` are all classes of the problem."""

        def grow_folds(n_folds: int) -> list[tuple[Tree, NDArray[np.float64]]]:
            return [self._grow_fold(X, y, classes, *part[2:]) for part in cross_validation(y, 1, n_folds)]

        grown = self._grow(X, y, classes)
        tree = resolve_pruning(self.pruning).prune(grown.tree_, Context(grow_folds=grow_folds))
        self.model_ = self._with_tree(tree, grown)
        self.tree_ = tree
        self.classes_ = grown.classes_
        return self

    def predict_proba(self, X: Columns) -> NDArray[np.float64]:
        return self.model_.predict_proba(X)

    def _grow(self, X: Columns, y: NDArray[Any], classes: NDArray[Any]) -> ProbabilityTreeClassifier:
        """The tree before pruning. Of the options of a node, all equally good, the first is taken."""
        model = presets["ind-option-1"](
            prior=self.prior, lookahead=self.lookahead, factor=1.0, tests=self.tests, binning=self.binning
        )
        model.fit(X, y, classes=classes)
        return self._with_tree(first_options(model.tree_), model)

    def _with_tree(self, tree: Tree, like: Any) -> ProbabilityTreeClassifier:
        """A fitted classifier of another tree."""
        parameters = {"pruning": "none", "smoothing": self.smoothing, "tests": self.tests, "binning": self.binning}
        return ProbabilityTreeClassifier._from_stored(Stored(parameters, tree, like.columns_, like.classes_))

    def _grow_fold(
        self,
        X: Columns,
        y: NDArray[Any],
        classes: NDArray[Any],
        learn: NDArray[np.intp],
        left_out: NDArray[np.intp],
    ) -> tuple[Tree, NDArray[np.float64]]:
        """The unpruned tree of some cases, and the class counts of the others at its nodes."""
        model = self._grow({name: values[learn] for name, values in X.items()}, y[learn], classes)
        leaves = model.apply({name: values[left_out] for name, values in X.items()})
        codes = np.searchsorted(classes, y[left_out])
        return model.tree_, RoutedCases(leaves, codes, np.ones(len(leaves))).counts(model.tree_)


def first_options(tree: Tree) -> Tree:
    """The ordinary tree of the first split of every node; what its cut costs is noted at the node."""
    level = np.zeros(1, np.int64)
    found = []
    while len(level):
        found.append(level)
        splits = tree.split_start[level[~tree.is_leaf[level]]]
        level = tree.children[ranges(tree.child_start[splits], tree.child_start[splits + 1])].astype(np.int64)
    nodes = np.concatenate(found)
    owners = np.flatnonzero(~tree.is_leaf[nodes])
    single = unfold(tree, nodes, owners, tree.split_start[nodes[owners]].astype(np.intp))
    cuts = np.zeros(single.n_nodes)
    cuts[single.split_nodes] = single.split_annotations["cut_penalty"]
    return single.with_annotations(cut_penalty=cuts)
