"""How many errors a leaf will make on as many new cases: upper confidence limits of its error rate.

Each limit takes the cases of leaves, the errors among them and the confidence level, and gives predicted errors; none
for a leaf without cases.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, ndtri

Numbers = NDArray[np.float64]

# The normal deviates that C4.5 interpolates between.
LEVELS = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
DEVIATES = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


def exact(cases: Numbers, errors: Numbers, confidence: float) -> Numbers:
    """``N u`` with ``P(Bin(N, u) <= E) = CF``, which is ``u = BetaInv(1 - CF; E + 1, N - E)``; u = 1 if E = N."""
    correct = cases - errors
    rate = betaincinv(errors + 1, np.where(correct > 0, correct, 1.0), 1 - confidence)
    return cases * np.where(correct > 0, rate, 1.0)


def c45(cases: Numbers, errors: Numbers, confidence: float) -> Numbers:
    """C4.5's: normal approximation, interpolated deviate (0.6925 at 0.25), and 0.67 of the cases that are left."""
    deviate = float(np.interp(confidence, LEVELS, DEVIATES))
    return _approximate(cases, errors, confidence, deviate, left=0.67, whole=0.9999)


def j48(cases: Numbers, errors: Numbers, confidence: float) -> Numbers:
    """J48's: the same with the true deviate, and all cases that are left."""
    return _approximate(cases, errors, confidence, float(ndtri(1 - confidence)), left=1.0, whole=1.0)


def _approximate(
    cases: Numbers, errors: Numbers, confidence: float, deviate: float, left: float, whole: float
) -> Numbers:
    """Errors and extra errors: exact for none, linear up to one (from `whole` on), then by the normal approximation."""
    filled = np.where(cases > 0, cases, 1.0)
    none = filled * (1 - confidence ** (1 / filled))
    one = _extra(filled, np.ones_like(filled), deviate**2, left)
    few = none + np.where(errors < 1e-6, 0.0, errors) * (one - none)
    extra = np.where(errors < whole, few, _extra(filled, errors, deviate**2, left))
    return np.where(cases > 0, errors + extra, 0.0)


def _extra(cases: Numbers, errors: Numbers, k: float, left: float) -> Numbers:
    """With e = E + 1/2: ``N (e + k/2 + sqrt(k (e (1 - e/N) + k/4))) / (N + k) - E``, k the squared deviate."""
    half = errors + 0.5
    spread = np.sqrt(k * np.maximum(half * (1 - half / cases) + k / 4, 0.0))
    limit = cases * (half + k / 2 + spread) / (cases + k) - errors
    return np.where(half >= cases, left * np.maximum(cases - errors, 0.0), limit)


LIMITS: dict[str, Callable[[Numbers, Numbers, float], Numbers]] = {"exact": exact, "c4.5": c45, "j48": j48}
