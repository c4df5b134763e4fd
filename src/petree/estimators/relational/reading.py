"""How a tree over several tables is read: sentences, Prolog, SQL, and the rows behind a node."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from petree import exports, reading
from petree.estimators.relational.exports import RelationalView
from petree.estimators.relational.single import SingleTreeOfExamples
from petree.estimators.replacing import by_one_model
from petree.reading.view import View
from petree.relational.reading.telling import sentence_at, tell_tree
from petree.relational.reading.witnesses import witnesses
from petree.relational.relations import ROW as NUMBERS

STYLES = ("sentences", "prolog")


class RelationalReading(SingleTreeOfExamples):
    """What a fitted relational tree tells people."""

    def _view(self, level: float | None = None) -> RelationalView:
        router = self._readable()
        checks = () if self.database is None else self.database.checks
        told = tell_tree(self.tree_, self.scope_)
        return RelationalView(told, *self._shown(level), router=router, checks=checks)

    @by_one_model
    def export_text(
        self,
        style: str = "sentences",
        *,
        max_depth: int | None = None,
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
        shown = self._view() if style == "sentences" else View(self.tree_, *self._shown())
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
    def to_problog(self) -> str:
        """The tree as a ProbLog program: an annotated disjunction a leaf, with the probabilities of all classes."""
        return str(exports.export(self, "problog"))

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
