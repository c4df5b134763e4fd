"""The variants of the loops for different processors give the same results to the last bit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VARIANTS = ("popcnt", "avx512")


@cache
def digests(variant: str) -> dict[str, str]:
    """What the fits of `fits.py` give in a process that uses a variant."""
    environment = {**os.environ, "PETREE_INSTRUCTIONS": variant}
    command = [sys.executable, "-m", "tests.core.fits"]
    process = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    found: dict[str, str] = json.loads(process.stdout)
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_fit_is_the_same_in_all_variants(variant: str) -> None:
    baseline = digests("baseline")
    if digests(variant).get("instructions") != variant:
        pytest.skip(f"this processor cannot run the variant {variant}")
    assert len(baseline) > 24
    assert [name for name, digest in digests(variant).items() if digest != baseline[name]] == ["instructions"]
