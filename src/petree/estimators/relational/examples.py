"""Examples of a database: which table has them, and answers for those of another database."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from copy import copy
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from petree.estimators.base import TreeClassifier
from petree.estimators.decisions.costs import Costs
from petree.estimators.relational.sources import ROW
from petree.estimators.relational.target import read_labels, read_target, without_class
from petree.estimators.replacing import by_one_model
from petree.inputs import Table
from petree.inputs.types import LabelsLike, TableLike
from petree.relational.alignment import align
from petree.relational.database import Database
from petree.relational.queries.scope import Scope

NO_COLUMNS = "Tests of a relational tree are queries, not columns, so that contributions of columns are not defined."

Made = TypeVar("Made")


class ExampleReader(TreeClassifier):
    """A classifier whose X are keys of examples in a database; `scope_` is that of the empty query of its tree."""

    database: Database | None
    target: str | None
    scope_: Scope
    target_: str | None

    # -- the database ---------------------------------------------------------------------------------------

    def _database(self) -> Database:
        if self.database is None and self.__sklearn_is_fitted__():
            raise ValueError(
                "This model was loaded without its tables; set model.database to a petree.relational.Database that has "
                "the examples, or pass it to petree.load."
            )
        if not isinstance(self.database, Database):
            raise TypeError(
                f"The 'database' parameter must be a petree.relational.Database, got {type(self.database).__name__}."
            )
        return self.database

    def _target(self, database: Database | None = None) -> tuple[str, str | None]:
        """The table of the examples, and the column of the class where a table has it."""
        return read_target(self.target, database or self._database())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags

    # -- examples -------------------------------------------------------------------------------------------

    def _read(self, X: TableLike, *, reset: bool, database: Database | None = None) -> Table:
        """The examples as a table of one column: their rows in the target table."""
        table = self._target()[0] if reset else self.scope_.relations[0]
        rows = (database or self._database()).rows(table, X)
        if reset:
            if not len(rows):
                raise ValueError("X has no keys; at least one example of each class is needed to learn.")
            self.n_features_in_ = 1
        return Table((ROW,), (rows,), len(rows))

    def _read_rows(self, X: TableLike, rows: NDArray[np.intp]) -> Table:
        table = self._read(X, reset=True)
        return Table((ROW,), (table.arrays[0][rows],), len(rows))

    def _sifted(self, table: Table, weights: NDArray[np.float64] | None) -> Table:
        return table

    def _pack(self) -> None:
        """Nothing: the tests are parsed when the first example comes, since there may be no database yet."""

    def _for_database(self, make: Callable[[Database], Made]) -> Made:
        """What is made of the tests for the current database, kept until another is set."""
        kept = self.__dict__.get("_routed")
        database = self._database()
        if kept is None or kept[0] is not database:
            kept = (database, make(database))
            self.__dict__["_routed"] = kept
        made: Made = kept[1]
        return made

    def _scope_in(self, database: Database, asked: Mapping[str, AbstractSet[int]]) -> Scope:
        """The scope of the empty query in another database than that of fit, of which some columns are asked for."""
        aligned = align(self.scope_.database, without_class(database, str(self.target_)), asked)
        return Scope.of_target(aligned, self.scope_.relations[0])

    # -- answers for another database -----------------------------------------------------------------------

    @by_one_model
    def predict_proba(self, X: TableLike, database: Database | None = None) -> NDArray[np.float64]:
        """Class probabilities, one row per example, one column per class of `classes_`.

        Parameters
        ----------
        X : keys of the examples
        database : Database, optional
            Other tables in which to look the examples up, with the columns and links that the tree asks for.
        """
        return super().predict_proba(X) if database is None else self._for(database).predict_proba(X)

    @by_one_model
    def predict(self, X: TableLike, costs: Costs | None = None, database: Database | None = None) -> NDArray[Any]:
        """Most probable class of each example, after class weights, or that of least expected cost.

        Parameters
        ----------
        X : keys of the examples
        costs
            As in `ProbabilityTreeClassifier.predict`.
        database : Database, optional
            As in `predict_proba`.
        """
        return super().predict(X, costs) if database is None else self._for(database).predict(X, costs)

    @by_one_model
    def score(self, X: TableLike, y: LabelsLike | None = None, sample_weight: ArrayLike | None = None) -> float:
        """Share of the examples whose class is predicted.

        Parameters
        ----------
        X : keys of the examples
        y : class labels, one per example, optional
            Without them the column that `target` names has the labels, as at fit.
        sample_weight : weights of the examples, optional
        """
        check_is_fitted(self)
        if y is None:
            y = read_labels(self._database(), self.target, X)
            if not np.isin(y, self.classes_).any():
                raise ValueError(f"None of the labels of {self.target!r} is a class of the model; pass y, as to fit.")
        return float(super().score(X, y, sample_weight))

    def _for(self, database: Database) -> Self:
        """The same tree with other tables."""
        check_is_fitted(self)
        if not isinstance(database, Database):
            raise TypeError(f"'database' must be a petree.relational.Database, got {type(database).__name__}.")
        model = copy(self)
        model.database = database
        return model

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        raise AttributeError("Tests of a relational tree are queries, not columns, so that none has an importance.")
