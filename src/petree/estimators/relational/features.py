"""Tests of several tables as columns, for any other learner."""

from __future__ import annotations

from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted

from petree.estimators.relational.classifier import RelationalTreeClassifier
from petree.estimators.relational.settings import refuse_by_row
from petree.estimators.relational.target import without_class
from petree.estimators.replacing import in_one_step
from petree.estimators.tuning.grid import Grid
from petree.inputs.types import LabelsLike
from petree.parts import check_integer_or_none
from petree.relational.columns_of_queries import QueryColumns, best_queries, queries_of_tree
from petree.relational.database import Database
from petree.relational.in_database import refuse
from petree.relational.reading.sql_trees import query_sql
from petree.smoothing import resolve_smoothing


class RelationalFeatures(TransformerMixin, BaseEstimator):
    """Questions about several tables as columns of truth values, with names that are sentences.

    Parameters
    ----------
    estimator : RelationalTreeClassifier
        Says which database, which target, and what may be asked; it is cloned.
    n_tests : int or None, default=None
        How many columns: so many of the tests that a tree could begin with, those of the highest scores. None learns
        the tree and takes its tests, each together with what holds on the way to it.

    Attributes
    ----------
    estimator_ : RelationalTreeClassifier
        The tree, where one was learned.
    n_features_in_ : int

    Examples
    --------
    >>> from petree import RelationalFeatures, RelationalTreeClassifier
    >>> from petree.relational import Database
    >>> database = Database(
    ...     {
    ...         "molecule": {"id": [1, 2, 3, 4], "class": ["toxic", "toxic", "safe", "safe"]},
    ...         "atom": {"molecule": [1, 1, 2, 3, 4], "element": ["cl", "c", "cl", "c", "o"]},
    ...     },
    ...     links=["atom.molecule -> molecule.id"],
    ... )
    >>> features = RelationalFeatures(RelationalTreeClassifier(database, "molecule.class", pruning="none"), n_tests=2)
    >>> features.fit_transform([1, 2, 3, 4])
    array([[ True, False],
           [ True,  True],
           [False,  True],
           [False,  True]])
    >>> print(*features.get_feature_names_out(), sep="\\n")
    some atom (B) of the molecule has element = cl
    the number of atoms of the molecule < 2
    """

    def __init__(self, estimator: RelationalTreeClassifier, n_tests: int | None = None) -> None:
        self.estimator = estimator
        self.n_tests = n_tests

    @in_one_step
    def fit(self, X: ArrayLike, y: LabelsLike | None = None) -> Self:
        """Choose the tests.

        Parameters
        ----------
        X : keys of the examples
        y : class labels, optional
            Without them the column that `target` names has the labels.
        """
        if not isinstance(self.estimator, RelationalTreeClassifier):
            raise TypeError(
                "The 'estimator' parameter of RelationalFeatures must be a RelationalTreeClassifier object. Got "
                f"{self.estimator!r} instead."
            )
        check_integer_or_none(self, "n_tests", 1)
        model = clone(self.estimator)
        if model.known_labels:
            raise ValueError("With known_labels tests ask for classes of the training examples; set it to False.")
        refuse(model._database(), "RelationalFeatures")
        self.__dict__.pop("estimator_", None)  # of an earlier fit
        self._columns = self._of_tree(model, X, y) if self.n_tests is None else self._of_root(model, X, y)
        self._target = str(model.target_)
        self._database = model.database
        self.n_features_in_ = 1
        return self

    def _of_tree(self, model: RelationalTreeClassifier, X: ArrayLike, y: LabelsLike | None) -> QueryColumns:
        self.estimator_ = model.fit(X, y)
        return QueryColumns(model.scope_, queries_of_tree(model._readable()))

    def _of_root(self, model: RelationalTreeClassifier, X: ArrayLike, y: LabelsLike | None) -> QueryColumns:
        refuse_by_row(Grid.of(resolve_smoothing(model.smoothing)).smoothing)
        maker, cases = model._prepare(X, y)
        recipe = model._recipe(maker).for_rows(cases.table.n_rows)
        least = recipe.stopping.min_samples_leaf
        source = recipe.maker.source(cases, recipe.split, least, model._threads())
        return QueryColumns(model.scope_, best_queries(source, int(self.n_tests or 0)))

    def transform(self, X: ArrayLike, database: Database | None = None) -> NDArray[np.bool_]:
        """Whether each test holds for each example.

        Parameters
        ----------
        X : keys of the examples
        database : Database, optional
            Other tables with the columns and links of those at fit, in which to look the examples up; those of
            `estimator` unless given.
        """
        check_is_fitted(self)
        columns = self._columns
        tables = self.estimator.database if database is None else database
        if not isinstance(tables, Database):
            raise TypeError(f"'database' must be a petree.relational.Database, got {type(tables).__name__}.")
        if tables is not self._database:
            columns = columns.of_database(without_class(tables, self._target))
        rows = tables.rows(columns.scope.relations[0], X)
        return columns.holds(np.asarray(rows, np.int32), self.estimator._threads())

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """What each column asks, in a sentence.

        Parameters
        ----------
        input_features : sequence of one str, optional
            The name of the keys, which the sentences do not have.
        """
        check_is_fitted(self)
        if input_features is not None and len(input_features) != 1:
            raise ValueError(f"input_features should have length equal to 1, for the keys. Got {input_features!r}.")
        return np.array(self._columns.names(), object)

    def to_sql(self, column: int, dialect: str = "sqlite") -> str:
        """A query that finds the keys of the examples for which a column is true.

        Parameters
        ----------
        column : int
            Its place in what `transform` gives.
        dialect : {"sqlite", "postgresql", "duckdb"}
        """
        check_is_fitted(self)
        n_columns = len(self._columns.queries)
        if isinstance(column, bool) or not isinstance(column, Integral):
            raise TypeError(f"The column is a whole number, its place. Got {column!r} instead.")
        if not 0 <= column < n_columns:
            raise ValueError(f"There is no column {column}; the columns are 0 to {n_columns - 1}.")
        return query_sql(self._columns.scope, self._columns.queries[column], dialect)

    def __sklearn_is_fitted__(self) -> bool:
        return "_columns" in self.__dict__
