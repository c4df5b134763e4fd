"""The compiled loops, in the variant for this processor; all variants give the same results to the last bit.

``PETREE_CORE`` names another variant (``baseline``), for comparisons.
"""

from __future__ import annotations

import os
from importlib import import_module

import numpy as np

from petree.core import _baseline


def _choose() -> str:
    wanted = os.environ.get("PETREE_CORE")
    if wanted is not None and wanted not in ("baseline", "avx2"):
        raise ImportError(f"PETREE_CORE must be 'baseline' or 'avx2'. Got {wanted!r} instead.")
    return wanted or ("avx2" if _baseline.has_avx2() else "baseline")


_variant = import_module(f"petree.core._{_choose()}")

content = _variant.content
draws = _variant.draws
numbers = _variant.numbers
prediction = _variant.prediction
relations = _variant.relations
trees = _variant.trees

# The flag of a loop that no other thread stops.
NO_STOP = np.zeros(1, np.uint8)
NO_STOP.flags.writeable = False
