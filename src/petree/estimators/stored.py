"""What is kept of a fitted estimator, the same record for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from petree.columns import Column
from petree.estimators.intervals.certainty import Certainty
from petree.estimators.tuning.finish import Tuning
from petree.inputs import categorical_mask, class_weights
from petree.reading.large import SizeLosses
from petree.threads import count_threads
from petree.tree import Tree

if TYPE_CHECKING:
    from petree.estimators.base import TreeClassifier
    from petree.relational.database import Database


@dataclass(frozen=True)
class Stored:
    """A fitted estimator as a model file holds it; each estimator takes what it has a use for.

    Parameters
    ----------
    parameters : dict
        Of the estimator's constructor.
    tree : Tree
    columns : tuple of Column
    classes : array of class labels
    feature_names : bool
        Whether the columns had names at fit.
    smoothing : estimate, optional
        The one that was used, where it is known.
    tuning : Tuning, optional
    schema : Database, optional
        Of a relational tree: its database without rows.
    estimator : str
        Name of the estimator's class.
    counts_replaced : bool
        Whether the counts are others than those of the cases that the tree grew from, and need not add up.
    certainty : Certainty, optional
        What the leaves are worth, where that is known.
    base_rates : array (classes,), optional
        Where others were set than those of the training data.
    sizes : SizeLosses, optional
        The log loss of the sizes among which the fit chose.
    """

    parameters: dict[str, Any]
    tree: Tree
    columns: tuple[Column, ...]
    classes: NDArray[Any]
    feature_names: bool = True
    smoothing: Any = None
    tuning: Tuning | None = None
    schema: Database | None = None
    estimator: str = "ProbabilityTreeClassifier"
    counts_replaced: bool = False
    certainty: Certainty | None = None
    base_rates: NDArray[np.float64] | None = None
    sizes: SizeLosses | None = None

    def complete(self, model: TreeClassifier) -> None:
        """Give a model the names of its columns, where they had any, and the base rates, where others were set."""
        if self.feature_names:
            model.feature_names_in_ = np.array([column.name for column in self.columns], dtype=object)
        if self.base_rates is not None:
            model.base_rates_ = self.base_rates

    def check_parameters_of(self, model: TreeClassifier) -> None:
        """Let a model raise, as its fit would, for the parameters that more than one estimator has."""
        parameters = model.get_params(deep=False)
        count_threads(parameters["n_jobs"])
        weights = parameters["class_weight"]
        if isinstance(weights, Mapping):  # set_params may have changed them since the fit
            weights = {label: weights[label] for label in self.classes.tolist() if label in weights}
        class_weights(weights, self.classes, self.tree.counts[0])
        if "categorical_features" in parameters:
            categorical_mask(parameters["categorical_features"], [column.name for column in self.columns])
