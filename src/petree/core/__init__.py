"""The compiled loops, in the variant for this processor; all variants give the same results to the last bit.

``PETREE_CORE`` names another variant (``baseline``), for comparisons.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

from petree.core import _baseline


def _choose() -> str:
    wanted = os.environ.get("PETREE_CORE")
    if wanted is not None and wanted not in ("baseline", "avx2"):
        raise ImportError(f"PETREE_CORE must be 'baseline' or 'avx2'. Got {wanted!r} instead.")
    return wanted or ("avx2" if _baseline.has_avx2() else "baseline")


if TYPE_CHECKING:
    _variant = _baseline
else:
    _variant = import_module(f"petree.core._{_choose()}")
