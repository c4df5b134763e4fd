"""Whether trees rank left-out cases better than chance: a test of Mann and Whitney on inner folds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from petree.estimators.tuning.folds import LeftOut
from petree.pruning.engine.weakest_links import TOLERANCE, WeakestLinks
from petree.tree import Tree

# Probabilities that differ by less than this share a rank.
DECIMALS = 12
# No larger sizes are tested: 2, 4, ..., 128 leaves.
DOUBLINGS = 7
# Of less skewness a sum is taken for normal.
EVEN = 1e-6


def doubled_sizes(n_leaves: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the places of the largest sizes of at most 2, 4, 8, ..., 128 leaves, without a single leaf.

    Parameters
    ----------
    n_leaves : array
        Descending.
    """
    most = 2 ** np.arange(1, DOUBLINGS + 1)
    places = np.unique(len(n_leaves) - np.searchsorted(n_leaves[::-1], most, side="right"))
    return places[n_leaves[places] > 1]


def leaves_at(links: WeakestLinks, prices: NDArray[np.float64]) -> Iterator[NDArray[np.intp]]:
    """Return the nodes that are leaves at each price of a leaf, ascending."""
    tree = links.tree
    gone_at = np.append(links.path.gone_at(), np.inf)
    above = gone_at[np.append(len(gone_at) - 1, tree.parents[1:])]
    for price in prices + TOLERANCE:
        yield np.flatnonzero((tree.is_leaf | (gone_at[:-1] <= price)) & (above > price))


def rank_scores(counts: NDArray[np.float64], probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the score of a case of each class in each leaf: how high the leaf ranks in the probability of the class.

    A rank is the share of cases below, half of the equal ones included, minus one half. The mean rank of a class that
    is drawn by the class shares is subtracted, so that labels dealt at random score 0 on average.

    Parameters
    ----------
    counts : array (leaves, classes)
        Left-out cases.
    probabilities : array (leaves, classes)
    """
    of_leaf = counts.sum(axis=1)
    total = max(float(of_leaf.sum()), np.finfo(np.float64).tiny)
    columns = np.round(probabilities, DECIMALS).T
    if len(columns) == 2:  # ranks of one class are those of the other from behind
        first = _ranks(columns[0], of_leaf) / total
        ranks = np.column_stack((first, -first))
    else:
        ranks = np.column_stack([_ranks(column, of_leaf) for column in columns]) / total
    shares = counts.sum(axis=0) / total
    return np.asarray(ranks - (ranks @ shares)[:, None], np.float64)


def _ranks(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weight below each value, with half of its own, minus half of the whole."""
    place = np.unique(values, return_inverse=True)[1]
    weight = np.bincount(place, weights)
    middle = np.cumsum(weight) - weight / 2
    return np.asarray(middle[place] - weights.sum() / 2, np.float64)


def rank_moments(
    tree: Tree, leaves: NDArray[np.intp], counts: NDArray[np.float64], probabilities: NDArray[np.float64], fold: LeftOut
) -> NDArray[np.float64]:
    """Return the sum of the scores of a fold's left-out cases, and its variance and third moment by chance.

    Cases are ranked within their fold: ranks across folds would depend on the class shares of the training parts. By
    chance means under all permutations of the labels. Cases of one group vary together: there the variance is the sum
    of the squared sums of the groups, and the third moment is left out.

    Parameters
    ----------
    leaves : array
        Nodes of the tree that are leaves of a pruned one.
    counts, probabilities : array (nodes, classes)
        Of the left-out cases, and as the tree answers.
    """
    counts = counts[leaves]
    scores = rank_scores(counts, probabilities[leaves])
    score = float((counts * scores).sum())
    if fold.is_grouped:
        by_group = fold.sums_by_group(tree, _handed_down(tree, leaves, scores))
        return np.array([score, by_group @ by_group, 0.0])
    of_leaf = counts.sum(axis=1)
    shares = counts.sum(axis=0) / max(float(of_leaf.sum()) - 1, 1.0)
    return np.array([score, *(float(of_leaf @ scores**power @ shares) for power in (2, 3))])


def _handed_down(tree: Tree, leaves: NDArray[np.intp], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The values of leaves of a pruned tree at all nodes below them, and 0 above."""
    of_nodes = np.zeros((tree.n_nodes, values.shape[1]))
    of_nodes[leaves] = values
    for level in tree.by_level()[1:]:
        of_nodes[level] += of_nodes[tree.parents[level]]
    return of_nodes


def evidence(of_folds: Sequence[NDArray[np.float64]]) -> float:
    """Return by how many standard errors cases are ranked better than by chance, over several sizes.

    It is the root mean square over the sizes, in which smaller trees weigh more (1, 1/2, 1/3, ...) and those that rank
    worse than chance count as 0: weak effects are seen best in small trees, many effects together in large ones.

    By chance the score of few cases is skewed: most labels score a little less than 0, and some much more. So the score
    of a size is taken for a gamma variable of its three moments, whose standard errors z Wilson and Hilferty turn into
    those of a normal one: ``6 / s (cbrt(1 + s z / 2) - 1) + s / 6`` with the skewness s.

    Parameters
    ----------
    of_folds : sequence of array (sizes, 3)
        What `rank_moments` returns for each size, the largest first.
    """
    score, variance, third = np.sum(of_folds, axis=0)[::-1].T
    error = np.sqrt(np.where(variance > 0, variance, 1))
    skewness = third / error**3
    is_even = np.abs(skewness) < EVEN
    divided = np.where(is_even, 1, skewness)
    z = score / error
    normal = np.where(is_even, z, 6 / divided * (np.cbrt(1 + divided * z / 2) - 1) + divided / 6)
    better = np.where(variance > 0, np.maximum(normal, 0), 0)
    return float(np.sqrt(np.average(better**2, weights=1 / np.arange(1, len(better) + 1)))) if len(better) else 0.0
