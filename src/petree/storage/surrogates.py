"""The surrogates of a tree as JSON: one line for each test that has any.

A line is ``[4,[["<",2,1.5],0,0.93],[["=",1,2],1,0.9]]``: the number of the test, and the tests that stand in for it,
each with the branch where it sends rows if it holds, and the share of the training weight that it sends as the test
does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from petree.conditions import Conditions
from petree.storage.values import DamagedFileError, Json, as_list, is_number, is_whole, require, short
from petree.tree import Surrogates, offsets


def write_surrogates(surrogates: Surrogates, tests: Sequence[str]) -> str:
    """The surrogates as JSON text, given their tests as such."""
    numbers = zip(tests, surrogates.turned.astype(int).tolist(), surrogates.agreement.tolist(), strict=True)
    found = [f"[{test},{branch},{agreement!r}]" for test, branch, agreement in numbers]
    starts = surrogates.start.tolist()
    spans = [(split, starts[split], starts[split + 1]) for split in range(len(starts) - 1)]
    rows = [f"[{split},{','.join(found[first:last])}]" for split, first, last in spans if last > first]
    return "[\n" + ",\n".join(rows) + "\n]"


def read_surrogates(data: Json, n_splits: int, read_tests: Callable[[list[Json]], Conditions]) -> Surrogates:
    """What `write_surrogates` wrote, of a tree of so many tests; the invariants say whether they make sense."""
    complaint = "the surrogates of the tree are not lists of a test and others that stand in for it"
    numbers = np.zeros(n_splits, np.intp)
    found: list[list[Json]] = []
    before = -1
    for line in as_list(data, complaint):
        row = as_list(line, complaint)
        split = row[0] if row else None
        if not is_whole(split) or not before < split < n_splits:
            raise DamagedFileError(complaint)
        numbers[split] = len(row) - 1
        found += [_read_one(one) for one in row[1:]]
        before = split
    tests = read_tests([one[0] for one in found])
    turned = np.array([one[1] == 1 for one in found], bool)
    agreement = np.array([one[2] for one in found], np.float64)
    return Surrogates(offsets(numbers).astype(np.int32), tests, turned, agreement)


def _read_one(one: Json) -> list[Json]:
    """A test, the branch where it sends rows if it holds, and its agreement."""
    complaint = f"{short(one)} is not a surrogate"
    fields = as_list(one, complaint, 3)
    require(is_whole(fields[1]) and fields[1] in (0, 1) and is_number(fields[2]), complaint)
    return fields
