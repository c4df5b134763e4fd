"""Examples of a database: which table has them, and how they are sent down a tree."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from petree.estimators.decisions.costs import Costs
from petree.estimators.explaining import Grounds
from petree.estimators.fitted import SingleTreeClassifier
from petree.estimators.relational.sources import ROW
from petree.estimators.relational.target import read_target, without_class
from petree.estimators.replacing import by_one_model
from petree.estimators.tuning.finish import Finished
from petree.inputs import Table
from petree.inputs.types import TableLike
from petree.relational.alignment import align
from petree.relational.database import Database
from petree.relational.queries.scope import Scope
from petree.relational.reading.witnesses import witnesses
from petree.relational.routing import RelationalRouter

NO_COLUMNS = "Tests of a relational tree are queries, not columns, so that contributions of columns are not defined."


class ExampleReader(SingleTreeClassifier):
    """A classifier whose X are keys of examples in a database; `scope_` is that of the empty query of its tree."""

    database: Database | None
    target: str | None
    known_labels: bool
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

    def _readable(self) -> RelationalRouter:
        """The tree and its queries; reading needs the names of tables and columns, but no rows."""
        check_is_fitted(self)
        return RelationalRouter.of(self.tree_, self.scope_)

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

    def _pack(self) -> None:
        """Nothing: the tests are parsed when the first example comes, since there may be no database yet."""

    @property
    def _router(self) -> RelationalRouter:
        """The tree as examples of the database go down it; another database may be set at any time."""
        kept = self.__dict__.get("_routed")
        database = self._database()
        if kept is None or kept[0] is not database:
            kept = (database, self._routing(database))
            self.__dict__["_routed"] = kept
        return kept[1]

    def _routing(self, database: Database) -> RelationalRouter:
        """The tree as examples of another database than that of fit go down it."""
        if self.known_labels:
            raise ValueError(
                "With known_labels the tree asks for classes of its own database; predict without another."
            )
        own = self._readable()
        aligned = align(self.scope_.database, without_class(database, str(self.target_)), own.asked_columns())
        return replace(own, scope=Scope.of_target(aligned, self.scope_.relations[0]))

    def _changed(self, done: Finished) -> Self:
        model = super()._changed(done)
        if (kept := self.__dict__.get("_routed")) is not None:
            model.__dict__["_routed"] = (kept[0], RelationalRouter.of(done.tree, kept[1].scope))
        return model

    def _grounds(self, level: float) -> Grounds:
        return Grounds((), self._answers(level), NO_COLUMNS, self._paths(), witnesses=self._witnesses)

    def _witnesses(self, table: Table, row: int, leaf: int) -> dict[str, dict[str, Any]]:
        """The first rows that make the tests on the way of an example hold."""
        found: dict[str, dict[str, Any]] = witnesses(self._router, leaf, table.arrays[0][row : row + 1])[0]["rows"]
        return found

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
    def apply(self, X: TableLike, database: Database | None = None) -> NDArray[np.int64]:
        """Leaf of each example; `database` as in `predict_proba`."""
        return super().apply(X) if database is None else self._for(database).apply(X)

    def _for(self, database: Database) -> Self:
        """The same tree with other tables."""
        check_is_fitted(self)
        if not isinstance(database, Database):
            raise TypeError(f"'database' must be a petree.relational.Database, got {type(database).__name__}.")
        model = copy(self)
        model.database = database
        return model
