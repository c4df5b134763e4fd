"""Parameters of a smoothing that are "auto": chosen on the training data alone, by cross-validated log loss.

Each fold grows and prunes a tree on its training part and sends the rest down it once. All candidate values are scored
there, so that ten of them cost hardly more than one, and several parameters are chosen jointly. Where that would be
too many combinations, the parts of a mean are chosen one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from petree.estimators.folds import deal_folds
from petree.estimators.grid import Grid
from petree.estimators.held_out import HeldOut
from petree.estimators.learning import Cases, Recipe
from petree.smoothing import Average
from petree.threads import Threads

FOLDS = 3
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

    Examples
    --------
    >>> Tuning(("m",), ((1.0,), (4.0,), (16.0,)), (0.71, 0.64, 0.65)).chosen
    {'m': 4.0}
    """

    names: tuple[str, ...]
    tried: tuple[tuple[float, ...], ...]
    losses: tuple[float, ...]
    parts: tuple[Tuning, ...] = ()

    @property
    def chosen(self) -> dict[str, float]:
        """The values of least loss by name, the first of equals."""
        return dict(zip(self.names, self.tried[int(np.argmin(self.losses))], strict=True))

    def of_part(self, part: str) -> Tuning:
        """The same by the names that the parameters have in a smoothing of which it tuned a part."""
        names = tuple(f"{part}__{name}" for name in self.names)
        return Tuning(names, self.tried, self.losses, tuple(inner.of_part(part) for inner in self.parts))


def tune(grid: Grid, recipe: Recipe, cases: Cases, seed: int, threads: Threads) -> Tuning:
    """Try every combination of values on folds of the cases.

    Parameters
    ----------
    grid : Grid
        The smoothing and the values.
    recipe : Recipe
        How the tree of each fold is learned.
    cases : Cases
        Their weights count in the loss; class weights do not.
    seed : int
        Of the shuffling before rows are dealt to the folds.
    threads : Threads
        Folds of few rows go side by side, of many they work together on one after the other, so that an interrupt never
        waits for a whole tree. The result does not depend on the number of threads.
    """
    is_small = len(cases.codes) <= recipe.quick_rows
    in_fold = threads.alone() if is_small else threads

    def hold_out(learn: Cases, rest: Cases) -> tuple[HeldOut]:
        tree, _ = recipe.learn(learn, in_fold)
        return (HeldOut(tree, rest, getattr(grid.smoothing, "by_row", False)),)

    def losses(grid: Grid) -> tuple[float, ...]:
        of_folds = threads.run(lambda fold: fold.losses(grid), folds)
        return tuple((np.sum(of_folds, axis=0) / total).tolist())

    folds = (threads if is_small else threads.alone()).run(hold_out, deal_folds(cases, FOLDS, seed))
    total = sum(fold.weights.sum() for (fold,) in folds)
    return _choose(grid, losses)


def _choose(grid: Grid, losses: Callable[[Grid], tuple[float, ...]]) -> Tuning:
    """Try all combinations, or those of each part of a mean by itself and then the whole as they chose."""
    if grid.n_combinations <= MOST_COMBINATIONS or not isinstance(grid.smoothing, Average):
        return Tuning(grid.names, grid.combinations, losses(grid))
    parts = tuple(_choose(part, losses).of_part(name) for name, part in grid.parts.items() if part.names)
    chosen = grid.at({name: value for part in parts for name, value in part.chosen.items()})
    return Tuning(chosen.names, chosen.combinations, losses(chosen), parts)
