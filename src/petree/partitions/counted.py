"""Counts of open nodes, as many nodes at a time as there is room for, and what they say of children."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.partitions.tables import CountedNodes
from petree.tree import offsets, ranges


class CountedInTurn:
    """Nodes whose rows are counted when they are asked for; the counts of the last ones are kept, and no others.

    Parameters
    ----------
    count : callable
        Counts the rows of the nodes that have some handles.
    """

    def __init__(self, count: Callable[[NDArray[np.intp]], CountedNodes]) -> None:
        self._count = count
        self._handles = np.empty(0, np.intp)
        self._counted: CountedNodes | None = None

    def forget(self) -> None:
        """Keep no counts any longer, since others need their room."""
        self._counted = None

    def batches(
        self, handles: NDArray[np.intp], most: int
    ) -> Iterator[tuple[NDArray[np.intp], CountedNodes, NDArray[np.intp]]]:
        """Some of the nodes at a time: their places among the handles, counts, and their places in these."""
        if self._counted is not None and np.isin(handles, self._handles).all():
            order = np.argsort(self._handles)
            yield (
                np.arange(len(handles)),
                self._counted,
                order[np.searchsorted(self._handles, handles, sorter=order)],
            )
            return
        for first in range(0, len(handles), most):
            self.forget()
            some = handles[first : first + most]
            self._counted = self._count(some)
            self._handles = some
            yield np.arange(first, first + len(some)), self._counted, np.arange(len(some))


@dataclass(frozen=True, eq=False)
class Divided:
    """Children of nodes by certain tests, by the handles of the nodes, which ascend.

    `counts` and `sizes` are of the children, one node's after the other's.
    """

    handles: NDArray[np.intp]
    tests: NDArray[Any]
    n_children: NDArray[np.intp]
    counts: NDArray[np.float64]
    sizes: NDArray[np.int64]

    def of(
        self, handles: NDArray[np.intp], tests: NDArray[Any]
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]] | None:
        """Class counts and sizes of the children of some nodes by these tests, if they are known."""
        places = np.minimum(np.searchsorted(self.handles, handles), max(len(self.handles) - 1, 0))
        if not len(self.handles) or not np.array_equal(self.handles[places], handles):
            return None
        if not np.array_equal(self.tests[places], tests):
            return None
        starts = offsets(self.n_children)[:-1][places]
        which = ranges(starts, starts + self.n_children[places])
        return self.counts[which], self.sizes[which]


def joined(divided: list[Divided]) -> Divided:
    """Those of several runs of nodes, sorted by handle."""
    handles = np.concatenate([one.handles for one in divided])
    order = np.argsort(handles)
    n_children = np.concatenate([one.n_children for one in divided])
    starts = offsets(n_children)[:-1][order]
    which = ranges(starts, starts + n_children[order])
    return Divided(
        handles[order],
        np.concatenate([one.tests for one in divided])[order],
        n_children[order],
        np.concatenate([one.counts for one in divided])[which],
        np.concatenate([one.sizes for one in divided])[which],
    )
