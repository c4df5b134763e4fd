"""Keys that tell rows apart, and those that point to nothing."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from petree.relational.relations import MISSING, RelationColumn
from petree.relational.row_keys import joint_keys, row_keys
from petree.relational.tables.coding import TableColumn
from petree.relational.tables.schema import ForeignKey, place_text
from petree.words import counted, visible

Columns = Mapping[TableColumn, RelationColumn]
Codes = NDArray[np.int32]


@dataclass(frozen=True)
class LinkCheck:
    """What was found along a link: rows that point nowhere because their key is missing, or because it dangles."""

    link: ForeignKey
    n_rows: int
    n_missing: int
    n_dangling: int
    example: str | None = None

    def __str__(self) -> str:
        found = f"{visible(str(self.link))}: {counted(self.n_rows, 'row')}"
        found += f", {self.n_missing} without a key" if self.n_missing else ""
        return found + (f", {self.n_dangling} dangling (such as {self.example})" if self.n_dangling else "")


def check_unique_key(table: str, names: Sequence[str], columns: Columns, link: ForeignKey | None = None) -> None:
    """Refuse a key that two rows share; a missing one tells nothing.

    `link` is what made it a key, if nobody declared it: one whose other end is unique may be written backwards.
    """
    key = [columns[table, name] for name in names]
    row = _repeated_row(key)
    if row is None:
        return
    place = repr(place_text(table, names))
    repeated = f"{value_text(key, row)} is repeated in row {row}"
    if link is None:
        raise ValueError(f"The key {place} does not tell rows apart: {repeated}; remove the row, or name another key.")
    backwards = ForeignKey(link.to_table, link.to_columns, link.table, link.columns)
    may_be_backwards = _repeated_row([columns[link.table, name] for name in link.columns]) is None
    way_on = f"did you mean {str(backwards)!r}?" if may_be_backwards else "remove the row, or point to another column."
    raise ValueError(
        f"The link {str(link)!r} points to {place}, whose values must tell rows apart, but {repeated}; {way_on}"
    )


def _repeated_row(key: Sequence[RelationColumn]) -> int | None:
    """The first row that has what another one has before it."""
    keys = row_keys([column.codes for column in key])
    rows = keys.index()[1]
    is_repeated = keys.of_rows[rows[1:]] == keys.of_rows[rows[:-1]]
    return int(rows[1:][is_repeated].min()) if is_repeated.any() else None


def value_text(key: Sequence[RelationColumn], row: int) -> str:
    """The values of some columns in a row, in words."""
    values = tuple(str(one.value(row)) if one.is_date else repr(one.value(row)) for one in key)
    return values[0] if len(values) == 1 else f"({', '.join(values)})"


def settle_links(
    links: Sequence[ForeignKey], columns: Columns, kept: set[TableColumn]
) -> tuple[dict[TableColumn, RelationColumn], tuple[LinkCheck, ...]]:
    """Columns without the keys that dangle, and what was found along each link; warns once for each link that dangles.

    A key is kept out of a column where it dangles along all links of that column, so that rows do not meet in a value
    that stands for nothing. The columns of `kept` keep all, because they name rows themselves.
    """
    checks: list[LinkCheck] = []
    dangles_in_all: dict[TableColumn, NDArray[np.bool_]] = {}
    for link in links:
        check, dangles = _check_link(link, columns)
        checks.append(check)
        for name in link.columns:
            dangles_in_all[link.table, name] = dangles & dangles_in_all.get((link.table, name), True)
        if check.n_dangling:
            warnings.warn(dangling_warning(check), stacklevel=4)
    settled = dict(columns)
    for place, dangles in dangles_in_all.items():
        if place not in kept and dangles.any():
            codes = np.where(dangles, MISSING, columns[place].codes).astype(np.int32)
            settled[place] = replace(columns[place], codes=codes)
    return settled, tuple(checks)


def dangling_rows(pointing: Sequence[Codes], referred: Sequence[Codes]) -> NDArray[np.bool_]:
    """Which rows have a key that no referred row has."""
    left, right = joint_keys(pointing, referred)
    is_there = np.zeros(right.n + 1, bool)  # the last one stands for what is missing
    is_there[right.of_rows] = True
    is_there[MISSING] = True
    return ~is_there[left.of_rows]


def _check_link(link: ForeignKey, columns: Columns) -> tuple[LinkCheck, NDArray[np.bool_]]:
    key = [columns[link.table, name] for name in link.columns]
    referred = [columns[link.to_table, name].codes for name in link.to_columns]
    pointing = [column.codes for column in key]
    is_missing = np.any([codes == MISSING for codes in pointing], axis=0)
    dangles = dangling_rows(pointing, referred)
    n_dangling = int(dangles.sum())
    example = value_text(key, int(np.argmax(dangles))) if n_dangling else None
    return LinkCheck(link, len(dangles), int(is_missing.sum()), n_dangling, example), dangles


def dangling_warning(check: LinkCheck) -> str:
    """That rows point nowhere along a link."""
    link = check.link
    pointing = visible(place_text(link.table, link.columns))
    referred = visible(place_text(link.to_table, link.to_columns))
    return (
        f"{check.n_dangling} of {check.n_rows} rows of table {link.table!r} dangle: their {pointing} (such as "
        f"{check.example}) is not among {referred}; they are kept out of joins."
    )
