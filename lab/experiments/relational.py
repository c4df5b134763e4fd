"""Examples of a database, as experiments use them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from lab.experiments.data import DataSet
from petree import ProbabilityTreeClassifier, RelationalTreeClassifier
from petree.relational.bias.automatic import automatic_bias
from petree.relational.bias.modes import Bias
from petree.relational.database import Database

KEY = "key"
# Rows that a query speaks of beside its example's: enough for trees to be as good as without a limit.
MAX_LINKS = 5


@dataclass(frozen=True)
class RelationalDataSet(DataSet):
    """Examples by their keys, the only column, and the database that tells all else of them.

    Trees over one table that are to learn from it learn over the database instead, by the same split, pruning and
    smoothing.

    Parameters
    ----------
    name, columns, y
        As in `DataSet`.
    database : Database
        With its target declared.
    bias : Bias
        What trees may ask.
    """

    database: Database
    bias: Bias

    @classmethod
    def of(cls, name: str, database: Database) -> RelationalDataSet:
        """All examples of a database; trees may ask what it declares, or else what its links allow."""
        table, _, column = str(database.target).rpartition(".")
        bias = database.bias or automatic_bias(database.hiding(table, column), table, MAX_LINKS, aggregates=())
        keys = np.asarray(database.keys(table))
        return cls(name, {KEY: keys}, database.labels(f"{table}.{column}"), database, bias)

    @property
    def related_digest(self) -> str:
        """Short name of the tables, their links, and what may be asked about them."""
        kept = self.database.kept
        if "digest" not in kept:
            kept["digest"] = digest_of(self.database)
        return f"{kept['digest']}\n{self.bias}\n{self.bias.max_links}"

    def given(self, rows: NDArray[np.intp]) -> Any:
        """What a learner gets of some rows: their keys."""
        return self.columns[KEY][rows]

    def learner(self, model: BaseEstimator) -> RelationalTreeClassifier:
        """A tree over one table as one over the database."""
        if not isinstance(model, ProbabilityTreeClassifier):
            raise TypeError(f"{type(model).__name__} reads one table, but {self.name} has several; take a single tree.")
        shared = RelationalTreeClassifier().get_params(deep=False)
        own = {name: value for name, value in model.get_params(deep=False).items() if name in shared}
        return RelationalTreeClassifier(**own).set_params(database=self.database, bias=self.bias)


def digest_of(database: Database) -> str:
    """Short name of the contents of all tables and of their links."""
    digest = hashlib.sha256(f"{database.target}\n{database.foreign_keys}\n".encode())
    for relation in database.relations.values():
        digest.update(f"{relation.name} {relation.keys} {relation.time}\n".encode())
        for column in relation.columns:
            digest.update(f"{column.name} {column.kind}\n{list(column.domain.values)}\n".encode())
            digest.update(np.ascontiguousarray(column.codes, np.int32).tobytes())
    return digest.hexdigest()[:12]
