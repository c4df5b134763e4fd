"""Parameters of a smoothing that are "auto": chosen on the training data alone, by cross-validated log loss.

Each fold grows and prunes a tree on its training part and sends the rest down it once. All candidate values are scored
there, so that ten of them cost hardly more than one, and several parameters are chosen jointly. Where that would be
too many combinations, the parts of a mean are chosen one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.estimators.intervals.certainty import Certainty, measure_certainty
from petree.estimators.learning.cases import SMALL_TABLE, Cases
from petree.estimators.learning.learner import learn
from petree.estimators.learning.recipe import Recipe
from petree.estimators.tuning.folds import Fold, LeftOut, deal_folds
from petree.estimators.tuning.grid import Grid
from petree.estimators.tuning.sizes import SizeChoice, Sizes
from petree.pruning.criteria.validation.best_size import BestSize
from petree.pruning.engine.log import noted
from petree.reading.large import SizeLosses
from petree.smoothing import Average
from petree.smoothing.base import Estimates, goes_by_row
from petree.smoothing.directions import Directions
from petree.threads import Threads
from petree.tree import Tree

# Each fold costs a tree; in small tables it is cheap, and more folds leave less to luck.
FOLDS = 3
FOLDS_OF_SMALL = 5
# Of more combinations than these, the parts of a mean are tuned each by itself.
MOST_COMBINATIONS = 300


@dataclass(frozen=True)
class Tuning:
    """What was tried for the "auto" parameters of a smoothing.

    Parameters
    ----------
    names : tuple of str
        The parameters.
    tried : tuple of tuples
        Their values, one combination after the other.
    losses : tuple of float
        Log loss of each combination on held-out rows, in bits a row.
    parts : tuple of Tuning, default=()
        Where the parts of a mean were tuned each by itself: what was tried for them, and how each did alone. What they
        chose is then the one combination that was tried of the whole.
    priors : tuple of float, default=()
        What each combination must save besides, in bits a row: one bit in all for each step from the strongest values
        of the parameters to its own. Nothing where there are none.

    Examples
    --------
    >>> Tuning(("m",), ((1.0,), (4.0,), (16.0,)), (0.71, 0.64, 0.65)).chosen
    {'m': 4.0}
    """

    names: tuple[str, ...]
    tried: tuple[tuple[float, ...], ...]
    losses: tuple[float, ...]
    parts: tuple[Tuning, ...] = ()
    priors: tuple[float, ...] = ()

    @property
    def chosen(self) -> dict[str, float]:
        """The values of least loss and prior by name, the first of equals."""
        place = int(np.argmin(np.array(self.losses) + (self.priors or 0.0)))
        return dict(zip(self.names, self.tried[place], strict=True))

    def of_part(self, part: str) -> Tuning:
        """The same by the names that the parameters have in a smoothing of which it tuned a part."""
        names = tuple(f"{part}__{name}" for name in self.names)
        return Tuning(names, self.tried, self.losses, tuple(inner.of_part(part) for inner in self.parts), self.priors)


class Folds:
    """Cases that the trees of some folds have not seen, sent down once."""

    def __init__(self, folds: Sequence[tuple[Tree, LeftOut]], grid: Grid, threads: Threads) -> None:
        self._threads = threads
        by_row = goes_by_row(grid.smoothing)
        self._folds = threads.run(lambda tree, fold: (fold.held_out(tree, by_row),), folds)
        self.total = float(sum(fold.weights.sum() for (fold,) in self._folds))

    def losses(self, grid: Grid) -> tuple[float, ...]:
        """Log loss of each combination of a grid, in bits a row."""
        of_folds = self._threads.run(lambda fold: fold.losses(grid), self._folds)
        return tuple((np.sum(of_folds, axis=0) / self.total).tolist())

    def certainty(self, smoothing: Estimates, n_cases: float) -> Certainty:
        """What the leaves of a tree of so many cases are worth."""
        return measure_certainty([fold for (fold,) in self._folds], smoothing, n_cases)


def learn_folds(recipe: Recipe[Any], cases: Cases, threads: Threads) -> list[tuple[Tree, Fold]]:
    """For each inner fold the tree of the other cases, learned by the recipe.

    Folds of few rows go side by side, of many the threads work together on one after the other, so that an interrupt
    never waits for a whole tree. The result does not depend on the number of threads.
    """
    is_small = len(cases.codes) <= recipe.maker.quick_rows
    in_fold = threads.alone() if is_small else threads

    def learn_fold(fold: Fold) -> tuple[Tree, Fold]:
        return learn(recipe, fold.others(), in_fold)[0], fold

    n_folds = FOLDS_OF_SMALL if len(cases.codes) <= SMALL_TABLE else FOLDS
    dealt = [(fold,) for fold in deal_folds(cases, n_folds, recipe.seed)]
    return (threads if is_small else threads.alone()).run(learn_fold, dealt)


@dataclass(frozen=True)
class Finished:
    """A tree with what was chosen on inner folds: its size where the criterion wants that, and its smoothing.

    The same folds tell how much its leaves are worth. Where it is another size than the one that was chosen, `chosen`
    has that one: its smoothing was tuned more finely, so that whoever asks for its size again gets it as it was.
    """

    tree: Tree
    smoothing: Any
    tuning: Tuning | None = None
    sizes: SizeLosses | None = None
    certainty: Certainty | None = None
    directions: Directions | None = None
    chosen: Finished | None = None

    def estimate(self) -> NDArray[np.float64]:
        """The class probabilities that the nodes answer."""
        estimates: NDArray[np.float64] = self.smoothing.estimate(self.tree)
        return estimates if self.directions is None else self.directions.keep(self.tree, estimates)


def needs_folds(recipe: Recipe[Any], grid: Grid) -> bool:
    """Whether anything is left to be chosen on inner folds."""
    return bool(grid.names) or recipe.pruning.chooses_size


def finish(
    tree: Tree, grid: Grid, recipe: Recipe[Any], cases: Cases, threads: Threads, most_leaves: int | None = None
) -> Finished:
    """Choose on inner folds what the criterion and the smoothing leave open.

    Parameters
    ----------
    tree : Tree
        Learned from the cases by the recipe.
    grid : Grid
        The smoothing, and the values to try.
    most_leaves : int or None
        Where the criterion chooses a size, it is none beyond this.
    """
    if not needs_folds(recipe, grid):
        return Finished(tree, grid.resolve({}), directions=grid.directions)
    return choose(tree, grid, recipe, learn_folds(recipe, cases, threads), threads, most_leaves)


def choose(
    tree: Tree,
    grid: Grid,
    recipe: Recipe[Any],
    folds: Sequence[tuple[Tree, LeftOut]],
    threads: Threads,
    most_leaves: int | None = None,
) -> Finished:
    """The same, given trees and cases that these have not seen."""
    if recipe.pruning.chooses_size:
        choice = SizeChoice(grid, tree, folds, threads, recipe.maker.with_first_test)
        return _finish_at_size(choice, recipe.pruning, most_leaves)
    return smooth(tree, grid, Folds(folds, grid, threads))


def smooth(tree: Tree, grid: Grid, held_out: Folds, sizes: Sizes | None = None) -> Finished:
    """Choose the values of a smoothing for a tree, and measure what its leaves are worth."""
    tuning = _choose(grid, held_out) if grid.names else None
    chosen = {} if tuning is None else tuning.chosen
    # A row that all leaves answer together has no leaf of its own whose cases could be counted.
    is_counted = not goes_by_row(grid.smoothing)
    certainty = held_out.certainty(grid.answering(chosen), float(tree.counts[0].sum())) if is_counted else None
    return Finished(tree, grid.resolve(chosen), tuning, sizes, certainty, grid.directions)


def _finish_at_size(choice: SizeChoice, criterion: BestSize, most_leaves: int | None) -> Finished:
    """Choose size and smoothing; the tree is a single leaf if left-out cases are not ranked better than by chance."""
    tree, folds = choice.cut(criterion, choice.place(criterion, most_leaves))
    done = smooth(tree, choice.grid, Folds(folds, choice.grid, choice.threads), choice.sizes)
    if tree.n_leaves > 1:
        return replace(done, tree=choice.kept(tree, criterion.confirm(tree, choice.evidence)))
    if choice.sizes.n_leaves[0] == 1 or most_leaves == 1:
        return done
    return replace(done, tree=noted(tree, criterion.none_so_small.format(n_leaves=choice.sizes.n_leaves[-2])))


def _choose(grid: Grid, held_out: Folds) -> Tuning:
    """Try all combinations, or those of each part of a mean by itself and then the whole as they chose."""
    if grid.n_combinations <= MOST_COMBINATIONS or not isinstance(grid.smoothing, Average):
        priors = tuple((grid.prior_bits / held_out.total).tolist())
        return Tuning(grid.names, grid.combinations, held_out.losses(grid), priors=priors)
    parts = tuple(_choose(part, held_out).of_part(name) for name, part in grid.parts.items() if part.names)
    chosen = grid.at({name: value for part in parts for name, value in part.chosen.items()})
    return Tuning(chosen.names, chosen.combinations, held_out.losses(chosen), parts)
