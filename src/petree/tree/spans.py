"""Many ranges of integers at once, by where they start."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def ranges(starts: NDArray[Any], stops: NDArray[Any]) -> NDArray[np.intp]:
    """All integers of several half-open ranges, one range after the other."""
    lengths = np.asarray(stops, np.intp) - starts
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + lengths, lengths)


def turns(is_first: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The place of each of some items in its run, counted from 0, given which of them are the first of one."""
    places = np.arange(len(is_first))
    return places - np.maximum.accumulate(np.where(is_first, places, 0))


def offsets(lengths: NDArray[Any]) -> NDArray[np.intp]:
    """Where each of some ranges starts that stand one behind the other, and where the last one ends."""
    return np.concatenate(([0], np.cumsum(lengths))).astype(np.intp)
