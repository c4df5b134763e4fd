"""Numbers that rows and classes have from what stands in them.

No result depends on the order of rows, columns or classes, nor on what classes are called, as far as these can be told
apart by their content: the key of a column is a sum over its rows, that of a row a sum over its columns, and that of a
class a sum over its rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.columns import NUMBER, Column
from petree.estimators.learning.cases import Cases
from petree.inputs import Table
from petree.inputs.table import CHUNK_ROWS
from petree.inputs.target import is_whole
from petree.keys import Keys, combine_keys, root_key
from petree.tree import Tree, turns

Values = list[tuple[NDArray[Any], NDArray[np.float64] | None]]


@dataclass(frozen=True)
class Content:
    """Random numbers of rows, equal where rows are, and the codes of the classes in their own order."""

    rows: Keys
    class_order: NDArray[np.intp]

    @classmethod
    def of(cls, cases: Cases) -> Content:
        """First all columns are alike; then each is told by the rows, and the classes, that its values stand in."""
        columns, copies = telling_columns(cases.content), row_copies(cases).astype(np.uint64)
        rows = row_keys(columns, np.zeros(len(columns), np.uint64), len(copies))
        told = column_keys(columns, with_classes(cases, rows, copies), copies)
        rows = row_keys(columns, _apart(told), len(copies))
        return cls(rows, np.argsort(_class_keys(cases, rows, copies), kind="stable"))

    def ranks(self, codes: NDArray[np.intp]) -> NDArray[np.intp]:
        """The place of each code in the order of the classes."""
        return np.argsort(self.class_order)[codes]


def row_copies(cases: Cases) -> NDArray[np.int64]:
    """For how many copies each row stands; a row of fractional weight is a single one."""
    if cases.weights is None or not is_whole(cases.weights):
        return np.ones(len(cases.codes), np.int8)
    return cases.weights.astype(np.int64)


def column_keys(columns: Values, rows: Keys, copies: Keys) -> Keys:
    """Keys of the columns, given those of the rows."""
    keys = np.zeros(len(columns), np.uint64)
    for part, numbers in _chunks(columns, len(rows)):
        core.content.add_to_columns(numbers, rows[part], copies[part], keys)
    return keys


def _apart(keys: Keys) -> Keys:
    """Keys that tell what has equal ones, columns or groups, apart by its place."""
    order = np.argsort(keys, kind="stable")
    is_first = np.append(True, np.diff(keys[order]) > 0) if len(keys) else np.empty(0, bool)
    turn = np.empty(len(keys), np.uint64)
    turn[order] = turns(is_first)
    return combine_keys(keys, turn)


def row_keys(columns: Values, keys: Keys, n_rows: int) -> Keys:
    """Keys of the rows, given those of the columns."""
    rows = np.zeros(n_rows, np.uint64)
    for part, numbers in _chunks(columns, n_rows):
        core.content.add_to_rows(numbers, keys, rows[part])
    return rows


def with_classes(cases: Cases, rows: Keys, copies: Keys) -> Keys:
    """Keys of the rows that also tell their classes apart."""
    return combine_keys(rows, _class_keys(cases, rows, copies)[cases.codes])


def _class_keys(cases: Cases, rows: Keys, copies: Keys) -> Keys:
    """Keys of the classes, given those of the rows."""
    keys = np.zeros(len(cases.classes), np.uint64)
    np.add.at(keys, cases.codes, copies * combine_keys(rows, np.zeros(1, np.uint64)))
    return keys


def group_keys(cases: Cases, members: NDArray[np.intp]) -> Keys:
    """Keys of groups, all different: sums over their rows and classes, whatever the groups are called.

    `members` has the number of the group of each row.
    """
    copies = row_copies(cases).astype(np.uint64)
    keys = np.zeros(members.max() + 1, np.uint64)
    np.add.at(keys, members, copies * with_classes(cases, Content.of(cases).rows, copies))
    return _apart(keys)


def _chunks(columns: Values, n_rows: int) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Some rows at a time, with their numbers, a line per column."""
    for start in range(0, n_rows, CHUNK_ROWS):
        part = slice(start, min(start + CHUNK_ROWS, n_rows))
        # Whole numbers and the same numbers as floats are the same values.
        numbers = np.empty((len(columns), part.stop - start))
        for line, (values, ranks) in zip(numbers, columns, strict=True):
            line[:] = values[part] if ranks is None else ranks[values[part]]
        yield part, numbers


def telling(table: Table) -> NDArray[np.intp]:
    """The places of the columns that tell any rows apart."""
    return np.flatnonzero([not _is_constant(values) for values in table.arrays])


def telling_columns(table: Table) -> Values:
    """The values of each column that tells any rows apart, and the ranks of the categories where it has any."""
    return [(table.arrays[place], _ranks(table.columns[place], table.arrays[place])) for place in telling(table)]


def _is_constant(values: NDArray[Any]) -> bool:
    first = values[0]
    if first != first:  # NaN is not equal to itself
        return bool(np.isnan(values).all())
    return bool(values[-1] == first and (values == first).all())  # the last value tells of most columns


def _ranks(column: Column, codes: NDArray[Any]) -> NDArray[np.float64] | None:
    """A number for each category by its text, so that neither the declared order nor unused categories matter.

    The last one is that of missing values, whose code is -1.
    """
    if column.kind == NUMBER:
        return None
    texts = np.array([str(category) for category in column.categories], dtype=object)
    present = np.flatnonzero(np.bincount(codes[codes >= 0], minlength=len(texts)))
    ranks = np.full(len(texts) + 1, -1.0)
    ranks[present[np.argsort(texts[present], kind="stable")]] = np.arange(len(present))
    return ranks


def canonical_order(cases: Cases, seed: int) -> NDArray[np.intp]:
    """Rows by class and then by content, in which copies of a row stand side by side; lighter ones come first."""
    return _order(cases, Content.of(cases), seed)


def _order(cases: Cases, content: Content, seed: int) -> NDArray[np.intp]:
    keys, ranks = combine_keys(root_key(seed), content.rows), content.ranks(cases.codes)
    return np.lexsort((keys, ranks) if cases.weights is None else (cases.weights, keys, ranks))


def line_of_copies(cases: Cases, n_copies: NDArray[np.int64], seed: int) -> NDArray[np.intp]:
    """The row of every copy, by class and then at random, as content and the number of equal copies before it say.

    Equal copies do not stand side by side: dealt round to folds, each fold would get the same share of them, and cases
    that are left out would be more like the others than new cases are.
    """
    content = Content.of(cases)
    order = _order(cases, content, seed)
    line = np.repeat(order, n_copies[order])
    keys, ranks = combine_keys(root_key(seed), content.rows)[line], content.ranks(cases.codes)[line]
    is_first = np.append(True, (keys[1:] != keys[:-1]) | (ranks[1:] != ranks[:-1]))
    if is_first.all():
        return line
    own = np.where(is_first, keys, combine_keys(keys, turns(is_first).astype(np.uint64)))
    return line[np.lexsort((own, ranks))]


@dataclass(frozen=True)
class Canonical:
    """Cases whose rows and classes stand in an order of their own: what is drawn goes by these orders."""

    cases: Cases
    class_order: NDArray[np.intp]

    @classmethod
    def of(cls, cases: Cases, seed: int) -> Canonical:
        content = Content.of(cases)
        order, rows = content.class_order, cases.take(_order(cases, content, seed))
        factors = None if cases.factors is None else cases.factors[order]
        renamed = replace(rows, classes=cases.classes[order], codes=content.ranks(rows.codes), factors=factors)
        return cls(renamed, order)

    def restore(self, tree: Tree) -> Tree:
        """A tree of these cases, and the one before pruning, with the classes as they were given."""
        places, log = np.argsort(self.class_order), tree.pruning_log
        return replace(
            tree,
            counts=np.ascontiguousarray(tree.counts[:, places]),
            classes=tuple(tree.classes[place] for place in places.tolist()),
            class_weight=None if tree.class_weight is None else tree.class_weight[places],
            pruning_log=None if log is None else replace(log, grown=self.restore(log.grown)),
        )
