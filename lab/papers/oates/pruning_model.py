"""Why reduced-error pruning keeps trees that fit noise: the statistical model of Oates and Jensen.

A node is reached by `n_cases` pruning cases whose class does not depend on the attributes. `class_share` of them are
positive (p_C), and `leaf_share` of them arrive at leaves labelled positive (p_L). The subtree is pruned when it makes
at least as many errors on them as a leaf would. Shares and cases may be arrays, which are broadcast.

Oates and Jensen, "Toward a theoretical understanding of why and when decision tree pruning algorithms fail", AAAI 1999.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

# The cases at the node of Figure 3; the descendants, and the cases at each of them, of Figure 4.
CASES_BEFORE = (100, 1000, 10000)
DESCENDANTS_AFTER = (10, 20, 50)
CASES_OF_A_DESCENDANT = 5


def leaf_errors(class_share: ArrayLike, n_cases: ArrayLike) -> Any:
    """Errors of the leaf that would replace the subtree: ``r_L = n min(p_C, 1 - p_C)``."""
    p_class = _read_share("class_share", class_share)
    n = _read_cases(n_cases)
    return n * np.minimum(p_class, 1 - p_class)


def subtree_errors(class_share: ArrayLike, leaf_share: ArrayLike, n_cases: ArrayLike) -> tuple[Any, Any]:
    """Mean and standard deviation of the number of errors of the subtree, a binomial variable.

    An error has the probability ``p_C (1 - p_L) + (1 - p_C) p_L``.
    """
    p_class = _read_share("class_share", class_share)
    p_leaf = _read_share("leaf_share", leaf_share)
    n = _read_cases(n_cases)
    p_error = p_class * (1 - p_leaf) + (1 - p_class) * p_leaf
    return n * p_error, np.sqrt(n * p_error * (1 - p_error))


def pruning_probability(class_share: ArrayLike, leaf_share: ArrayLike, n_cases: ArrayLike) -> Any:
    """Probability that a subtree is pruned, before anything is pruned beneath it (Equation 1).

    ``1 - Phi((r_L - mean) / deviation)``: the errors of the subtree, taken as normal, are at least those of the leaf.
    Where they do not vary it is 1, since they are then at least those of the leaf (Theorem 1).

    Parameters
    ----------
    class_share : array or float
        Share of the positive class among the pruning cases of the node.
    leaf_share : array or float
        Share of these cases that arrive at leaves labelled positive.
    n_cases : array or float
        Number of pruning cases at the node.

    Returns
    -------
    array or float

    Examples
    --------
    >>> from lab.papers.oates.pruning_model import pruning_probability
    >>> print(pruning_probability(0.4, 0.4, [100, 1000]).round(6))
    [0.945343 1.      ]
    """
    mean, deviation = subtree_errors(class_share, leaf_share, n_cases)
    surplus = mean - leaf_errors(class_share, n_cases)
    varies = deviation > 0
    return np.where(varies, ndtr(surplus / np.where(varies, deviation, 1.0)), 1.0)[()]


def pruning_probability_after(class_share: ArrayLike, leaf_share: ArrayLike, sizes: ArrayLike) -> Any:
    """Probability that a subtree is pruned, once its descendants at some depth have been pruned or kept.

    A single descendant that is kept makes fewer errors than a leaf, and so keeps the node: all of them have to go. The
    answer is the product of their own probabilities. They share `class_share` and `leaf_share`.

    Parameters
    ----------
    class_share : array or float
        Share of the positive class among the pruning cases.
    leaf_share : array or float
        Share of the cases that arrive at leaves labelled positive.
    sizes : array (descendants,)
        Number of pruning cases at each of the descendants.

    Returns
    -------
    array or float

    Examples
    --------
    >>> from lab.papers.oates.pruning_model import pruning_probability_after
    >>> print(pruning_probability_after(0.4, 0.6, [5] * 10).round(3))
    0.03
    """
    probability: Any = 1.0
    for size, n_descendants in zip(*np.unique(np.ravel(sizes), return_counts=True), strict=True):
        probability = probability * pruning_probability(class_share, leaf_share, size) ** n_descendants
    return probability


def grid_before(n_cases: int, n_points: int = 1000) -> NDArray[np.float64]:
    """`pruning_probability` for all shares (Figure 3): rows by class_share, columns by leaf_share, at `midpoints`."""
    shares = midpoints(n_points)
    return np.asarray(pruning_probability(shares[:, None], shares, n_cases))


def grid_after(n_descendants: int, n_points: int = 1000) -> NDArray[np.float64]:
    """`pruning_probability_after` for all shares (Figure 4), with 5 cases at each descendant; as `grid_before`."""
    shares = midpoints(n_points)
    sizes = [CASES_OF_A_DESCENDANT] * n_descendants
    return np.asarray(pruning_probability_after(shares[:, None], shares, sizes))


def midpoints(n_points: int) -> NDArray[np.float64]:
    """Middles of equally wide cells from 0 to 1."""
    return (np.arange(n_points) + 0.5) / n_points


def paper_averages() -> dict[str, dict[int, float]]:
    """The six averages of the paper over all shares: before pruning beneath, by cases, and after, by descendants.

    Examples
    --------
    >>> from lab.papers.oates.pruning_model import paper_averages
    >>> averages = paper_averages()
    >>> [round(average, 4) for average in averages["before"].values()]
    [0.9256, 0.9696, 0.9882]
    >>> [round(average, 4) for average in averages["after"].values()]
    [0.3262, 0.2468, 0.1786]
    """
    before = {n_cases: float(grid_before(n_cases).mean()) for n_cases in CASES_BEFORE}
    after = {n_descendants: float(grid_after(n_descendants).mean()) for n_descendants in DESCENDANTS_AFTER}
    return {"before": before, "after": after}


def _read_share(name: str, share: ArrayLike) -> NDArray[np.float64]:
    values = np.asarray(share, np.float64)
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"The {name!r} parameter must be from 0 to 1. Got {share!r} instead.")
    return values


def _read_cases(n_cases: ArrayLike) -> NDArray[np.float64]:
    values = np.asarray(n_cases, np.float64)
    if not ((values > 0) & np.isfinite(values)).all():
        raise ValueError(f"The 'n_cases' parameter must be above 0. Got {n_cases!r} instead.")
    return values
