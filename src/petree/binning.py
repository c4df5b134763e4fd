"""Where a numeric column may be cut: thresholds are chosen once, on the training table, for the whole tree.

Every member has ``thresholds(values, classes, weights, n_classes)``: values without missing ones in, ascending cuts
out. A cut between two neighbouring values is the shortest decimal number there (`cuts_between`). One that does not look
at the classes says so by ``looks_at_classes = False``: then parts of a table may share the cuts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from petree import core
from petree.parts import check_integer, check_integer_or_none, resolve

Floats = NDArray[np.float64]

# With more values than this a column is worth a look at its first ones before all are sorted.
MANY_VALUES = 20_000
# Cells of the grid that finds quantiles, as far as there are eight values per cell: the more cells, the fewer values
# remain to be sorted.
MOST_CELLS = 65_536
# Gains that differ by no more bits per case are equal.
TOLERANCE = 1e-12


def midpoints(lower: Floats, upper: Floats) -> Floats:
    """Half way between two values, or the upper one where the middle rounds to the lower."""
    with np.errstate(over="ignore"):
        middle = (lower + upper) / 2
    middle = np.where(np.isfinite(middle), middle, lower / 2 + upper / 2)
    return np.where(middle <= lower, upper, middle)


def cuts_between(lower: Floats, upper: Floats) -> Floats:
    """The shortest decimal number t with lower < t <= upper for each pair: what a threshold is stored and shown as.

    It is 0 if that lies there, or else the number of fewest digits, zeros at either end aside; of several one with the
    fewest digits behind the point, and of these the nearest the middle. Values rounded to 32 bits are divided alike:
    0.7 would be below 0.7 there, so that 0.65 may be a cut below it, while 40 is 40 in all formats. Where fifteen
    digits do not tell the values apart, or 22 places behind the point, it is their middle.

    Examples
    --------
    >>> cuts_between(np.array([39.0, 41237.0, 0.6, 1.9]), np.array([40.0, 52870.0, 0.7, 3.0])).tolist()
    [40.0, 50000.0, 0.65, 2.0]
    """
    return core.tables.cuts_between(np.ascontiguousarray(lower), np.ascontiguousarray(upper))


def neighbours(cuts: Floats, values: Floats) -> tuple[Floats, Floats]:
    """For each cut the greatest of the values below it and the least that is not."""
    bounds = np.concatenate(([-np.inf], np.unique(values), [np.inf]))
    places = np.searchsorted(bounds, cuts)
    return bounds[places - 1], bounds[places]


def cuts_away(cuts: Floats, values: Floats) -> Floats:
    """Cuts between the same values, but in the middle half of each gap where it is wide enough.

    They are for values that were computed, such as means, whose last digits another program may find otherwise.
    """
    lower, upper = neighbours(cuts, values)
    low = lower - lower / 4 + upper / 4
    high = lower / 4 + upper - upper / 4
    is_wide = low < high
    cuts = cuts.copy()
    cuts[is_wide] = cuts_between(low[is_wide], high[is_wide])
    return cuts


def _distinct(values: Floats, weights: Floats | None) -> tuple[Floats, Floats]:
    """Distinct values, ascending, and the weight of all values up to each."""
    if weights is None:
        ordered, up_to = np.sort(values), np.empty(len(values))
        n_distinct = core.tables.keep_distinct(ordered, up_to)
        return ordered[:n_distinct], up_to[:n_distinct]
    order = np.argsort(values)
    ordered = values[order]
    ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))
    return ordered[ends], np.cumsum(weights[order])[ends]


def _distinct_near(values: Floats, weights: Floats | None, shares: Floats) -> tuple[Floats, Floats, float]:
    """As `_distinct`, but only around the values at which the given shares of the weight are reached; and that weight.

    A grid of cells says which values those can be; they are sorted, with the cells on either side, and no others.
    """
    given = np.empty(0) if weights is None else weights
    lowest, totals = values.min(), np.zeros(min(MOST_CELLS, len(values) // 8))
    scale = core.tables.grid_scale(float(lowest), float(values.max()), len(totals))
    core.tables.weigh_cells(values, given, float(lowest), scale, totals)
    filled = np.flatnonzero(totals)
    reached = np.searchsorted(np.cumsum(totals[filled]), shares * totals.sum(), side="right")
    around = np.clip(np.add.outer((-1, 0, 1), reached), 0, len(filled) - 1)
    is_wanted = np.zeros(len(totals), bool)
    is_wanted[filled[around]] = True
    rows = np.empty(len(values), np.uint32)
    rows = rows[: core.tables.rows_in_cells(values, float(lowest), scale, is_wanted, rows)]
    distinct, up_to = _distinct(values[rows], None if weights is None else weights[rows])
    # What lies in the cells that were left out comes before the values of all later cells.
    cells = np.clip((distinct - lowest) * scale, 0, len(totals) - 1).astype(np.intp) if scale else 0
    return distinct, up_to + np.cumsum(np.where(is_wanted, 0.0, totals))[cells], totals.sum()


def _cut_at(distinct: Floats, cuts: NDArray[np.intp]) -> Floats:
    """Thresholds just below the given distinct values."""
    return cuts_between(distinct[cuts - 1], distinct[cuts])


class Exact(BaseEstimator):
    """A cut between every two neighbouring values."""

    looks_at_classes: ClassVar[bool] = False

    def thresholds(self, values: Floats, classes: NDArray[Any], weights: Floats | None, n_classes: int) -> Floats:
        distinct = np.unique(values)
        return cuts_between(distinct[:-1], distinct[1:])


class Quantile(BaseEstimator):
    """At most `max_bins` bins of about equal weight; where there are no more values than bins, one for each.

    A value that fills more than one bin gets a bin of its own.

    Parameters
    ----------
    max_bins : int, default=255
        Up to 255 bins a value takes one byte; more are slower.
    """

    looks_at_classes: ClassVar[bool] = False

    def __init__(self, max_bins: int = 255) -> None:
        self.max_bins = max_bins

    def thresholds(self, values: Floats, classes: NDArray[Any], weights: Floats | None, n_classes: int) -> Floats:
        check_integer(self, "max_bins", 2)
        if not len(values):
            return np.empty(0)
        max_bins = int(self.max_bins)
        are_few, cuts = core.tables.cut_between_few(values, max_bins)
        if are_few:
            return cuts
        first = values[: 4 * max_bins]
        if len(values) > MANY_VALUES and len(np.unique(first)) > max_bins:
            distinct, up_to, total = _distinct_near(values, weights, np.arange(1, max_bins) / max_bins)
        else:
            distinct, up_to = _distinct(values, weights)
            total = float(up_to[-1])
        return core.tables.cut_at_quantiles(distinct, up_to, float(total), max_bins)


class Entropy(BaseEstimator):
    """Cuts of minimal class entropy, one after the other (Dougherty et al. 1995; CW488 section 5.1.1).

    The most impure interval is cut next, the leftmost on ties; one whose cases are all of one class stays whole. The
    papers leave this order open: with it the numbers of tests that CW488 prints are met, and its sizes best.

    Parameters
    ----------
    max_thresholds : int or None, default=7
        Number of cuts to reach; None for no limit.
    stop : None or "mdl", default=None
        "mdl" accepts only cuts that pass the criterion of Fayyad and Irani (1993).
    """

    def __init__(self, max_thresholds: int | None = 7, stop: str | None = None) -> None:
        self.max_thresholds = max_thresholds
        self.stop = stop

    def thresholds(self, values: Floats, classes: NDArray[Any], weights: Floats | None, n_classes: int) -> Floats:
        check_integer_or_none(self, "max_thresholds", 1)
        if self.stop not in (None, "mdl"):
            raise ValueError(f"The 'stop' parameter of Entropy must be None or 'mdl'. Got {self.stop!r} instead.")
        distinct, inverse = np.unique(values, return_inverse=True)
        flat = np.bincount(inverse * n_classes + classes, weights, len(distinct) * n_classes)
        below: Floats = np.vstack((np.zeros(n_classes), np.cumsum(flat.reshape(-1, n_classes), axis=0)))
        limit = len(distinct) if self.max_thresholds is None else self.max_thresholds
        cuts: list[int] = []
        agenda = [interval for interval in [self._interval(below, 0, len(distinct))] if interval]
        while agenda and len(cuts) < limit:
            enough = max(interval.urgency for interval in agenda) - TOLERANCE
            best = min((interval for interval in agenda if interval.urgency >= enough), key=lambda part: part.start)
            agenda.remove(best)
            cuts.append(best.cut)
            parts = (self._interval(below, best.start, best.cut), self._interval(below, best.cut, best.stop))
            agenda += [part for part in parts if part]
        return _cut_at(distinct, np.sort(np.array(cuts, np.intp)))

    def urgency(self, counts: Floats, gain: float) -> float:
        """What says which interval is cut next: the bits of a case of the interval; `gain` is what its cut saves."""
        return float(_bits(counts)) / counts.sum()

    def _interval(self, below: Floats, start: int, stop: int) -> _Interval | None:
        """The values ``start:stop`` with their best cut; None where there is no (acceptable) cut."""
        total = below[stop] - below[start]
        if stop - start < 2 or _bits(total) <= TOLERANCE * total.sum():
            return None
        left = below[start + 1 : stop] - below[start]
        gains = _bits(total) - _bits(left) - _bits(total - left)
        first = int(np.argmax(gains >= gains.max() - TOLERANCE * total.sum()))
        gain = float(gains[first])
        if self.stop == "mdl" and not _accepts(total, left[first], gain):
            return None
        return _Interval(self.urgency(total, gain), start, start + 1 + first, stop)


@dataclass(frozen=True)
class _Interval:
    urgency: float
    start: int
    cut: int
    stop: int


def _bits(counts: Floats) -> Any:
    """Cases times entropy (base 2) of class counts along the last axis."""
    total = counts.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(counts > 0, counts * np.log2(counts), 0.0).sum(axis=-1)
        return np.where(total > 0, total * np.log2(total), 0.0) - terms


def _accepts(total: Floats, left: Floats, gain_bits: float) -> bool:
    """Fayyad and Irani's criterion; `gain_bits` is cases times gain."""
    parts = (total, left, total - left)
    cases = total.sum()
    present = [int((part > 0).sum()) for part in parts]
    entropies = [float(_bits(part)) / part.sum() for part in parts]
    delta = np.log2(3.0 ** present[0] - 2) - (
        present[0] * entropies[0] - present[1] * entropies[1] - present[2] * entropies[2]
    )
    return bool(gain_bits > np.log2(cases - 1) + delta)


MEMBERS = {"quantile": Quantile, "exact": Exact, "entropy": Entropy}


def resolve_binning(binning: Any) -> Any:
    """A member from its alias or itself."""
    return resolve(binning, MEMBERS, "binning", "thresholds")
