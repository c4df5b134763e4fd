"""A table with its classes, as experiments use it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from petree.caching import cached_property


@dataclass(frozen=True)
class DataSet:
    """A named table and the class of each row.

    Parameters
    ----------
    name : str
        What tables of results call it.
    columns : dict of str to array
        Numbers as float64 with NaN where a value is missing; nominal columns as objects: str, and None there.
    y : array of str
        The class of each row.
    """

    name: str
    columns: dict[str, NDArray[Any]]
    y: NDArray[Any]

    @property
    def n_rows(self) -> int:
        return len(self.y)

    @cached_property
    def classes(self) -> NDArray[Any]:
        """The classes there are, sorted."""
        return np.unique(self.y)

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    @cached_property
    def digest(self) -> str:
        """Short name of the contents, by which results are known to be of this very table."""
        digest = hashlib.sha256(self.related_digest.encode())
        for name, values in [*self.columns.items(), ("", self.y)]:
            digest.update(f"{name}\n{values.tolist()}\n".encode())
        return digest.hexdigest()[:12]

    @property
    def related_digest(self) -> str:
        """Short name of what the rows lead to beside their own values; empty, since one table leads nowhere."""
        return ""

    def learner(self, model: BaseEstimator) -> BaseEstimator:
        """A learner as these data need it."""
        return model

    def given(self, rows: NDArray[np.intp]) -> Any:
        """What a learner gets of some rows: their columns."""
        return {name: values[rows] for name, values in self.columns.items()}

    def renamed(self, name: str) -> DataSet:
        """The same table under another name; its contents are not read again for the digest."""
        other = replace(self, name=name)
        vars(other)["digest"] = self.digest
        return other

    def take(self, rows: NDArray[np.intp]) -> DataSet:
        """Some of the rows, in the order given."""
        return replace(self, columns=DataSet.given(self, rows), y=self.y[rows])
