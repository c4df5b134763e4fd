"""Trees of one table taken along to other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from petree import exports
from petree.estimators.partitioned.batches import AnswersInBatches
from petree.estimators.replacing import by_one_model

if TYPE_CHECKING:
    from onnx import ModelProto
    from sklearn.tree import DecisionTreeClassifier
    from treelite import Model


class ExportsPrograms(AnswersInBatches):
    """A classifier over one table whose answers other programs can give: each equal to `predict_proba`, or refused."""

    @by_one_model
    def to_sql(self, dialect: str = "sqlite", table: str = "data", key: str | None = None) -> str:
        """A query that gives the leaf and the class probabilities of every row of a table.

        Parameters
        ----------
        dialect : str, default="sqlite"
            "sqlite", "postgresql" or "duckdb"; any other that sqlglot knows, where it is installed.
        table : str, default="data"
        key : str, optional
            Column that tells rows apart. Without one, rows are numbered from 1 in the order of the database.
        """
        return str(exports.export(self, "sql", dialect=dialect, table=table, key=key))

    @by_one_model
    def to_onnx(self) -> ModelProto:
        """An ONNX model with one input per column that is asked for, of trees with options too.

        A missing number is NaN, a missing text is empty. Run it by onnxruntime 1.23.2 or later.
        """
        made: bytes = exports.export(self, "onnx")
        from onnx import load_from_string

        return load_from_string(made)

    @by_one_model
    def to_python(self) -> str:
        """The source of a Python module with a function `predict_proba`, which needs nothing but Python."""
        return str(exports.export(self, "python"))

    @by_one_model
    def to_sklearn(self) -> DecisionTreeClassifier:
        """A scikit-learn tree over the same columns, for pictures and explanations that know those.

        For trees that ask for numbers, and for two or for ordered categories, given as their codes. scikit-learn rounds
        values to 32 bits, and sends values that are missing where none were along the heavier branch.
        """
        return exports.export(self, "sklearn")

    @by_one_model
    def to_treelite(self) -> Model:
        """A Treelite model over the same columns, categories given as their codes.

        Values that are missing where none were go along the heavier branch, new categories along that of the others.
        """
        return exports.export(self, "treelite")
