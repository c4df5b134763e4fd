"""Parameters of a smoothing that are "auto": chosen on the training data alone, by cross-validated log loss.

Each fold grows and prunes a tree on its training part and sends the rest down it once. All candidate values are scored
there, so that ten of them cost hardly more than one, and several parameters are chosen jointly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree.estimators.folds import deal_folds
from petree.estimators.grid import Grid
from petree.estimators.held_out import HeldOut
from petree.estimators.learning import Cases, Recipe
from petree.threads import Threads

FOLDS = 3


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

    Examples
    --------
    >>> Tuning(("m",), ((1.0,), (4.0,), (16.0,)), (0.71, 0.64, 0.65)).chosen
    {'m': 4.0}
    """

    names: tuple[str, ...]
    tried: tuple[tuple[float, ...], ...]
    losses: tuple[float, ...]

    @property
    def chosen(self) -> dict[str, float]:
        """The values of least loss by name, the first of equals."""
        return dict(zip(self.names, self.tried[int(np.argmin(self.losses))], strict=True))


def tune(
    grid: Grid, recipe: Recipe, cases: Cases, groups: NDArray[np.intp] | None, seed: int, threads: Threads
) -> Tuning:
    """Try every combination of values on folds of the cases.

    Parameters
    ----------
    grid : Grid
        The smoothing and the values.
    recipe : Recipe
        How the tree of each fold is learned.
    cases : Cases
        Their weights count in the loss; class weights do not.
    groups : array (rows,), optional
        Rows of one group are never learned from and held out at the same time.
    seed : int
        Of the shuffling before rows are dealt to the folds.
    threads : Threads
        Folds go side by side; the result does not depend on the number of threads.
    """

    def losses_of_fold(learn: NDArray[np.intp], hold_out: NDArray[np.intp]) -> NDArray[np.float64]:
        tree, _ = recipe.learn(cases.take(learn), Threads(1))
        held_out = HeldOut(tree, cases.take(hold_out), getattr(grid.smoothing, "by_row", False))
        return held_out.losses(grid.variants(held_out.ask))

    folds = deal_folds(cases.codes, groups, FOLDS, seed)
    total = float(len(cases.codes) if cases.weights is None else cases.weights.sum())
    losses = np.sum(threads.run(losses_of_fold, folds), axis=0) / total
    return Tuning(grid.names, grid.combinations, tuple(losses.tolist()))
