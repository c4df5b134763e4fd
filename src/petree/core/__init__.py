"""The compiled loops, in the variant for this processor; all variants give the same results to the last bit.

``PETREE_CORE`` names another variant (such as ``baseline``), for comparisons.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from petree.core._processor import best_variant

VARIANTS = ("baseline", "avx2", "avx512")


def _choose() -> str:
    """The best variant for this processor, or the one that is asked for."""
    wanted = os.environ.get("PETREE_CORE")
    if wanted is not None and wanted not in VARIANTS:
        raise ImportError(f"PETREE_CORE must be one of {', '.join(VARIANTS)}. Got {wanted!r} instead.")
    return wanted or best_variant()


if TYPE_CHECKING:
    from petree.core import _baseline as _variant
else:
    _variant = import_module(f"petree.core._{_choose()}")

Stopped = _variant.Stopped
content = _variant.content
draws = _variant.draws
numbers = _variant.numbers
options = _variant.options
permutation = _variant.permutation
prediction = _variant.prediction
relations = _variant.relations
search = _variant.search
tables = _variant.tables
trees = _variant.trees

# The flag of a loop that nobody asks to stop.
NO_STOP = np.zeros(1, np.uint8)
NO_STOP.flags.writeable = False
