"""What data beyond memory cannot do, said before any of them are read."""

from __future__ import annotations

from typing import Any

from petree.estimators.learning.recipe import Recipe
from petree.estimators.parameters import OWN_WAYS
from petree.estimators.tuning.finish import needs_folds
from petree.estimators.tuning.grid import Grid
from petree.smoothing.base import goes_by_row

# What a criterion may need beyond counts.
BEYOND_MEMORY = {"grow_folds", "source"}
REMEDY = "give more memory by petree.partitions.use(memory=...), or"


def refuse_beyond_memory(parameters: dict[str, Any], recipe: Recipe[Any], grid: Grid) -> None:
    """Raise where a parameter asks for what only rows in memory can do."""
    for name, unused in {**OWN_WAYS, "sample_ratio": None}.items():
        if parameters[name] != unused:
            raise ValueError(
                f"With {name}={parameters[name]!r} all rows have to be in memory, and these do not fit; "
                f"{REMEDY} leave it out."
            )
    held_out = {"held_out"} if recipe.pruning.counts_held_out else set()
    if needs := sorted(set(recipe.pruning.needs) - BEYOND_MEMORY - held_out):
        raise ValueError(
            f"{recipe.pruning!r} looks at single rows again ({', '.join(needs)}), and these do not fit in "
            f"memory; {REMEDY} set pruning to a criterion that goes by counts, such as 'best_size', 'bic' or 'chi'."
        )
    if goes_by_row(grid.smoothing) and needs_folds(recipe, grid):
        raise ValueError(
            f"{grid.smoothing!r} answers row by row, and rows that are left out do not fit in memory; "
            f"{REMEDY} choose another smoothing, such as 'm_branch'."
        )
