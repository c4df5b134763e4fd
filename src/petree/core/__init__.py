"""The compiled loops.

The extension knows nothing but arrays, keeps nothing between calls and holds no lock of the interpreter while it works.
Its rooms are modules of their own.
"""

from __future__ import annotations

import numpy as np

from petree.core._core import (
    Stopped,
    content,
    draws,
    numbers,
    options,
    partitions,
    permutation,
    prediction,
    relations,
    search,
    set_main_thread,
    tables,
    trees,
)

# The flag of a loop that nobody asks to stop.
NO_STOP = np.zeros(1, np.uint8)
NO_STOP.flags.writeable = False

__all__ = [
    "NO_STOP",
    "Stopped",
    "content",
    "draws",
    "numbers",
    "options",
    "partitions",
    "permutation",
    "prediction",
    "relations",
    "search",
    "set_main_thread",
    "tables",
    "trees",
]
