"""How an estimator reads X, at fit and later."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from petree.columns import Column
from petree.inputs import Table, as_matrix, check_frame, check_unique, is_frame, table_of, take_rows

# A nominal column with more categories than this, and few rows for each, is worth a warning.
MANY_CATEGORIES = 1000


class TableReader(BaseEstimator):
    """An estimator whose X is one table: an array, a data frame or a dict of columns."""

    categorical_features: Any
    columns_: tuple[Column, ...]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def _read(self, X: Any, *, reset: bool) -> Table:
        """X as typed columns, its names and number of columns noted or compared with those of fit."""
        if issparse(X):
            raise TypeError("petree does not read sparse data; pass X.toarray() or a data frame.")
        names = None
        if isinstance(X, Mapping):
            X = self._align(X, reset)
        elif is_frame(X):
            names = check_frame(X)
            self._note_names(X, names, reset)
        else:
            X = validate_data(self, as_matrix(X), reset=reset, dtype=None, ensure_all_finite=False)
        return table_of(X, self.categorical_features, None if reset else self.columns_, names)

    def _read_rows(self, X: Any, rows: NDArray[np.intp]) -> Table:
        """Some rows of X as typed columns, as if there were no others."""
        return table_of(take_rows(X, rows), self.categorical_features)

    def _read_known(self, X: Any) -> Table:
        check_is_fitted(self)
        return self._read(X, reset=False)

    def _note_names(self, X: Any, names: list[Any], reset: bool) -> None:
        """What scikit-learn notes of a frame, or compares with fit; at once where nothing can be wrong."""
        if names and reset and all(type(name) is str for name in names):
            self.feature_names_in_, self.n_features_in_ = np.array(names, dtype=object), len(names)
        elif reset or names != list(getattr(self, "feature_names_in_", ())):
            validate_data(self, X, reset=reset, skip_check_array=True)

    def _align(self, X: Mapping[Any, Any], reset: bool) -> dict[str, Any]:
        """Columns of a dict in the order of fit: a dict has no order of its own."""
        check_unique([str(name) for name in X])
        X = {str(name): values for name, values in X.items()}
        if reset:
            self.n_features_in_ = len(X)
            self.feature_names_in_ = np.array(list(X), dtype=object)
            return X
        missing = [column.name for column in self.columns_ if column.name not in X]
        if missing:
            raise ValueError(f"X has no column {missing[0]!r}, which the model was fitted with.")
        return {column.name: X[column.name] for column in self.columns_}


def warn_of_empty(table: Table, stacklevel: int) -> None:
    """Name the columns that cannot help."""
    for column in table.empty_columns():
        warnings.warn(f"Column {column.name!r} has no values at all and is left out.", stacklevel=stacklevel + 1)


def warn_of_chains(table: Table, stacklevel: int) -> None:
    """Name the columns of so many categories that testing one at a time hardly helps."""
    most = max(MANY_CATEGORIES, table.n_rows / 4)
    for column in table.columns:
        if len(column.categories) > most:
            warnings.warn(
                f"Column {column.name!r} has {len(column.categories)} categories in {table.n_rows} rows, so "
                "testing one at a time makes a long chain; leave it out, set max_depth, or use tests='multiway'.",
                stacklevel=stacklevel + 1,
            )
