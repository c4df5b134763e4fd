"""The probability estimation tree as a scikit-learn classifier."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from petree import reading
from petree.binning import resolve_binning
from petree.columns import Column
from petree.growing import Stopping, grow
from petree.inputs import (
    Table,
    as_matrix,
    check_frame,
    check_unique,
    class_weights,
    is_frame,
    read_table,
    read_target,
    read_weights,
    take_rows,
)
from petree.parts import check_integer, check_number
from petree.pruning import resolve_pruning
from petree.routing import Router
from petree.smoothing import resolve_smoothing
from petree.sources.table import TableSource
from petree.splitting import MEMBERS, resolve_split
from petree.splitting.codes import KNOWN
from petree.threads import Threads, count_threads
from petree.tree import Tree

# A nominal column with more categories than this, and few rows for each, is worth a warning.
MANY_CATEGORIES = 1000


class ProbabilityTreeClassifier(ClassifierMixin, BaseEstimator):
    """A decision tree whose leaves carry class probabilities.

    Reads numbers, text, booleans and categories, with missing values, from arrays and data frames.

    Parameters
    ----------
    split : str or split score, default="gain"
        How candidate tests are scored.
    pruning : str or pruning criterion, default="none"
        Which subtrees are cut.
    smoothing : str or estimate, default="laplace"
        How class counts become probabilities.
    tests : {"binary", "multiway"}, default="binary"
        Nominal columns are tested by ``x = v``, or get one branch a category.
    binning : str or binning, default="quantile"
        Where numeric columns may be cut: "quantile", "exact" or "entropy".
    min_samples_leaf : int, default=1
        Least number of rows on either side of a split.
    max_depth : int or None, default=None
        Most tests on a path.
    min_gain : float, default=0.0
        Least score of a split.
    categorical_features : "from_dtype", None, mask, indices or names, default="from_dtype"
        Which columns are nominal; "from_dtype" takes text, booleans and categories.
    class_weight : None, "balanced" or dict, default=None
        Weighs the classes while growing and in `predict`; `predict_proba` stays on the scale of the data.
    random_state : int, RandomState or None, default=None
        Seed of the parts that draw random numbers; growing draws none.
    n_jobs : int or None, default=None
        Number of threads; the tree does not depend on it.

    Attributes
    ----------
    tree_ : Tree
    classes_ : array of class labels
    columns_ : tuple of Column
    node_probabilities_ : array (nodes, classes)
    n_features_in_ : int
    feature_names_in_ : array of column names, where the input had any

    Examples
    --------
    >>> from petree import ProbabilityTreeClassifier
    >>> X = {"colour": ["red", "red", "blue", "blue", "blue"], "size": [1.0, 2.0, 1.0, 4.0, None]}
    >>> model = ProbabilityTreeClassifier().fit(X, ["yes", "yes", "no", "no", "yes"])
    >>> print("\\n".join(model.rules()))
    if colour = blue and size is missing then P(yes)=0.67 (n=1)
    if colour = blue and size is not missing then P(no)=0.75 (n=2)
    if colour != blue then P(yes)=0.75 (n=2)
    """

    def __init__(
        self,
        split: Any = "gain",
        pruning: Any = "none",
        smoothing: Any = "laplace",
        tests: str = "binary",
        binning: Any = "quantile",
        min_samples_leaf: int = 1,
        max_depth: int | None = None,
        min_gain: float = 0.0,
        categorical_features: Any = "from_dtype",
        class_weight: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.split = split
        self.pruning = pruning
        self.smoothing = smoothing
        self.tests = tests
        self.binning = binning
        self.min_samples_leaf = min_samples_leaf
        self.max_depth = max_depth
        self.min_gain = min_gain
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    # -- learning -----------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn a tree.

        Parameters
        ----------
        X : array, data frame or dict of columns
        y : class labels, one a row
        sample_weight : array, optional
            A weight of 2 equals the row given twice; a weight of 0 leaves it out. Fractional weights weigh the
            classes, but a row remains one row where rows are counted (`min_samples_leaf`, the n of a node).
        """
        before = dict(vars(self))
        try:
            self._fit(X, y, sample_weight)
        except BaseException:  # also when interrupted: what was fitted before stays whole
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
        return self

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:
        self._check_parameters()
        split, pruning, smoothing = self._resolve_parts()
        table = self._read(X, reset=True)
        classes, codes = read_target(y, table.n_rows)
        weights = read_weights(sample_weight, table.n_rows)
        if weights is not None and not weights.all():  # as if the rows without weight had never been there
            rows = np.flatnonzero(weights)
            table = read_table(take_rows(X, rows), self.categorical_features)
            present, codes = np.unique(codes[rows], return_inverse=True)
            classes, weights = classes[present], weights[rows]
        if len(classes) < 2:
            where = "" if sample_weight is None else " in the rows that have a weight"
            raise ValueError(
                f"y has only one class, {classes.tolist()[0]!r}{where}; at least two classes are needed to learn."
            )
        factors = class_weights(self.class_weight, classes, np.bincount(codes, weights).astype(np.float64))
        with Threads(count_threads(self.n_jobs)) as threads:
            source = TableSource(
                table.columns, table.arrays, codes, len(classes), resolve_binning(self.binning), split, self.tests,
                self.min_samples_leaf, weights, factors, threads,
            )  # fmt: skip
            self._warn(source.empty_columns, table)
            grown = grow(source, self._stopping(), classes.tolist(), factors)
        self._set_fitted(pruning.prune(grown.tree, None), table.columns, classes, smoothing)

    def _check_parameters(self) -> None:
        check_integer(self, "min_samples_leaf", 1)
        check_number(self, "min_gain", 0)
        check_random_state(self.random_state)
        if self.max_depth is not None:
            check_integer(self, "max_depth", 1)
        if self.tests not in ("binary", "multiway"):
            raise ValueError(
                f"The 'tests' parameter of {type(self).__name__} must be 'binary' or 'multiway'. "
                f"Got {self.tests!r} instead."
            )

    def _resolve_parts(self) -> tuple[Any, Any, Any]:
        split = resolve_split(self.split)
        if getattr(split, "code", None) not in KNOWN:
            raise ValueError(
                f"The split score {split!r} has no twin inside the kernels, so no tree can be grown by it; "
                f"choose one of {', '.join(sorted(MEMBERS))}."
            )
        return split, resolve_pruning(self.pruning), resolve_smoothing(self.smoothing)

    def _warn(self, empty_columns: Sequence[Column], table: Table) -> None:
        """Name the columns that cannot help."""
        for column in empty_columns:
            warnings.warn(f"Column {column.name!r} has no values at all and is left out.", stacklevel=4)
        if self.tests == "multiway" or self.max_depth is not None:
            return
        for column in table.columns:
            if len(column.categories) > max(MANY_CATEGORIES, table.n_rows / 4):
                warnings.warn(
                    f"Column {column.name!r} has {len(column.categories)} categories in {table.n_rows} rows, so "
                    "testing one at a time makes a long chain; leave it out, set max_depth, or use tests='multiway'.",
                    stacklevel=4,
                )

    def _stopping(self) -> Stopping:
        return Stopping(self.min_samples_leaf, self.max_depth, self.min_gain)

    def _set_fitted(self, tree: Tree, columns: Sequence[Column], classes: NDArray[Any], smoothing: Any) -> None:
        self.tree_ = tree
        self.columns_ = tuple(columns)
        self.classes_ = classes
        self.n_features_in_ = len(self.columns_)
        self.node_probabilities_ = smoothing.estimate(tree)
        self._router = Router.of(tree)

    @classmethod
    def _from_fitted(
        cls,
        parameters: dict[str, Any],
        tree: Tree,
        columns: tuple[Column, ...],
        classes: NDArray[Any],
        feature_names: bool,
    ) -> Self:
        """A fitted estimator from what a model file holds."""
        model = cls(**parameters)
        model._set_fitted(tree, columns, classes, model._resolve_parts()[2])
        if feature_names:
            model.feature_names_in_ = np.array([column.name for column in columns], dtype=object)
        return model

    # -- predicting ---------------------------------------------------------------------------------------

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class probabilities, one row a row of X, one column a class of `classes_`."""
        table = self._read_known(X)
        with Threads(count_threads(self.n_jobs)) as threads:
            return self._router.probabilities(table, self.node_probabilities_, threads)

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Natural logarithms of the class probabilities."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Most probable class, after class weights; the first of equals."""
        probabilities = self.predict_proba(X)
        if self.tree_.class_weight is not None:
            probabilities = probabilities * self.tree_.class_weight
        return self.classes_[np.argmax(probabilities, axis=1)]

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Leaf of each row; the heaviest one where the answer is a blend of several."""
        table = self._read_known(X)
        with Threads(count_threads(self.n_jobs)) as threads:
            return self._router.leaves(table, threads)

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

    def get_depth(self) -> int:
        """Number of tests on the longest path."""
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of each column in the total gain of the tree, weighted by the training weight of the nodes."""
        check_is_fitted(self)
        tree = self.tree_
        gains = tree.annotations["gain"][tree.split_nodes] * tree.weighted_counts[tree.split_nodes].sum(axis=1)
        importances = np.zeros(len(self.columns_))
        np.add.at(importances, tree.conditions.column, np.maximum(gains, 0))
        total = importances.sum()
        return importances / total if total > 0 else importances

    def export_text(self) -> str:
        """The tree as text."""
        check_is_fitted(self)
        return reading.export_text(self)

    def rules(self) -> list[str]:
        """One line a leaf."""
        check_is_fitted(self)
        return reading.rules(self)

    def to_frame(self) -> Any:
        """One row a node, as a data frame."""
        check_is_fitted(self)
        return reading.to_frame(self)

    def _html_repr(self) -> str:
        """What notebooks show: the tree once there is one, the parameters before."""
        return reading.to_html(self) if hasattr(self, "tree_") else str(super()._html_repr())

    # -- inputs -------------------------------------------------------------------------------------------

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name != "_router"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if hasattr(self, "tree_"):
            self._router = Router.of(self.tree_)

    def _read(self, X: Any, *, reset: bool) -> Table:
        """X as typed columns, its names and number of columns noted or compared with those of fit."""
        if issparse(X):
            raise TypeError("petree does not read sparse data; pass X.toarray() or a data frame.")
        if isinstance(X, Mapping):
            X = self._align(X, reset)
        elif is_frame(X):
            check_frame(X)
            validate_data(self, X, reset=reset, skip_check_array=True)
        else:
            X = validate_data(self, as_matrix(X), reset=reset, dtype=None, ensure_all_finite=False)
        return read_table(X, self.categorical_features, None if reset else self.columns_)

    def _read_known(self, X: Any) -> Table:
        check_is_fitted(self)
        return self._read(X, reset=False)

    def _align(self, X: Mapping[Any, Any], reset: bool) -> dict[str, Any]:
        """Columns of a dict in the order of fit: a dict has no order of its own."""
        check_unique([str(name) for name in X])
        X = {str(name): values for name, values in X.items()}
        if reset:
            self.n_features_in_ = len(X)
            self.feature_names_in_ = np.array(list(X), dtype=object)
            return X
        missing = [column.name for column in self.columns_ if column.name not in X]
        if missing:
            raise ValueError(f"X has no column {missing[0]!r}, which the model was fitted with.")
        return {column.name: X[column.name] for column in self.columns_}
