"""Whether the class counts of a tree fit into memory, asked before it is grown."""

from __future__ import annotations

import os

# Fewer classes never come near the memory that the table itself takes.
FEW_CLASSES = 100
# A number for each node and class, and the copies that pruning and smoothing make of them (measured: 2.5 to 3.5).
BYTES_A_COUNT = 8 * 4
# Where the system does not tell.
USUAL_MEMORY = 8 * 2**30


def check_classes(n_classes: int, n_rows: int, min_samples_leaf: int, max_depth: int | None) -> None:
    """Refuse so many classes that the counts of the largest possible tree would not fit into memory."""
    if n_classes < FEW_CLASSES:
        return
    n_nodes = 2 * max(n_rows // min_samples_leaf, 1)
    if max_depth is not None:
        n_nodes = min(n_nodes, 2 ** (min(max_depth, 62) + 1))
    needed = n_nodes * n_classes * BYTES_A_COUNT
    if needed > memory_of_machine():
        raise ValueError(
            f"y has {n_classes} classes in {n_rows} rows: counting them in each of up to {n_nodes} nodes may take "
            f"{needed / 2**30:.0f} GB, and this machine has {memory_of_machine() / 2**30:.0f}. Put rare classes "
            "together, or bound the tree by max_depth or min_samples_leaf; if y is a measurement, it needs a regressor."
        )


def memory_of_machine() -> int:
    """Bytes of memory."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return USUAL_MEMORY
