"""How a classifier of one table takes data in parts: codes, or what becomes codes first."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike

import numpy as np
from numpy.typing import ArrayLike

from petree.estimators.base import TreeClassifier
from petree.estimators.parameters import Bins
from petree.inputs.types import CategoricalFeatures, LabelsLike, TableLike
from petree.partitions import Coding, as_coded
from petree.partitions.engines import chosen
from petree.partitions.partition import CodedData


class ReadsParts(TreeClassifier):
    """A classifier whose X may be a data set in parts."""

    binning: Bins
    categorical_features: CategoricalFeatures
    n_jobs: int | None

    def _parts(
        self,
        X: TableLike | CodedData,
        y: LabelsLike | str | None,
        sample_weight: ArrayLike | str | None,
        groups: ArrayLike | None,
        declared: ArrayLike | None,
    ) -> CodedData | None:
        """X as a data set in parts: coded already, or now, where y is the name of its target; None where it is none."""
        if isinstance(X, CodedData):
            refuse_beside_parts({"y": y, "sample_weight": sample_weight, "groups": groups, "classes": declared})
            return X
        if y is None and isinstance(X, str | PathLike):
            raise ValueError(
                f"X is the path {str(X)!r}; name the column of its files that holds the classes, such as "
                "fit(X, 'target')."
            )
        if not isinstance(y, str) or isinstance(X, np.ndarray | Mapping):
            return None
        refuse_beside_parts({"groups": groups, "classes": declared})
        if sample_weight is not None and not isinstance(sample_weight, str):
            raise ValueError("Where y is the name of a column, sample_weight is one, too; name the column of weights.")
        return as_coded(X, y, self._coding(sample_weight))

    def _coding(self, weights: str | None) -> Coding:
        """How data are coded for this estimator."""
        listed = np.atleast_1d(np.asarray(self.categorical_features)).tolist()
        told = [] if listed in ([None], ["from_dtype"]) else listed
        if any(not isinstance(name, str) for name in told):
            raise ValueError("Where y is the name of a column, categorical_features must be names of columns, too.")
        nominal = dict.fromkeys(map(str, told), "nominal")
        return Coding(weights, (), nominal, self.binning, chosen().memory, self.n_jobs)


def refuse_beside_parts(given: Mapping[str, object]) -> None:
    """Raise where something is given beside a data set that has it in itself."""
    for name, value in given.items():
        if value is not None:
            raise ValueError(f"A data set in parts has classes and weights in it, and no groups; leave out {name}.")
