"""How often a class is true among rows that are given about the same probability of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from petree.metrics.measures import bins_of


class ReliabilityBins(NamedTuple):
    """The bins that hold rows: how many they hold, their mean probability, and how often the class is true in them."""

    n_rows: NDArray[np.int64]
    predicted: NDArray[np.float64]
    observed: NDArray[np.float64]

    def interval(self, level: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What so many rows leave open of the observed frequency.

        The interval is between quantiles of the posterior of a frequency under Jeffreys' prior.
        """
        n_true = np.rint(self.observed * self.n_rows)
        n_false = self.n_rows - n_true
        outside = (1 - level) / 2
        lower = np.where(n_true > 0, betaincinv(n_true + 0.5, n_false + 0.5, outside), 0.0)
        upper = np.where(n_false > 0, betaincinv(n_true + 0.5, n_false + 0.5, 1 - outside), 1.0)
        return lower, upper


def reliability_bins(probability: NDArray[np.float64], is_true: NDArray[np.bool_], n_bins: int = 10) -> ReliabilityBins:
    """Rows by equally wide ranges of the probability of a class, and whether they have it.

    The bins are those of `calibration_error`, which is the mean distance of predicted and observed, each bin by its
    rows.

    Examples
    --------
    >>> bins = reliability_bins(np.array([0.25, 0.25, 0.75, 0.75]), np.array([True, False, True, True]))
    >>> bins.predicted.tolist(), bins.observed.tolist(), bins.n_rows.tolist()
    ([0.25, 0.75], [0.5, 1.0], [2, 2])
    """
    places = bins_of(probability, n_bins)
    sizes = np.bincount(places)
    held = np.flatnonzero(sizes)
    predicted, observed = (np.bincount(places, values)[held] / sizes[held] for values in (probability, is_true))
    return ReliabilityBins(sizes[held], predicted, observed)
