"""The constraints that a user gives, as the columns of a table have them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, combinations
from numbers import Integral
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from petree.columns import NOMINAL, Column
from petree.smoothing.base import Estimates, goes_by_row
from petree.smoothing.directions import Directions
from petree.sources.constraints import Constraints
from petree.tree import offsets

# By column -1, 0 or 1, or by the names of columns.
MonotonicCst: TypeAlias = "ArrayLike | Mapping[str, int] | None"
# "pairwise", "no_interactions", or groups of columns by their numbers or names.
InteractionCst: TypeAlias = "str | Sequence[Iterable[int | str]] | None"

SIGNS = (-1, 0, 1)


def read_constraints(
    monotonic_cst: MonotonicCst,
    interaction_cst: InteractionCst,
    columns: Sequence[Column],
    n_classes: int,
    smoothing: Estimates,
) -> tuple[Constraints | None, Directions | None]:
    """What the tree may not do, and how its probabilities must go; nothing where there are no constraints."""
    signs = read_signs(monotonic_cst, columns, n_classes)
    groups = read_groups(interaction_cst, columns)
    directions = Directions(signs) if signs.any() else None
    if directions is not None and goes_by_row(smoothing):
        raise ValueError(
            f"The 'monotonic_cst' parameter needs a smoothing of leaves, but the answers of {smoothing!r} are of all "
            "leaves together and would not follow a column; choose another, such as 'hierarchical'."
        )
    constraints = None if directions is None and groups is None else Constraints(signs, groups)
    return constraints, directions


def read_signs(monotonic_cst: MonotonicCst, columns: Sequence[Column], n_classes: int) -> NDArray[np.int64]:
    """The sign of each column: 1 where the probability of the second class must not fall when it rises, -1, or 0.

    Parameters
    ----------
    monotonic_cst : array, mapping or None
    columns : sequence of Column
    n_classes : int
        With more than two, constraints are refused.
    """
    if monotonic_cst is None:
        return np.zeros(len(columns), np.int64)
    if n_classes > 2:
        raise ValueError(
            "The 'monotonic_cst' parameter is about the probability of the second of two classes, but there are "
            f"{n_classes} classes; leave it out, or make two classes of them."
        )
    if isinstance(monotonic_cst, Mapping):
        signs = _signs_by_name(monotonic_cst, [column.name for column in columns])
    else:
        signs = _signs_in_order(monotonic_cst, len(columns))
    for column, sign in zip(columns, signs, strict=True):
        _check_sign(column, sign)
    # a column without any values is nominal, too, and tests nothing
    taken = [0 if column.kind == NOMINAL else sign for column, sign in zip(columns, signs, strict=True)]
    return np.array(taken, np.int64)


def _signs_by_name(given: Mapping[str, int], names: list[str]) -> list[Any]:
    for name in given:
        if name not in names:
            raise ValueError(f"The 'monotonic_cst' parameter names {name!r}, but X has no such column.")
    return [given.get(name, 0) for name in names]


def _signs_in_order(given: ArrayLike, n_columns: int) -> list[Any]:
    signs = np.asarray(given)
    if signs.shape != (n_columns,):
        raise ValueError(
            f"The 'monotonic_cst' parameter must have -1, 0 or 1 for each of the {n_columns} columns, or be a mapping "
            f"of names to these. Got {given!r} instead."
        )
    return list(signs.tolist())


def _check_sign(column: Column, sign: Any) -> None:
    if sign not in SIGNS or isinstance(sign, bool):
        raise ValueError(
            f"The 'monotonic_cst' parameter of column {column.name!r} must be -1, 0 or 1. Got {sign!r} instead."
        )
    if sign and column.kind == NOMINAL and column.categories:
        raise ValueError(
            f"The 'monotonic_cst' parameter names column {column.name!r}, whose values have no order; leave it out, or "
            "make it a number or an ordered category."
        )


def read_groups(interaction_cst: InteractionCst, columns: Sequence[Column]) -> csr_array | None:
    """Which columns may be tested on one path, as a sparse array (groups, columns); None where all may.

    Columns that no group has are one more group, as in scikit-learn.
    """
    n_columns = len(columns)
    if interaction_cst is None:
        return None
    if isinstance(interaction_cst, str):
        return _named_groups(interaction_cst, n_columns)
    names = [column.name for column in columns]
    groups = [_read_group(group, names) for group in _as_groups(interaction_cst)]
    rest = set(range(n_columns)).difference(*groups)
    return _as_rows([*groups, *([rest] if rest else [])], n_columns)


def _named_groups(name: str, n_columns: int) -> csr_array:
    if name not in ("pairwise", "no_interactions"):
        raise ValueError(
            "The 'interaction_cst' parameter must be 'pairwise', 'no_interactions', None or a list of groups of "
            f"columns. Got {name!r} instead."
        )
    size = 2 if name == "pairwise" and n_columns > 1 else 1
    return _as_rows(list(combinations(range(n_columns), size)), n_columns)


def _as_groups(given: Any) -> list[list[Any]]:
    """Groups of anything, where they are groups at all."""
    if isinstance(given, Iterable) and not isinstance(given, Mapping):
        groups = list(given)
        if all(isinstance(group, Iterable) and not isinstance(group, str | Mapping) for group in groups):
            return [list(group) for group in groups]
    raise ValueError(
        "The 'interaction_cst' parameter must be 'pairwise', 'no_interactions', None or a list of groups of columns, "
        f"such as [{{0, 1}}, {{2, 3}}]. Got {given!r} instead."
    )


def _read_group(group: list[Any], names: list[str]) -> set[int]:
    if not group:
        raise ValueError("The 'interaction_cst' parameter has a group without columns; leave it out.")
    places: dict[Any, int] = {name: place for place, name in enumerate(names)}
    places |= {place: place for place in range(len(names))}
    for item in group:
        if isinstance(item, bool) or not isinstance(item, str | Integral) or item not in places:
            raise ValueError(
                f"The 'interaction_cst' parameter names {item!r}, but X has no such column; its columns are numbered "
                f"from 0 to {len(names) - 1}."
            )
    return {places[item] for item in group}


def _as_rows(groups: Sequence[Collection[int]], n_columns: int) -> csr_array:
    """Sparse, since pairs of many columns are very many."""
    members = np.fromiter(chain.from_iterable(groups), np.int64)
    ends = offsets(np.array([len(group) for group in groups], np.int64))
    return csr_array((np.ones(len(members), bool), members, ends), shape=(len(groups), n_columns))
