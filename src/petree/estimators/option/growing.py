"""How the tree of an option tree classifier is grown from its cases."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.bayes import Prior
from petree.estimators.learning.cases import Cases
from petree.estimators.learning.content import (
    Values,
    column_keys,
    row_copies,
    row_keys,
    telling,
    telling_columns,
    with_classes,
)
from petree.growing.option_ground import OptionRules
from petree.growing.options import GrownTree, grow_options
from petree.keys import Keys, combine_keys
from petree.sources.coding import Binning, CodedTable
from petree.sources.quality import Quality
from petree.threads import Threads


def column_ranks(cases: Cases) -> NDArray[np.int64]:
    """The rank of each column by what stands in it, by which columns are drawn; one that tells no rows apart is first.

    It does not depend on the order and the names of columns, nor on what classes and categories are called: as the key
    of a column is a sum over its rows, so is that of a category. The texts of categories decide where these alone tell
    columns apart. Columns that are equal go by their places.
    """
    columns, copies = telling_columns(cases.content), row_copies(cases).astype(np.uint64)
    keys = _keys(cases, columns, copies, by_text=False)
    if len(np.unique(keys)) < len(keys):
        order = np.lexsort((_keys(cases, columns, copies, by_text=True), keys))
    else:
        order = np.argsort(keys)
    ranks = np.zeros(len(cases.content.columns), np.int64)
    ranks[telling(cases.content)[order]] = np.arange(len(order))
    return ranks


def _keys(cases: Cases, columns: Values, copies: Keys, by_text: bool) -> Keys:
    """Keys of the columns: first by the classes that their values stand beside, then by the rows."""
    told, keys = _told(cases, columns, np.zeros(len(copies), np.uint64), copies, by_text)
    return _told(cases, columns, row_keys(told, keys, len(copies)), copies, by_text)[1]


def _told(cases: Cases, columns: Values, rows: Keys, copies: Keys, by_text: bool) -> tuple[Values, Keys]:
    """The columns, their categories numbered by their texts or by their rows, and keys of them, given those of rows."""
    rows = with_classes(cases, rows, copies)
    told = columns if by_text else [_told_by_rows(*column, rows, copies) for column in columns]
    return told, column_keys(told, rows, copies)


def _told_by_rows(
    values: NDArray[Any], ranks: NDArray[np.float64] | None, rows: Keys, copies: Keys
) -> tuple[NDArray[Any], NDArray[np.float64] | None]:
    """A column with categories numbered by the rows they stand in; missing values, of code -1, stay what they are."""
    if ranks is None:
        return values, None
    sums = np.zeros(len(ranks), np.uint64)
    np.add.at(sums, values, copies * combine_keys(rows, np.zeros(1, np.uint64)))
    numbers = (sums >> np.uint64(11)).astype(np.float64)  # as many bits as a float holds
    numbers[-1] = ranks[-1]
    return values, numbers


def grow(cases: Cases, prior: Prior, rules: OptionRules, tests: str, binning: Binning, threads: Threads) -> GrownTree:
    """The tree with its options, and how its growing ended."""
    table = cases.table
    n_classes = len(cases.classes)
    shared = cases.coded()
    coded = shared or CodedTable.of(
        table.columns, table.arrays, cases.codes, cases.weights, n_classes, binning, threads
    )
    # Where all columns are looked at nothing is drawn.
    ranks = np.arange(len(table.columns)) if rules.max_features is None else column_ranks(cases)
    quality = Quality.of(coded, table.arrays if shared is None else (), cases.targets.counts(), prior, tests)
    return grow_options(coded, quality, cases.targets, tests, rules, ranks, threads)
