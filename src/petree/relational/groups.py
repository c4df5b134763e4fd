"""Which rows of a relation are alike: what is answered once for all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree.relational.relations import Relation
from petree.relational.row_keys import row_keys


@dataclass(frozen=True, eq=False)
class Groups:
    """The rows of a relation in groups: those of a group are alike.

    Parameters
    ----------
    of_rows : array
        The group of each row.
    a_row : array
        Some row of each group.
    """

    of_rows: NDArray[np.int32]
    a_row: NDArray[np.int32]

    @classmethod
    def of(cls, relation: Relation, columns: tuple[int, ...]) -> Groups:
        """Rows with the same values in some columns are alike."""
        of_rows = _grouped(relation, columns)
        a_row = np.zeros(int(of_rows.max(initial=-1)) + 1, np.int32)
        a_row[of_rows] = np.arange(len(of_rows), dtype=np.int32)
        return cls(of_rows, a_row)


def _grouped(relation: Relation, columns: tuple[int, ...]) -> NDArray[np.int32]:
    if any(set(columns).issuperset(key) for key in relation.keys):
        return np.arange(relation.n_rows, dtype=np.int32)
    if not columns:
        return np.zeros(relation.n_rows, np.int32)
    codes = [relation.columns[one].codes + np.int32(1) for one in columns]  # nothing is known of a missing value either
    return row_keys(codes).without_gaps().of_rows
