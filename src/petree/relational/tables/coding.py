"""Columns as codes: one domain for all columns that links join, one for each other column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from petree.inputs.values import LARGEST_WHOLE, UNKNOWN, Coded
from petree.relational.dates import days_of, is_moments
from petree.relational.links import distinct
from petree.relational.relations import KEY, MISSING, NOMINAL, NUMBER, Domain, RelationColumn
from petree.relational.tables.frames import Raw
from petree.relational.tables.large_numbers import exact_codes, first_large, is_large
from petree.relational.tables.schema import ForeignKey, place_text

# A column, by its table and its name.
TableColumn = tuple[str, str]


def code_columns(
    tables: Mapping[str, Mapping[str, Raw]], links: Sequence[ForeignKey], key_places: Iterable[TableColumn]
) -> dict[TableColumn, RelationColumn]:
    """All columns; those of links and keys are `KEY`."""
    places = {(table, column): raw for table, columns in tables.items() for column, raw in columns.items()}
    for link in links:
        _check_types(link, places)
    coded: dict[TableColumn, RelationColumn] = {}
    for name, group in _groups(links, key_places).items():
        raws = [plain_numbers(places[place]) for place in group]
        domain, codes = _shared_domain(place_text(name[0], name[1:]), raws)
        is_date = _is_date(domain, [places[place] for place in group])
        coded |= {
            place: RelationColumn(place[1], domain, one, KEY, is_date) for place, one in zip(group, codes, strict=True)
        }
    for place, raw in places.items():
        if place not in coded:
            coded[place] = _code_alone(place, raw)
    return coded


def _groups(links: Sequence[ForeignKey], key_places: Iterable[TableColumn]) -> dict[TableColumn, list[TableColumn]]:
    """Columns that share a domain, under the one that all of them refer to in the end."""
    pairs = [pair for link in links for pair in column_pairs(link)]
    group_of: dict[TableColumn, list[TableColumn]] = {}
    for place in (*(place for pair in pairs for place in pair), *key_places):
        group_of.setdefault(place, [place])
    for one, other in pairs:
        if group_of[one] is not group_of[other]:
            merged = group_of[one] + group_of[other]
            group_of.update(dict.fromkeys(merged, merged))
    # Of the places that others refer to, the first that refers to none itself; without any, the first of them.
    referring = {one for one, _ in pairs}
    referred = list(dict.fromkeys(other for _, other in pairs))
    named: dict[int, tuple[TableColumn, list[TableColumn]]] = {}
    for place in (*(place for place in referred if place not in referring), *referred, *group_of):
        named.setdefault(id(group_of[place]), (place, group_of[place]))
    return dict(named.values())


def column_pairs(link: ForeignKey) -> list[tuple[TableColumn, TableColumn]]:
    """Which column points to which."""
    return [
        ((link.table, one), (link.to_table, other)) for one, other in zip(link.columns, link.to_columns, strict=True)
    ]


# -- types of keys ---------------------------------------------------------------------------------------------


def _check_types(link: ForeignKey, places: Mapping[TableColumn, Raw]) -> None:
    for one, other in column_pairs(link):
        left = type_of(places[one])
        right = type_of(places[other])
        if left and right and left != right:
            raise ValueError(
                f"Column {place_text(one[0], one[1:])!r} holds {left}, but {place_text(other[0], other[1:])!r}, "
                f"to which it points, holds {right}; convert one of them."
            )


def type_of(raw: Raw) -> str | None:
    """What a column holds, in words; None where it holds nothing."""
    if is_moments(raw):
        return "dates"
    return type_of_values(raw.categories if isinstance(raw, Coded) else raw[:1].tolist())


def type_of_values(values: Sequence[Any]) -> str | None:
    """What values are, in words, told from the first; None where there is none."""
    if not len(values):
        return None
    if isinstance(values[0], (bool, np.bool_)):
        return "booleans"
    return "text" if isinstance(values[0], str) else "numbers"


def plain_numbers(raw: Raw) -> Raw:
    """Dates as days, and categories that are numbers as numbers; what float64 cannot hold stays as it is."""
    if is_moments(raw):
        return days_of(cast("NDArray[Any]", raw))
    return as_numbers(raw) if type_of(raw) == "numbers" and not is_large(raw) else raw


def as_numbers(raw: Raw) -> NDArray[Any]:
    """Numbers of a column whose values, if it has any, are numbers; dates as they are."""
    return np.array([*raw.categories, np.nan], np.float64)[raw.codes] if isinstance(raw, Coded) else raw


# -- domains ---------------------------------------------------------------------------------------------------


def _shared_domain(name: str, raws: Sequence[Raw]) -> tuple[Domain, list[NDArray[np.int32]]]:
    """The union of the values of all columns, sorted, and their codes."""
    numbers = [raw for raw in raws if not isinstance(raw, Coded)]
    if any(map(is_large, raws)):
        exact = [raw if isinstance(raw, Coded) else exact_codes(_whole_or_not(raw)) for raw in raws]
        domain = Domain(name, sorted(set().union(*(one.categories for one in exact))), is_number=True)
        return domain, [recode(domain, one) for one in exact]
    if numbers:
        values = distinct(np.concatenate([distinct(_present(raw)) for raw in numbers]))
        domain = Domain(name, whole(values).tolist(), is_number=True)
    else:
        domain = Domain(name, sorted(set().union(*(raw.categories for raw in raws if isinstance(raw, Coded)))))
    return domain, [recode(domain, raw) for raw in raws]


def _whole_or_not(values: NDArray[Any]) -> list[Any]:
    """Numbers as Python has them, whole ones as integers."""
    return [int(one) if one == one and one == int(one) else one for one in values.tolist()]


def _code_alone(place: TableColumn, raw: Raw) -> RelationColumn:
    name = place_text(place[0], place[1:])
    if isinstance(raw, Coded):
        if is_large(raw):
            row, number = first_large(raw)
            raise ValueError(
                f"Column {name!r} holds {number} in row {row}: only keys may hold whole numbers beyond 2**53. Divide "
                f"them, or pass them as floats, if they measure something, or go on without: leave_out={[name]!r}."
            )
        is_ordered = raw.is_ordered and all(isinstance(one, str) for one in raw.categories)
        domain = Domain(name, raw.categories, is_ordered=is_ordered)
        return RelationColumn(place[1], domain, raw.codes.astype(np.int32), NOMINAL)
    numbers = cast("NDArray[Any]", plain_numbers(raw))
    domain = Domain(name, distinct(_present(numbers)).tolist(), is_number=True)
    return RelationColumn(place[1], domain, recode(domain, numbers), NUMBER, _is_date(domain, [raw]))


def _is_date(domain: Domain, raws: Sequence[Raw]) -> bool | None:
    """Whether the values of a domain are dates; None where it has none that could tell."""
    return any(map(is_moments, raws)) or (False if len(domain) else None)


def _present(values: NDArray[Any]) -> NDArray[Any]:
    return values[~np.isnan(values)] if values.dtype.kind == "f" else values


def whole(values: NDArray[Any]) -> NDArray[Any]:
    """Whole numbers as integers: keys and classes are floats only because of how tables are read."""
    is_whole = values.dtype.kind == "f" and bool((values == np.floor(values)).all())
    return values.astype(np.int64) if is_whole else values


# -- codes and values ------------------------------------------------------------------------------------------


def recode(domain: Domain, raw: Raw) -> NDArray[np.int32]:
    """Codes of values in a domain whose numbers are sorted: `MISSING` where missing, `UNKNOWN` where not among them."""
    if isinstance(raw, Coded):
        known = {value: code for code, value in enumerate(domain.values)}
        lookup = [*(known.get(category, UNKNOWN) for category in raw.categories), UNKNOWN, MISSING]
        return np.array(lookup, np.int32)[raw.codes]  # the last two answer the codes -2 and -1
    codes = np.full(len(raw), UNKNOWN, np.int32)
    if len(domain):
        values = np.asarray(domain.values)
        nearest = np.minimum(np.searchsorted(values, raw), len(values) - 1)
        codes = np.where(values[nearest] == raw, nearest, UNKNOWN).astype(np.int32)
    if raw.dtype.kind == "f":
        codes[np.isnan(raw)] = MISSING
    return codes


def values_of(column: RelationColumn) -> NDArray[Any]:
    """The values of a column: numbers with NaN where some are missing, anything else with None."""
    values = np.asarray(column.domain.values) if len(column.domain) else np.zeros(0, object)
    is_missing = column.codes == MISSING
    if not is_missing.any():
        return values[column.codes]
    is_exact = values.dtype.kind in "fiu" and float(np.abs(values).max()) <= LARGEST_WHOLE
    gap, dtype = (np.nan, float) if is_exact else (None, object)
    present = np.full(len(is_missing), gap, dtype)
    present[~is_missing] = values[column.codes[~is_missing]]
    return present
