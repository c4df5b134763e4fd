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


def test_every_fit_is_the_same_in_all_variants() -> None:
    """In one test, so that two processes do not both learn everything by the loops for all processors."""
    baseline, able = digests("baseline"), [one for one in VARIANTS if digests(one).get("instructions") == one]
    if not able:
        pytest.skip("this processor cannot run any variant but the one for all")
    assert len(baseline) > 24
    for variant in able:
        assert [name for name, digest in digests(variant).items() if digest != baseline[name]] == ["instructions"]
