"""What takes long beyond memory, said before it begins."""

from __future__ import annotations

import warnings
from dataclasses import replace

from petree.partitions.budget import write_memory
from petree.partitions.counting import Layout
from petree.partitions.ground import Ground

# So many passes over so many rows, together, take several times as long as the tree itself, and more than seconds.
MANY_PASSES = 100
MANY_ROWS_READ = 10**8
# With so few the passes are no longer what takes the time.
FEW_PASSES = 20


def warn_of_passes(ground: Ground, layout: Layout, max_depth: int | None, stacklevel: int) -> None:
    """Say how often all rows will be read where that is what takes the time, and with how much memory it is not."""
    n_passes = ground.n_passes(layout, max_depth)
    if n_passes < MANY_PASSES or n_passes * ground.n_rows < MANY_ROWS_READ:
        return
    more = ground
    while more.n_passes(layout, max_depth) > FEW_PASSES:
        more = replace(more, memory=2 * more.memory)
    warnings.warn(
        f"Within {write_memory(ground.memory)} the {ground.n_rows:,} rows are read about {n_passes:,} times for each "
        f"tree, which takes long; within {write_memory(more.memory)} it would be about "
        f"{more.n_passes(layout, max_depth)} times. Allow more by petree.partitions.use(memory=...), on the command "
        "line by --memory.",
        stacklevel=stacklevel + 1,
    )
