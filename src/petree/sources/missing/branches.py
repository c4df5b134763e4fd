"""The branch of each row by the test of its node."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.conditions import IN, MULTIWAY, THRESHOLD
from petree.sources.rows import Rows

Numbers = NDArray[np.intp]
# The branch of a row whose value is missing.
NOWHERE = -1


def branches_of(rows: Rows, which: Numbers, tests: NDArray[Any], node: Numbers) -> Numbers:
    """The branch of some rows, each by the test of its own node; `NOWHERE` where its value is missing."""
    place = rows.columns.places[tests["column"]]
    codes = rows.codes_at(which, place[node])
    cut = tests["cut"][node]
    kind = tests["kind"][node]
    branch = np.where(kind == THRESHOLD, codes > cut, codes != cut).astype(np.intp)
    are_each = kind == MULTIWAY
    branch[are_each] = codes[are_each]
    are_sets = np.flatnonzero(kind == IN)
    if len(are_sets):
        code = np.minimum(codes[are_sets], 255).astype(np.uint64)
        word = tests["inside"][node[are_sets], (code >> np.uint64(6)).astype(np.intp)]
        branch[are_sets] = 1 - ((word >> (code & np.uint64(63))) & np.uint64(1)).astype(np.intp)
    branch[codes == rows.columns.n_bins[place[node]]] = NOWHERE
    return branch
