"""What is kept of a fitted estimator, the same record for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from petree.columns import Column
from petree.estimators.tuning import Tuning
from petree.tree import Tree

if TYPE_CHECKING:
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
    """

    parameters: dict[str, Any]
    tree: Tree
    columns: tuple[Column, ...]
    classes: NDArray[Any]
    feature_names: bool = True
    smoothing: Any = None
    tuning: Tuning | None = None
    schema: Database | None = None

    def name_columns(self, model: Any) -> None:
        """Give a model the names of its columns, where they had any."""
        if self.feature_names:
            model.feature_names_in_ = np.array([column.name for column in self.columns], dtype=object)
