"""How an estimator reads X, at fit and later."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from petree.columns import Column
from petree.estimators.replacing import by_one_model
from petree.inputs import (
    Table,
    as_matrix,
    check_frame,
    check_unique,
    in_memory,
    is_frame,
    refuse_complex,
    table_of,
    take_rows,
)
from petree.inputs.identifiers import IdentifierWarning, find_identifiers, without_values
from petree.inputs.target import is_whole
from petree.tree import Tree

# A nominal column with more categories than this, and few rows for each, is worth a warning.
MANY_CATEGORIES = 1000
# Fewer rows of whole weights are mostly the cells of a table of counts.
MANY_ROWS = 50
# Of rows that count as fewer cases each, in the mean, it is told.
FEWEST_CASES_A_ROW = 0.1


class TableReader(BaseEstimator):
    """An estimator whose X is one table: an array, a data frame or a dict of columns."""

    categorical_features: Any
    columns_: tuple[Column, ...]
    tree_: Tree

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        return tags

    @property
    @by_one_model
    def required_columns_(self) -> list[str]:
        """Names of the columns that the tree tests, in their order; data frames and dicts may lack the others later."""
        check_is_fitted(self)
        return self._tested_names()

    def _tested_names(self) -> list[str]:
        return [self.columns_[place].name for place in self.tree_.tested_columns]

    def _read(self, X: Any, *, reset: bool) -> Table:
        """X as typed columns, its names and number of columns noted or compared with those of fit."""
        return self._read_new(X) if reset else self._read_again(X, self._tested_names)

    def _read_whole(self, X: Any) -> Table:
        """X as the columns that are known already, of which none may lack."""
        return self._read_again(X, lambda: [column.name for column in self.columns_])

    def _read_again(self, X: Any, required: Callable[[], list[str]]) -> Table:
        """X as the columns that are known already; frames and dicts need those that are required."""
        X = in_memory(X)
        _refuse_path(X, "predict_batches(X) answers for files of any size, some rows at a time")
        names = None
        needed = None
        if isinstance(X, Mapping):
            needed = required()
            X = _needed_of(X, needed)
        elif is_frame(X):
            names = check_frame(X)
            needed = self._needed_of_frame(X, names, required())
        elif not self._is_as_known(X):
            X = validate_data(self, _matrix(X), reset=False, dtype=None, ensure_all_finite=False)
        return table_of(X, self.categorical_features, self.columns_, names, needed)

    def _is_as_known(self, X: Any) -> bool:
        """Whether X is an array in which scikit-learn can find nothing wrong: it looks longer than one row takes."""
        return _is_plain_matrix(X) and X.shape[1] == self.n_features_in_ and "feature_names_in_" not in vars(self)

    def _read_new(self, X: Any) -> Table:
        """X as typed columns, its names and number of columns noted."""
        _refuse_path(X, "to learn from its files name the column that holds the classes, such as fit(X, 'target')")
        names = None
        if isinstance(X, Mapping):
            X = _by_text(X)
            self._set_names(list(X))
        elif is_frame(X):
            names = check_frame(X)
            if names and all(type(name) is str for name in names):  # at once, since nothing can be wrong
                self._set_names(names)
            else:
                validate_data(self, X, reset=True, skip_check_array=True)
        elif _is_plain_matrix(X):
            self.n_features_in_ = X.shape[1]
            self.__dict__.pop("feature_names_in_", None)
        else:
            X = validate_data(self, _matrix(X), reset=True, dtype=None, ensure_all_finite=False)
        return table_of(X, self.categorical_features, None, names)

    def _read_rows(self, X: Any, rows: NDArray[np.intp]) -> Table:
        """Some rows of X as typed columns, as if there were no others."""
        return table_of(take_rows(X, rows), self.categorical_features)

    def _sifted(self, table: Table, weights: NDArray[np.float64] | None) -> Table:
        """The table to learn from: warns about columns without values, and leaves out those that identify the rows.

        All columns stay if `categorical_features` says which of them are nominal.
        """
        for column in table.empty_columns():
            warnings.warn(f"Column {column.name!r} has no values at all and is left out.", stacklevel=5)
        if not isinstance(self.categorical_features, str):
            return table
        left_out = find_identifiers(table, weights)
        for column in left_out:
            warnings.warn(IdentifierWarning(column.name, column.kind), stacklevel=5)
        return without_values(table, left_out) if left_out else table

    def _read_known(self, X: Any) -> Table:
        check_is_fitted(self)
        return self._read(X, reset=False)

    def _set_names(self, names: list[str]) -> None:
        self.n_features_in_ = len(names)
        self.feature_names_in_ = np.array(names, dtype=object)

    def _needed_of_frame(self, X: Any, names: list[Any], needed: list[str]) -> list[str] | None:
        """The columns to be read of a frame: those that are needed, or, where fit knew no names, all by their places.

        A frame may lack columns that no test asks for, and has the others in any order. If it lacks none, scikit-learn
        refuses another order than that of fit. A tree without tests asks for all names, so that it cannot be given a
        wrong table unnoticed.
        """
        known = list(vars(self).get("feature_names_in_", ()))
        are_enough = bool(needed) and set(needed) <= set(names) < set(known)
        if names != known and not are_enough:
            validate_data(self, X, reset=False, skip_check_array=True)
        return needed if known else None


def _is_plain_matrix(X: Any) -> bool:
    """Whether X is rows of floats, of which scikit-learn asks no more than that there are any."""
    return type(X) is np.ndarray and X.ndim == 2 and X.dtype.kind == "f" and X.size > 0


def _refuse_path(X: Any, remedy: str) -> None:
    if isinstance(X, str | PathLike):
        raise ValueError(f"X is the path {str(X)!r} and no table; {remedy}, or read it into a data frame first.")


def _matrix(X: Any) -> NDArray[Any]:
    """X as an array, not of complex numbers: scikit-learn would print all of them."""
    matrix = as_matrix(X)
    refuse_complex(matrix)
    return matrix


def warn_of_chains(table: Table, stacklevel: int) -> None:
    """Name the columns of so many categories that testing one after the other takes long."""
    most = max(MANY_CATEGORIES, table.n_rows / 4)
    for column in table.columns:
        if len(column.categories) > most:
            warnings.warn(
                f"Column {column.name!r} has {len(column.categories)} categories in {table.n_rows} rows, so "
                "testing one at a time makes a long chain; leave it out, set max_depth, or use tests='multiway'.",
                stacklevel=stacklevel + 1,
            )


def warn_of_copies(weights: NDArray[np.float64], stacklevel: int) -> None:
    """Say what whole weights mean, where nearly all cases are copies: those that are left out were seen then."""
    if len(weights) >= MANY_ROWS and is_whole(weights) and weights.mean() >= 2:
        warnings.warn(
            f"The weights are whole numbers, {weights.mean():.3g} on average, and a row of weight 2 is two equal "
            "cases: one may be left out and the other learned from while the size of the tree is chosen, so that it "
            "may become far too large. If weights do not count cases, divide them by their mean.",
            stacklevel=stacklevel + 1,
        )


def warn_of_small_weights(weights: NDArray[np.float64], stacklevel: int) -> None:
    """Say what weights mean that add up to far fewer cases than there are rows, as those do that add up to 1."""
    if len(weights) >= MANY_ROWS and weights.mean() < FEWEST_CASES_A_ROW:
        warnings.warn(
            f"The weights of {len(weights)} rows add up to {weights.sum():.3g}, and count as so many cases: with so "
            "few, probabilities stay near the base rates. If weights do not count cases, divide them by their mean.",
            stacklevel=stacklevel + 1,
        )


def _by_text(X: Mapping[Any, Any]) -> dict[str, Any]:
    """The columns of a dict, by names that are text."""
    check_unique([str(name) for name in X])
    return {str(name): values for name, values in X.items()}


def _needed_of(X: Mapping[Any, Any], needed: list[str]) -> dict[str, Any]:
    """The columns of a dict that are tested, or, where none is, one that tells the number of rows."""
    by_text = _by_text(X)
    for name in needed:
        if name not in by_text:
            raise ValueError(f"X has no column {name!r}, which the tree tests.")
    return {name: by_text[name] for name in needed or list(by_text)[:1]}
