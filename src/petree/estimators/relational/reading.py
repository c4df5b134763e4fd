"""How a tree over several tables is read: sentences, Prolog, SQL, and the rows behind a node."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from petree import exports, reading
from petree.estimators.explaining import Grounds
from petree.estimators.fitted import SingleTreeClassifier
from petree.estimators.relational.examples import NO_COLUMNS, ExampleReader
from petree.estimators.relational.exports import RelationalView
from petree.estimators.replacing import by_one_model
from petree.estimators.tuning.finish import Finished
from petree.inputs import Table
from petree.inputs.types import TableLike
from petree.reading.view import View
from petree.relational.database import Database
from petree.relational.reading.telling import sentence_at, tell_tree
from petree.relational.reading.witnesses import witnesses
from petree.relational.relations import ROW as NUMBERS
from petree.relational.routing import RelationalRouter

STYLES = ("sentences", "prolog")


class RelationalReading(ExampleReader, SingleTreeClassifier):
    """A classifier that sends each example to a leaf of its tree, and tells people what this asks."""

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

    # -- reading ------------------------------------------------------------------------------------------

    def _view(self, level: float | None = None) -> RelationalView:
        router = self._readable()
        checks = () if self.database is None else self.database.checks
        told = tell_tree(self.tree_, self.scope_)
        return RelationalView(told, *self._shown(level), **self._sizes_shown(), router=router, checks=checks)

    @by_one_model
    def export_text(
        self,
        style: str = "sentences",
        *,
        max_depth: int | Literal["auto"] | None = "auto",
        decimals: int | None = None,
        top_classes: int | None = None,
        percent: bool = False,
        label: object | None = None,
    ) -> str:
        """The tree as text, its tests as sentences or in Prolog's notation (``style="prolog"``).

        Depth, digits, classes and the class whose probability leaves say are chosen as in `petree.reading.export_text`.
        """
        check_is_fitted(self)
        if style not in STYLES:
            raise ValueError(f"The 'style' must be one of {', '.join(STYLES)}. Got {style!r} instead.")
        shown = self._view() if style == "sentences" else View(self.tree_, *self._shown(), **self._sizes_shown())
        return reading.export_text(
            shown.about(label), max_depth=max_depth, decimals=decimals, top_classes=top_classes, percent=percent
        )

    @by_one_model
    def sentence(self, node: int) -> str:
        """The test of a node in words."""
        return sentence_at(self._readable(), self._inner(node)).success

    @by_one_model
    def to_prolog(self) -> str:
        """The tree as ordered Prolog rules: the first whose body holds has the class."""
        return str(exports.export(self, "prolog"))

    @by_one_model
    @by_one_model
    def asked_columns(self) -> dict[str, list[str]]:
        """The columns of each table on which the answers of the tree depend."""
        router = self._readable()
        relations = router.scope.database.relations
        return {
            table: [name for place in sorted(places) if (name := relations[table].names[place]) != NUMBERS]
            for table, places in router.asked_columns().items()
        }

    @by_one_model
    def to_sql(self, node: int | None = None, dialect: str = "sqlite") -> str:
        """A query that asks a database what the tree does.

        Parameters
        ----------
        node : int, optional
            An inner node: the query finds the keys of the examples for which its test holds, and with it all tests
            that hold on the way there. Without a node it gives the leaf and the probabilities of every example.
        dialect : {"sqlite", "postgresql", "duckdb"}
        """
        check_is_fitted(self)
        inner = None if node is None else self._inner(node)
        return str(exports.export(self, "sql", dialect=dialect, node=inner))

    @by_one_model
    def rows_at(self, node: int, keys: ArrayLike | None = None) -> list[dict[str, Any]]:
        """The examples that come to a node, and for each the first rows that make the tests on its way hold.

        Parameters
        ----------
        node : int
        keys : keys of examples, optional
            Those that the tree was fitted to unless given.

        Returns
        -------
        list of dict
            ``{"key": ..., "rows": {"molecule": {column: value}, "atom (B)": {column: value}}}``.
        """
        check_is_fitted(self)
        self._check_node(node)
        wanted = vars(self).get("keys_") if keys is None else keys
        if wanted is None:
            raise ValueError("A model file keeps no training examples; pass the keys of those to look for.")
        rows = self._read(wanted, reset=False).arrays[0]
        arrived = self.decision_path(wanted)[:, [node]].toarray().ravel() > 0
        return witnesses(self._router, node, np.asarray(rows)[arrived])

    def _check_node(self, node: int) -> None:
        if not 0 <= node < self.tree_.n_nodes:
            raise ValueError(f"The tree has no node {node}; its nodes are 0 to {self.tree_.n_nodes - 1}.")

    def _inner(self, node: int) -> int:
        """A node that has a test."""
        check_is_fitted(self)
        self._check_node(node)
        if self.tree_.is_leaf[node]:
            raise ValueError(f"Node {node} is a leaf and has no test; name the node above it, or use rows_at.")
        return node
