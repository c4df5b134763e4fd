"""The variants for different processors give the same results to the last bit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from petree.core import _baseline

ROOT = Path(__file__).parents[2]


def run(variant: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PETREE_CORE": variant}
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)


def digests(variant: str) -> dict[str, str]:
    process = run(variant, "-m", "tests.core.fits")
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def avx2() -> None:
    if not _baseline.has_avx2():
        pytest.skip("this processor has no AVX2")
    pytest.importorskip("petree.core._avx2", reason="the variant for AVX2 was not built")


def test_every_fit_is_the_same_in_all_variants() -> None:
    avx2()
    baseline, wide = digests("baseline"), digests("avx2")
    assert [name for name in baseline if baseline[name] != wide[name]] == []
    assert len(baseline) > 24


@pytest.mark.parametrize("name", ["binary_log", "natural_log", "power_of_e", "log_gamma"])
def test_numbers_are_the_same_in_all_variants(name: str) -> None:
    avx2()
    from petree.core import _avx2

    values = np.random.default_rng(3).uniform(-600, 600, 100_000)
    values = values if name == "power_of_e" else np.exp(values)
    results = np.empty((2, len(values)))
    for variant, result in zip((_baseline, _avx2), results, strict=True):
        getattr(variant.numbers, name)(values, result)
    assert results[0].tobytes() == results[1].tobytes()


def test_the_variants_keep_their_classes_apart() -> None:
    avx2()
    from petree.core import _avx2

    assert _avx2.Stopped is not _baseline.Stopped


def test_the_variant_can_be_chosen() -> None:
    process = run("baseline", "-c", "import petree.core as core; print(core._variant.__name__)")
    assert process.stdout.strip() == "petree.core._baseline"


def test_an_unknown_variant_is_refused_in_a_sentence() -> None:
    process = run("sse9", "-c", "import petree.core")
    assert "PETREE_CORE must be 'baseline' or 'avx2'. Got 'sse9' instead." in process.stderr
