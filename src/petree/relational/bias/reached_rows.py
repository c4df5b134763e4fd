"""Which rows of each relation the training examples lead to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from petree.relational.database import Database
from petree.relational.links import TooManyRowsError, distinct

# Rows of a relation, and for each the place of an example that leads to it.
Pairs = tuple[NDArray[np.int32], NDArray[np.int32]]
NO_PAIRS: Pairs = (np.empty(0, np.int32), np.empty(0, np.int32))


def reachable_rows(
    database: Database, target: str, examples: NDArray[np.int32], most: float, left_out: set[str]
) -> dict[str, Pairs]:
    """For each relation the rows that examples lead to by the fewest links, with the places of the examples.

    A link with more pairs than `most` is not followed; `left_out` is told its two relations.
    """
    found = {target: (examples, np.arange(len(examples), dtype=np.int32))}
    edge = [target]
    while edge:
        parts: dict[str, list[NDArray[np.int64]]] = {}
        for here in edge:
            for left, there, right in neighbours_of(database, here):
                if there not in found:
                    rows, owners = found[here]
                    try:
                        came_from, matched = database.link(here, left, there, right).follow(rows, most)
                    except TooManyRowsError:
                        left_out.add(f"values of {there} behind {here}")
                        continue
                    parts.setdefault(there, []).append(owners[came_from].astype(np.int64) << 32 | matched)
        for there, joint in parts.items():
            rows, owners = _halves(distinct(np.concatenate(joint)))
            is_known = _is_known(database, target, examples[owners], there, rows)
            found[there] = (rows[is_known], owners[is_known])
        edge = list(parts)
    return found


def neighbours_of(database: Database, here: str) -> Iterator[tuple[tuple[int, ...], str, tuple[int, ...]]]:
    """Relations that share a key with one, between the columns that are equal."""
    for key in database.foreign_keys:
        one, other = database.ends(key)
        for (table, columns), (there, others) in ((one, other), (other, one)):
            if table == here:
                yield columns, there, others
    if database.foreign_keys:
        return
    for name, relation in database.relations.items():
        for i, column in enumerate(database.relation(here).columns if name != here else ()):
            yield from (((i,), name, (j,)) for j, one in enumerate(relation.columns) if one.domain is column.domain)


def _halves(joint: NDArray[np.int64]) -> Pairs:
    """Rows, which stand in the lower halves of numbers, and the places of examples in the upper ones."""
    return (joint & 0xFFFFFFFF).astype(np.int32), (joint >> 32).astype(np.int32)


def _is_known(
    database: Database, target: str, examples: NDArray[np.int32], relation: str, rows: NDArray[np.int32]
) -> NDArray[np.bool_]:
    """Which rows were known at the time of their examples."""
    since = database.relation(relation).times
    until = database.relation(target).times
    return np.ones(len(rows), bool) if since is None or until is None else since[rows] <= until[examples]
