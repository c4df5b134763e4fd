"""Examples of a database sent down a single tree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from petree.estimators.explaining import Grounds
from petree.estimators.fitted import SingleTreeClassifier
from petree.estimators.relational.examples import NO_COLUMNS, ExampleReader
from petree.estimators.replacing import by_one_model
from petree.estimators.tuning.finish import Finished
from petree.inputs import Table
from petree.inputs.types import TableLike
from petree.relational.database import Database
from petree.relational.reading.witnesses import witnesses
from petree.relational.routing import RelationalRouter


class SingleTreeOfExamples(ExampleReader, SingleTreeClassifier):
    """A classifier that sends each example to a leaf of its tree."""

    known_labels: bool

    def _readable(self) -> RelationalRouter:
        """The tree and its queries; reading needs the names of tables and columns, but no rows."""
        check_is_fitted(self)
        return RelationalRouter.of(self.tree_, self.scope_)

    @property
    def _router(self) -> RelationalRouter:
        """The tree as examples of the database go down it; another database may be set at any time."""
        return self._for_database(self._routing)

    def _routing(self, database: Database) -> RelationalRouter:
        """The tree as examples of another database than that of fit go down it."""
        if self.known_labels:
            raise ValueError(
                "With known_labels the tree asks for classes of its own database; predict without another."
            )
        own = self._readable()
        return replace(own, scope=self._scope_in(database, own.asked_columns()))

    def _changed(self, done: Finished) -> Self:
        model = super()._changed(done)
        if (kept := self.__dict__.get("_routed")) is not None:
            model.__dict__["_routed"] = (kept[0], RelationalRouter.of(done.tree, kept[1].scope))
        return model

    def _grounds(self, level: float) -> Grounds:
        stays = self.database is not None and self.database.server is not None  # and its rows are not shown
        witnesses_of = None if stays else self._witnesses
        return Grounds((), self._answers(level), NO_COLUMNS, self._paths(), witnesses=witnesses_of)

    def _witnesses(self, table: Table, row: int, leaf: int) -> dict[str, dict[str, Any]]:
        """The first rows that make the tests on the way of an example hold."""
        found: dict[str, dict[str, Any]] = witnesses(self._router, leaf, table.arrays[0][row : row + 1])[0]["rows"]
        return found

    @by_one_model
    def apply(self, X: TableLike, database: Database | None = None) -> NDArray[np.int64]:
        """Leaf of each example; `database` as in `predict_proba`."""
        return super().apply(X) if database is None else self._for(database).apply(X)
