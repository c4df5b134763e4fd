"""Estimators made of trees that were grown elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.tree import DecisionTreeClassifier

from petree.columns import Column
from petree.estimators.changing import checked
from petree.estimators.learning.cases import read_cases
from petree.estimators.learning.given import GivenTree, KnownColumns
from petree.estimators.recipes import WithRecipe
from petree.estimators.tuning.finish import Finished
from petree.estimators.tuning.grid import Grid
from petree.inputs import check_unique, class_weights, declare_classes
from petree.inputs.types import ClassWeight, LabelsLike, TableLike
from petree.smoothing import resolve_smoothing
from petree.threads import count_threads
from petree.tree import Tree

SCORES = {"gini": "gini", "entropy": "gain", "log_loss": "gain"}
# What an estimator is made with where nothing is said: the tree answers as it did.
AS_IT_IS = {"pruning": "none", "smoothing": "none"}


class FromElsewhere(WithRecipe):
    """A classifier of one table that may take in a tree."""

    class_weight: ClassWeight

    @classmethod
    def from_tree(
        cls,
        tree: Tree,
        X: TableLike | None = None,
        y: LabelsLike | None = None,
        sample_weight: ArrayLike | None = None,
        *,
        held_out: bool = False,
        **parameters: Any,
    ) -> Self:
        """A fitted estimator whose tree is this one, pruned and smoothed as the parameters say.

        Without rows only the counts of the tree are known: criteria and smoothings that need more refuse, and intervals
        go by the counts. With the rows that the tree was grown from all work but the criteria that judge by other rows:
        the counts, the gains and the numbers of tests are those of the rows, class weights those of the parameters, and
        what is chosen on inner folds is chosen with trees that this estimator grows from them by its own parameters.
        With rows that the tree has not seen (`held_out`) its counts stay, criteria that judge by such rows have them,
        and "auto" parameters, the size of the tree and what its leaves are worth in intervals are found on them.

        Parameters
        ----------
        tree : Tree
            Its tests must be about columns of one table: not `Tree.from_counts`, whose tests are texts alone.
        X, y : table and class labels, optional
        sample_weight : array, optional
            A weight of 0 leaves a row out.
        held_out : bool, default=False
            Whether the rows are others than those that the tree was grown from.
        **parameters
            Of the estimator; pruning and smoothing are "none" unless they are given.

        Returns
        -------
        fitted estimator
            `feature_names_in_` are the names of the tree's columns, unless these are x0, x1, ..., as of arrays.
        """
        model = cls(**{**AS_IT_IS, **parameters})
        model._check_parameters()
        if model.first_test is not None or model.honest:
            raise ValueError("'first_test' and 'honest' say how a tree is grown; leave them out where it is given.")
        if model.missing != "branch":
            raise ValueError("A given tree says itself where missing values go; leave out 'missing'.")
        recipe = model._recipe()
        tree = model._weighted(checked(tree))
        model._note_columns(tree.conditions.columns)
        grid = Grid.of(resolve_smoothing(model.smoothing))
        recipe, grid = model._constrained(recipe, grid, tree.conditions.columns, tree.n_classes)
        given = GivenTree(tree, recipe, grid, model.max_leaf_nodes)
        done = model._finish_given(given, X, y, sample_weight, held_out)
        classes = declare_classes(done.tree.classes, np.empty(0), np.empty(0, np.intp))[0]
        model._set_fitted(done, tree.conditions.columns, classes, recipe.split)
        return model

    @classmethod
    def from_sklearn(
        cls,
        model: DecisionTreeClassifier,
        X: TableLike | None = None,
        y: LabelsLike | None = None,
        sample_weight: ArrayLike | None = None,
        *,
        feature_names: Sequence[str] | None = None,
        held_out: bool = False,
        **parameters: Any,
    ) -> Self:
        """A fitted estimator whose tree is that of scikit-learn's, pruned and smoothed as the parameters say.

        Unless told otherwise it answers what scikit-learn's does, for every row. Its split score, depth, least leaf
        and, where rows are given, class weights are those of scikit-learn's model: inner folds grow trees by them.
        Without rows the counts are as scikit-learn has them, times its class weights; with the rows of training and
        class weights, `predict_proba` is on the scale of the data, as everywhere in petree.

        Parameters
        ----------
        model : fitted DecisionTreeClassifier
            With one target.
        feature_names : sequence of str, optional
            Where the model was fitted to an array.
        X, y, sample_weight, held_out, **parameters
            As in `from_tree`.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from petree import ProbabilityTreeClassifier
        >>> X, y = load_iris(return_X_y=True, as_frame=True)
        >>> theirs = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
        >>> model = ProbabilityTreeClassifier.from_sklearn(theirs, smoothing="laplace")
        >>> theirs.predict_proba(X[:1]).round(2).tolist(), model.predict_proba(X[:1]).round(2).tolist()
        ([[1.0, 0.0, 0.0]], [[0.96, 0.02, 0.02]])
        """
        tree = Tree.from_sklearn(model, feature_names=feature_names)
        theirs = model.get_params(deep=False)
        own = {
            "split": SCORES[theirs["criterion"]],
            **{name: theirs[name] for name in ("max_depth", "min_samples_leaf")},
        }
        if X is not None and not held_out:
            own["class_weight"] = theirs["class_weight"]
        ours = cls.from_tree(tree, X, y, sample_weight, held_out=held_out, **{**own, **parameters})
        ours.classes_ = model.classes_.copy()
        return ours

    def _finish_given(
        self,
        given: GivenTree,
        X: TableLike | None,
        y: LabelsLike | None,
        sample_weight: ArrayLike | None,
        held_out: bool,
    ) -> Finished:
        """The tree with all that can be known of it."""
        if X is None or y is None:
            if X is not None or y is not None or sample_weight is not None or held_out:
                raise ValueError("Rows of a given tree are X and y together; give both, or neither.")
            return given.alone()
        reader = KnownColumns(self)
        cases = read_cases(reader, X, y, sample_weight, None, np.array(given.tree.classes), self.class_weight)
        return (given.with_unseen if held_out else given.with_training)(cases, self._threads())

    def _weighted(self, tree: Tree) -> Tree:
        """The tree with the class weights of the parameters, where there are any."""
        count_threads(self.n_jobs)
        factors = class_weights(self.class_weight, np.array(tree.classes), tree.counts[0])
        return tree if factors is None else replace(tree, class_weight=factors)

    def _note_columns(self, columns: Sequence[Column]) -> None:
        """What reading X needs to know."""
        names = [column.name for column in columns]
        check_unique(names)
        self.columns_ = tuple(columns)
        self.n_features_in_ = len(names)
        if names != [f"x{place}" for place in range(len(names))]:
            self.feature_names_in_ = np.array(names, dtype=object)
