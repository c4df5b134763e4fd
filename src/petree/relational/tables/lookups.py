"""Rows of a relation by their keys, and the values that stand in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, cast

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from petree.inputs.frames import is_frame
from petree.inputs.types import TableLike
from petree.relational.links import make_link
from petree.relational.relations import MISSING, ROW, Relation, RelationColumn
from petree.relational.tables.coding import plain_numbers, recode, type_of, type_of_values, values_of, whole
from petree.relational.tables.frames import Raw, read_frame
from petree.relational.tables.integrity import value_text
from petree.relational.tables.schema import place_text
from petree.words import counted

# An array, a series or any sequence; of several columns tuples, a 2D array or a data frame.
Keys: TypeAlias = TableLike


def named_key(relation: Relation) -> list[RelationColumn]:
    """The columns of the first key, which the user has to have named."""
    key = relation.key_columns
    if not key or key[0].name == ROW:
        raise ValueError(
            f"Table {relation.name!r} has no key, so that its rows cannot be named; "
            f"name the columns that tell them apart, like keys={{{relation.name!r}: 'id'}}."
        )
    return key


def key_values(relation: Relation) -> NDArray[Any] | list[tuple[Any, ...]]:
    """The key of every row: an array, or tuples where the key has several columns."""
    values = [values_of(column) for column in named_key(relation)]
    return values[0] if len(values) == 1 else list(zip(*(one.tolist() for one in values), strict=True))


def rows_of_keys(relation: Relation, keys: Keys) -> NDArray[np.int32]:
    """The row of each key; one that no row has is refused."""
    key = named_key(relation)
    given = _given(keys, key)
    raws = read_frame(relation.name, dict(zip((one.name for one in key), given, strict=True)))
    asked = [_recoded(relation, column, raw) for column, raw in zip(key, raws.values(), strict=True)]
    is_unknown = np.any([column.codes < 0 for column in asked], axis=0)
    if not is_unknown.any():
        link = make_link(asked, key, len(is_unknown), relation.n_rows)
        is_unknown = link.sizes == 0
    if is_unknown.any():
        number = int(np.argmax(is_unknown))
        raise ValueError(
            f"Table {relation.name!r} has no row with {place_text(relation.name, [one.name for one in key])} = "
            f"{_asked_text(given, number)}, which stands at place {number} of the keys."
        )
    return link.rows[link.starts]


def _given(keys: Keys, key: Sequence[RelationColumn]) -> list[Any]:
    """The given values column by column."""
    if isinstance(keys, Mapping):
        columns: list[Any] = list(keys.values())
    elif is_frame(keys):
        columns = list(nw.from_native(cast("Any", keys), eager_only=True).iter_columns())
    elif isinstance(keys, np.ndarray) and keys.ndim == 2:
        columns = list(keys.T)
    elif isinstance(keys, str) or not isinstance(keys, Iterable) or (isinstance(keys, np.ndarray) and not keys.ndim):
        raise TypeError(
            f"The keys of examples are an array or a list of them, got {keys!r}; put a single key into a list."
        )
    elif len(key) == 1:
        return [keys]
    else:
        return _of_tuples(list(cast("Iterable[Any]", keys)), len(key))
    if len(columns) != len(key):
        raise ValueError(f"The keys have {counted(len(columns), 'column')}, but {len(key)} name a row ({_names(key)}).")
    return columns


def _of_tuples(tuples: list[Any], width: int) -> list[Any]:
    for number, one in enumerate(tuples):
        if not isinstance(one, (tuple, list, np.ndarray)) or len(one) != width:
            raise ValueError(f"The key {one!r} at place {number} must be a tuple of {width} values.")
    return list(zip(*tuples, strict=True)) if tuples else [()] * width


def _names(key: Sequence[RelationColumn]) -> str:
    return ", ".join(column.name for column in key)


def _recoded(relation: Relation, column: RelationColumn, raw: Raw) -> RelationColumn:
    given = type_of(raw)
    known = "dates" if column.is_date else type_of_values(column.domain.values)
    is_same = given == known or (given, known) == ("numbers", "dates")  # as `key_values` gives them
    if given and known and not is_same:
        raise ValueError(
            f"Column {place_text(relation.name, (column.name,))!r} holds {known}, but the keys are {given}; "
            "convert them."
        )
    return replace(column, codes=recode(column.domain, plain_numbers(raw)))


def _asked_text(given: Sequence[Any], number: int) -> str:
    values = (one[number] for one in given)
    plain = tuple(one.item() if isinstance(one, np.generic) else one for one in values)
    return repr(plain[0] if len(plain) == 1 else plain)


def label_values(relation: Relation, name: str, rows: NDArray[np.int32] | None = None) -> NDArray[Any]:
    """The values of a column in some rows, or in all, which must have one."""
    rows = np.arange(relation.n_rows, dtype=np.int32) if rows is None else rows
    column = relation.columns[relation.place(name)]
    column = replace(column, codes=column.codes[rows])
    if (column.codes == MISSING).any():
        row = int(rows[np.argmax(column.codes == MISSING)])
        raise ValueError(
            f"Column {place_text(relation.name, (name,))!r} has no value in row {row}"
            f"{_key_text(relation, row)}; leave such rows out or give them one."
        )
    return whole(values_of(column))


def _key_text(relation: Relation, row: int) -> str:
    key = relation.key_columns
    if not key or key[0].name == ROW:
        return ""
    return f", where {_names(key)} is {value_text(key, row)}"
