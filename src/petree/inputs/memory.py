"""Whether the class counts of a tree fit into memory, asked before it is grown."""

from __future__ import annotations

import os
import warnings
from math import ceil

# Fewer classes never come near the memory that the table itself takes.
FEW_CLASSES = 100
# A number for each node and class, and the copies that pruning and smoothing make of them (measured: 3 to 6).
BYTES_A_COUNT = 8 * 6
# Counts of more bytes are worth a warning, however large the machine: a fit takes about a minute per five gigabytes.
LARGE_COUNTS = 2 * 2**30
# Where the system does not tell.
USUAL_MEMORY = 8 * 2**30
REMEDY = (
    "Put rare classes together, or bound the tree by max_depth or min_samples_leaf; a measurement needs a regressor."
)


def check_classes(n_classes: int, n_rows: int, min_samples_leaf: int, max_depth: int | None) -> None:
    """Refuse so many classes that no tree that separates them fits into memory; warn if a tree may take very much."""
    if n_classes < FEW_CLASSES:
        return
    most_nodes = 2 * max(n_rows // min_samples_leaf, 1)
    if max_depth is not None:
        most_nodes = min(most_nodes, 2 ** (min(max_depth, 62) + 1))
    n_bytes = memory_of_machine()
    gigabytes = n_bytes / 2**30
    told = f"y has {n_classes} classes in {n_rows} rows: counting them in each node of a tree"
    if _gigabytes(min(2 * n_classes, most_nodes), n_classes) > gigabytes:
        least = _gigabytes(2 * n_classes, n_classes)
        raise ValueError(f"{told} that tells them apart takes {least:.0f} GB, and there are {gigabytes:.0f}. {REMEDY}")
    most = _gigabytes(most_nodes, n_classes)
    limit = min(gigabytes, LARGE_COUNTS / 2**30)
    if most > limit:
        least = ceil(_gigabytes(2 * n_rows, n_classes) / limit)
        warnings.warn(
            f"{told} may take up to {most:.2g} GB, if it grows to {most_nodes} nodes, and accordingly long; this "
            f"machine has {gigabytes:.2g} GB. {REMEDY} With min_samples_leaf={least} it takes at most {limit:.2g} GB.",
            stacklevel=4,
        )


def _gigabytes(n_nodes: int, n_classes: int) -> float:
    return n_nodes * n_classes * BYTES_A_COUNT / 2**30


def memory_of_machine() -> int:
    """Bytes of memory."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return USUAL_MEMORY
