"""The compiled loops, in the variant for this processor; all variants give the same results to the last bit.

``PETREE_CORE`` names another variant (``baseline``), for comparisons.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from petree.core._processor import best_variant

if TYPE_CHECKING:
    from petree.core._baseline import (
        Stopped,
        content,
        draws,
        numbers,
        options,
        permutation,
        prediction,
        relations,
        search,
        tables,
        trees,
    )

VARIANTS = ("baseline", "avx2", "avx512")
ROOMS = (
    "content",
    "draws",
    "numbers",
    "options",
    "permutation",
    "prediction",
    "relations",
    "search",
    "tables",
    "trees",
)

# For loops that nobody asks to stop.
NO_STOP = np.zeros(1, np.uint8)
NO_STOP.flags.writeable = False


def _choose() -> str:
    """The best variant for this processor, or the one that is asked for."""
    wanted = os.environ.get("PETREE_CORE")
    if wanted is not None and wanted not in VARIANTS:
        raise ImportError(f"PETREE_CORE must be one of {', '.join(VARIANTS)}. Got {wanted!r} instead.")
    return wanted or best_variant()


if not TYPE_CHECKING:
    _variant = import_module(f"petree.core._{_choose()}")
    Stopped = _variant.Stopped
    for _room in ROOMS:
        globals()[_room] = getattr(_variant, _room)
