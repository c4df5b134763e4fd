"""How a tree over several tables is read: sentences, Prolog, SQL, and the rows behind a node."""

from __future__ import annotations

import warnings
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from petree import reading
from petree.estimators.choosing import most_probable_codes
from petree.estimators.fitted import FittedTree
from petree.estimators.replacing import by_one_model
from petree.estimators.stored import Stored
from petree.relational.database import Database
from petree.relational.queries.scope import Scope
from petree.relational.reading.rules import tree_rules
from petree.relational.reading.sql_trees import node_sql, tree_sql
from petree.relational.reading.telling import sentence_at, tell_tree
from petree.relational.reading.witnesses import witnesses
from petree.relational.routing import RelationalRouter
from petree.smoothing import resolve_smoothing
from petree.splitting import resolve_split
from petree.tree import Tree

STYLES = ("sentences", "prolog")


class RelationalReading(FittedTree):
    """What a fitted relational tree tells people; `scope_` is that of its empty query."""

    target: str | None
    split: Any
    scope_: Scope
    target_: str | None
    keys_: Any

    @classmethod
    def _from_stored(cls, stored: Stored) -> Self:
        """A fitted estimator from what a model file holds."""
        model = cls(**stored.parameters)
        model._check_stored(stored)
        split, smoothing = clone(resolve_split(model.split), safe=False), resolve_smoothing(stored.smoothing)
        model._set_fitted(stored.tree, stored.columns, stored.classes, split, smoothing, stored.tuning)
        model._note_certainty(stored.certainty)
        schema = cast(Database, stored.schema)  # what is stored of a relational tree has one
        table = model._target(schema)[0]
        if not schema.relation(table).keys:
            raise ValueError(f"the table {table!r} of the examples has no key")
        model.scope_, model.target_ = Scope.of_target(schema, table), model.target
        model._told()  # raises for a query that these tables cannot answer
        return model

    def _check_stored(self, stored: Stored) -> None:
        """Raise for a bad parameter of a model file."""
        raise NotImplementedError

    def _target(self, database: Database | None = None) -> tuple[str, str | None]:
        """The table of the examples, and the column of the class where a table has it."""
        raise NotImplementedError

    @by_one_model
    def export_text(self, style: str = "sentences") -> str:
        """The tree as text, its tests as sentences or in Prolog's notation (``style="prolog"``)."""
        check_is_fitted(self)
        if style not in STYLES:
            raise ValueError(f"The 'style' must be one of {', '.join(STYLES)}. Got {style!r} instead.")
        tree = self._told() if style == "sentences" else self.tree_
        return reading.export_text(tree, probabilities=self.node_probabilities_)

    @by_one_model
    def rules(self, level: float | None = None) -> list[str]:
        """One line a leaf; with a level, such as 0.9, also the credible interval of the probability."""
        check_is_fitted(self)
        return reading.rules(self._told(), probabilities=self.node_probabilities_, bounds=self._bounds(level))

    @by_one_model
    def to_frame(self, level: float | None = None) -> Any:
        """One row a node, as a data frame; with a level also the credible intervals of the probabilities."""
        check_is_fitted(self)
        return reading.to_frame(self._told(), probabilities=self.node_probabilities_, bounds=self._bounds(level))

    @by_one_model
    def why(self, everything: bool = False) -> list[str]:
        """Why nodes were pruned, one line a cut subtree; with `everything` one for each node that was examined."""
        check_is_fitted(self)
        return reading.why(self._told(), everything)

    @by_one_model
    def sentence(self, node: int) -> str:
        """The test of a node in words."""
        return sentence_at(self._readable(), self._inner(node)).success

    @by_one_model
    def to_prolog(self) -> str:
        """The tree as ordered Prolog rules: the first whose body holds has the class."""
        check_is_fitted(self)
        predicted = self.classes_[most_probable_codes(self.node_probabilities_, self.tree_.class_weight)]
        return tree_rules(self._readable(), self.classes_.tolist(), self.node_probabilities_, predicted.tolist())

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
        self._warn_of_dangling()
        if node is None:
            return tree_sql(self._readable(), self.classes_.tolist(), self.node_probabilities_, dialect)
        return node_sql(self._readable(), self._inner(node), dialect)

    def _warn_of_dangling(self) -> None:
        """Name the links whose dangling keys the tree takes for missing, while SQL finds them in the tables."""
        for check in getattr(getattr(self, "database", None), "checks", ()):
            if check.n_dangling:
                warnings.warn(
                    f"Dangling keys of {check.link}: {check.n_dangling} (such as {check.example}); the tree takes them "
                    "for missing, and SQL does so only where the tables have NULL in their place.",
                    stacklevel=4,
                )

    @by_one_model
    def rows_at(self, node: int, keys: Any = None) -> list[dict[str, Any]]:
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
        if keys is None and not hasattr(self, "keys_"):
            raise ValueError("A model file keeps no training examples; pass the keys of those to look for.")
        rows = self._read(self.keys_ if keys is None else keys, reset=False).arrays[0]
        arrived = self.decision_path(self.keys_ if keys is None else keys)[:, [node]].toarray().ravel() > 0
        return witnesses(self._router, node, np.asarray(rows)[arrived])  # type: ignore[arg-type]

    def _readable(self) -> RelationalRouter:
        """The tree and its queries; reading needs the names of tables and columns, but no rows."""
        check_is_fitted(self)
        return RelationalRouter.of(self.tree_, self.scope_)

    def _told(self) -> Tree:
        return tell_tree(self.tree_, self.scope_)

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

    @by_one_model
    def _html_repr(self) -> str:
        if not hasattr(self, "tree_"):
            return super()._html_repr()
        return reading.to_html(self._told(), probabilities=self.node_probabilities_)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        raise AttributeError("Tests of a relational tree are queries, not columns, so that none has an importance.")
