"""Rows that a model keeps, as codes, so that its tree can be grown anew with those that come later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.binning import midpoints
from petree.columns import NUMBER
from petree.estimators.learning.cases import Cases
from petree.inputs import Table, class_weights
from petree.inputs.types import ClassWeight
from petree.inputs.values import UNKNOWN
from petree.sources.coding import BinnedColumn, CodedTable

Arrays = Sequence[NDArray[Any]]


@dataclass(frozen=True, eq=False)
class KeptRows:
    """Coded rows with their classes and weights.

    Parameters
    ----------
    coded : CodedTable
    spans : tuple of array (2, bins)
        The least and the greatest value of each bin of a column of numbers; nothing for other columns.
    codes : array (rows,)
        The class of each row.
    weights : array (rows,)
    """

    coded: CodedTable
    spans: tuple[NDArray[np.float64], ...]
    codes: NDArray[np.uint16]
    weights: NDArray[np.float64]

    @classmethod
    def begin(cls, coded: CodedTable, cases: Cases) -> KeptRows:
        """The first rows, which have said where numbers are cut."""
        spans = tuple(np.array([[np.inf], [-np.inf]]).repeat(one.n_bins, axis=1) for one in coded.columns)
        empty = replace(
            coded,
            narrow=coded.narrow[:0],
            wide=coded.wide[:0],
            columns=tuple(one._replace(has_missing=False, is_empty=True) for one in coded.columns),
        )
        return cls(empty, spans, np.empty(0, np.uint16), np.empty(0)).with_rows(cases)

    def __len__(self) -> int:
        return len(self.codes)

    def with_rows(self, cases: Cases) -> KeptRows:
        """These rows and some more, of the same columns and classes."""
        table = cases.table
        _refuse_unknown(table)
        more = _coded_by(self.coded, table.arrays, table.n_rows)
        pairs = list(zip(self.coded.columns, more.by_column, strict=True))
        coded = replace(
            self.coded,
            narrow=np.concatenate((self.coded.narrow, more.narrow)),
            wide=np.concatenate((self.coded.wide, more.wide)),
            columns=tuple(_with_codes(column, codes) for column, codes in pairs),
        )
        spans = tuple(
            _spanned(span, column, codes, values)
            for span, (column, codes), values in zip(self.spans, pairs, table.arrays, strict=True)
        )
        weights = np.ones(table.n_rows) if cases.weights is None else cases.weights
        codes = np.concatenate((self.codes, cases.codes.astype(np.uint16)))
        return KeptRows(coded, spans, codes, np.concatenate((self.weights, weights)))

    def cases(self, classes: NDArray[Any], class_weight: ClassWeight) -> Cases:
        """All rows to learn from; a number is the middle of its bin, which every test of the tree takes for it."""
        columns = self.coded.columns
        arrays = tuple(map(_decoded, columns, self.coded.by_column, self.spans))
        table = Table(tuple(one.column for one in columns), arrays, len(self))
        weights = None if (self.weights == 1).all() else self.weights
        totals = np.bincount(self.codes, self.weights, len(classes)).astype(np.float64)
        factors = class_weights(class_weight, classes, totals)
        return Cases(table, classes, self.codes.astype(np.intp), weights, factors, codes_of_whole=self.coded)


def _refuse_unknown(table: Table) -> None:
    """Raise where a column has a category that the first rows did not declare; one without any takes all."""
    for column, values in zip(table.columns, table.arrays, strict=True):
        if column.kind != NUMBER and column.categories and (values == UNKNOWN).any():
            row = int(np.argmax(values == UNKNOWN))
            raise ValueError(
                f"Column {column.name!r} has a category in row {row} that the first rows did not have; declare all "
                "categories in the first call, such as by a categorical type of the column, or call fit with all rows."
            )


def _coded_by(known: CodedTable, arrays: Arrays, n_rows: int) -> CodedTable:
    """Other rows by the same cuts."""
    narrow = np.empty((n_rows, known.narrow.shape[1]), np.uint8)
    wide = np.empty((n_rows, known.wide.shape[1]), np.uint32)
    for binned, values, place in zip(known.columns, arrays, known.places.tolist(), strict=True):
        at = place - narrow.shape[1] if binned.is_wide else place
        if binned.column.kind == NUMBER:
            numbers = np.ascontiguousarray(values, np.float64)
            if binned.is_wide:
                core.tables.encode_numbers_wide(numbers, binned.thresholds, wide, at)
            else:
                core.tables.encode_numbers(numbers, binned.thresholds, narrow, at)
        else:
            codes = wide if binned.is_wide else narrow
            codes[:, at] = np.where(values < 0, binned.n_bins, values)
    return replace(known, narrow=narrow, wide=wide)


def _with_codes(binned: BinnedColumn, codes: NDArray[Any]) -> BinnedColumn:
    """The column where these codes of it have come, too."""
    n_missing = np.count_nonzero(codes == binned.n_bins)
    has_missing = binned.has_missing or n_missing > 0
    return binned._replace(has_missing=bool(has_missing), is_empty=binned.is_empty and n_missing == len(codes))


def _spanned(
    span: NDArray[np.float64], binned: BinnedColumn, codes: NDArray[Any], values: NDArray[Any]
) -> NDArray[np.float64]:
    """The least and the greatest value of each bin, with some values more."""
    if binned.column.kind != NUMBER:
        return span
    is_there = codes < binned.n_bins
    numbers = np.asarray(values, np.float64)[is_there]
    span = span.copy()
    np.minimum.at(span[0], codes[is_there], numbers)
    np.maximum.at(span[1], codes[is_there], numbers)
    return span


def _decoded(binned: BinnedColumn, codes: NDArray[Any], span: NDArray[np.float64]) -> NDArray[Any]:
    """Values that have these codes."""
    if binned.column.kind != NUMBER:
        return np.where(codes < binned.n_bins, codes.astype(np.int32), -1)
    is_empty = span[0] > span[1]
    middles = midpoints(np.where(is_empty, 0.0, span[0]), np.where(is_empty, 0.0, span[1]))
    return np.append(middles, np.nan)[codes]
