"""The size of a tree, chosen on inner folds together with the strength of its smoothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.estimators.tuning.folds import LeftOut
from petree.estimators.tuning.grid import Grid
from petree.estimators.tuning.ranking import doubled_sizes, evidence, leaves_at, rank_moments
from petree.pruning.criteria.validation.best_size import BestSize
from petree.pruning.engine.counts import FLOOR, smoothed_bits
from petree.pruning.engine.weakest_links import PruningPath, WeakestLinks, smoothed_links
from petree.reading.large import SizeLosses
from petree.smoothing.average import means_of
from petree.smoothing.base import Estimates
from petree.threads import Threads
from petree.tree import Tree

# Combinations of a smoothing's values that are tried with every size; the rest are tried with the size that is chosen.
MOST_TOGETHER = 25
# Of more class counts than these, estimates are kept only where a left-out case was counted.
CELLS = 1_000_000
# Sizes are equally good if they differ by no more than this share.
TOLERANCE = 1e-12

# ``kept(grown, pruned)``: the pruned tree, with what must not go.
Kept = Callable[[Tree, Tree], Tree]
Keep = Callable[[NDArray[np.float64]], NDArray[np.float64]]


@dataclass(frozen=True, repr=False)
class Sizes(SizeLosses):
    """The sizes that a tree could have had.

    Parameters
    ----------
    n_leaves : tuple of int
        From the largest tree to a single leaf.
    bits : tuple of float
        Log loss of left-out cases at each size, in bits a case, under the values of the smoothing that suit it best.
    grid : Grid
        The smoothing, and the values that were tried with every size.
    best : tuple of int
        Which combination of these values suits each size best.
    path : PruningPath
        The trees themselves.
    """

    grid: Grid
    best: tuple[int, ...]
    path: PruningPath

    def at_most(self, n_leaves: int) -> tuple[Tree, Any]:
        """The largest tree of at most so many leaves, and its smoothing."""
        place = self.index_of(n_leaves)
        values = dict(zip(self.grid.names, self.grid.combinations[self.best[place]], strict=True))
        tree = BestSize().cut(self.path, float(self.path.alphas[place]))
        return tree, self.grid.resolve(values)


def path_of_sizes(tree: Tree, grid: Grid) -> PruningPath:
    """The subtrees of a tree among which its size is chosen."""
    return smoothed_links(tree, grid.start().estimate(tree)).path


class SizeChoice:
    """Sizes of a tree, and how well each predicts.

    Parameters
    ----------
    grid : Grid
        The smoothing, and the values to try.
    tree : Tree
        As it was grown.
    folds : list
        Trees that were grown on the others of some folds, and these.
    kept : callable
        Gives a pruned tree back what must not go.

    Attributes
    ----------
    sizes : Sizes
    evidence : float
        By how many standard errors the trees of the folds rank left-out cases better than by chance.
    """

    def __init__(
        self, grid: Grid, tree: Tree, folds: Sequence[tuple[Tree, LeftOut]], threads: Threads, kept: Kept
    ) -> None:
        self.grid = grid
        self.threads = threads
        self.kept = kept
        self._folds = [fold for _, fold in folds]
        start = grid.start()
        coarse = grid.coarse(MOST_TOGETHER)
        self._path = path_of_sizes(tree, grid)
        alphas = self._path.alphas
        self._between = np.append(np.sqrt(np.maximum(alphas[:-1] * alphas[1:], 0)), np.inf)
        n_leaves = self._path.n_leaves
        tested = self._between[doubled_sizes(n_leaves)]
        found = threads.run(lambda *fold: _links(start, coarse, tested, *fold), folds)
        self._of_folds = [links for links, _ in found]
        self.evidence = evidence([moments for _, moments in found])
        # behind the number of leaves and the loss of the training cases: weight and losses of those left out
        sums = np.sum([links.sums_at(self._between)[:, 2:] for links in self._of_folds], axis=0)
        best = (sums[:, 1:] + coarse.prior_bits).argmin(axis=1)
        self._bits = sums[np.arange(len(best)), 1 + best]
        bits = self._bits / sums[:, 0]
        self.sizes = Sizes(tuple(n_leaves.tolist()), tuple(bits.tolist()), coarse, tuple(best.tolist()), self._path)

    def place(self, criterion: BestSize, most_leaves: int | None) -> int:
        """Place of the best size of at most so many leaves; of equally good ones the smallest."""
        counts = self._path.tree.counts[0]
        others = max(float(counts.sum() - counts.max()), 1.0)
        luck = float(np.log2(counts.sum() / others))
        worth = criterion.worth(self._bits, self._path.n_leaves, luck, self.evidence, most_leaves)
        return int(np.flatnonzero(worth >= worth.max() - TOLERANCE * self._bits[-1])[-1])

    def cut(self, criterion: BestSize, place: int) -> tuple[Tree, list[tuple[Tree, LeftOut]]]:
        """The tree of a size, and those of the folds at the same price of a leaf."""
        of_folds = [self.kept(links.tree, links.path.at(self._between[place])) for links in self._of_folds]
        tree = criterion.cut(self._path, float(self._path.alphas[place]))
        return self.kept(self._path.tree, tree), list(zip(of_folds, self._folds, strict=True))


def _links(
    start: Estimates, grid: Grid, tested: NDArray[np.float64], tree: Tree, fold: LeftOut
) -> tuple[WeakestLinks, NDArray[np.float64]]:
    """Weakest links of a fold's tree, and how it ranks the left-out cases at some prices of a leaf.

    The links have the weight of these cases and their bits under each combination.
    """
    counts = fold.counts(tree)
    estimate = start.estimate(tree)
    bits = _bits(grid, tree, counts) if counts.size <= CELLS else _bits_of_cells(grid, tree, counts)
    links = smoothed_links(tree, estimate, np.column_stack([counts.sum(axis=1), *bits]))
    moments = [rank_moments(tree, leaves, counts, estimate, fold) for leaves in leaves_at(links, tested)]
    return links, np.reshape(moments, (len(tested), 3))


def _bits(grid: Grid, tree: Tree, counts: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """Bits of the left-out cases at each node under each combination."""
    return (smoothed_bits(counts, estimate) for estimate in _estimates(grid, tree, lambda estimate: estimate))


def _bits_of_cells(grid: Grid, tree: Tree, counts: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """The same where there are very many class counts: most are zero, and add nothing."""
    cells = np.flatnonzero(counts)
    nodes = cells // tree.n_classes
    weights = counts.ravel()[cells]
    for chances in _estimates(grid, tree, lambda estimate: estimate.ravel()[cells]):
        bits = -weights * np.log2(np.maximum(chances, FLOOR))
        yield np.bincount(nodes, bits, tree.n_nodes).astype(np.float64)


def _estimates(grid: Grid, tree: Tree, keep: Keep) -> Iterator[NDArray[np.float64]]:
    """What is kept of the node probabilities under each combination; each part of a mean is asked for its own."""
    if not grid.is_mean:
        return (keep(member.estimate(tree)) for member in grid.variants)
    return means_of([list(_estimates(part, tree, keep)) for part in grid.parts.values()])
