"""Tests that need the papers' data sets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

needs_data = pytest.mark.skipif(
    not (Path(os.environ.get("PETREE_DATA", "")) / "tabular" / "types.json").is_file(),
    reason="PETREE_DATA does not name the folder of the papers' data sets",
)
