"""The variants for different processors give the same results to the last bit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from petree.core import VARIANTS
from petree.core._processor import best_variant

ROOT = Path(__file__).parents[2]


def others() -> list[str]:
    """Variants beside the baseline that were built and that this processor can run."""
    can_run = VARIANTS[1 : VARIANTS.index(best_variant()) + 1]
    return [name for name in can_run if find_spec(f"petree.core._{name}") is not None]


needs_others = pytest.mark.skipif(not others(), reason="this processor has no AVX2, or the variant was not built")


def run(variant: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PETREE_CORE": variant}
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)


def digests(variant: str) -> dict[str, str]:
    process = run(variant, "-m", "tests.core.fits")
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


@needs_others
def test_every_fit_is_the_same_in_all_variants() -> None:
    baseline = digests("baseline")
    assert len(baseline) > 24
    for variant in others():
        assert [name for name, digest in digests(variant).items() if digest != baseline[name]] == []


@needs_others
@pytest.mark.parametrize("name", ["binary_log", "natural_log", "power_of_e", "log_gamma"])
def test_numbers_are_the_same_in_all_variants(name: str) -> None:
    values = np.random.default_rng(3).uniform(-600, 600, 100_000)
    values = values if name == "power_of_e" else np.exp(values)
    results = set()
    for variant in ("baseline", *others()):
        result = np.empty_like(values)
        getattr(import_module(f"petree.core._{variant}").numbers, name)(values, result)
        results.add(result.tobytes())
    assert len(results) == 1


@needs_others
def test_the_variants_keep_their_classes_apart() -> None:
    names = ("baseline", *others())
    assert len({import_module(f"petree.core._{name}").Stopped for name in names}) == len(names)


def test_the_variant_can_be_chosen() -> None:
    process = run("baseline", "-c", "import petree.core as core; print(core._variant.__name__)")
    assert process.stdout.strip() == "petree.core._baseline"


def test_an_unknown_variant_is_refused_in_a_sentence() -> None:
    process = run("sse9", "-c", "import petree.core")
    assert "PETREE_CORE must be one of baseline, avx2, avx512. Got 'sse9' instead." in process.stderr
