"""Cold start of petree: the first fit ever, the first fit of a later process, and the import."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

KINDS = ("numeric", "nominal")

IMPORTS = """
import json, time
import sklearn.base
start = time.perf_counter()
import petree
middle = time.perf_counter()
from petree import ProbabilityTreeClassifier
end = time.perf_counter()
print(json.dumps({"petree": middle - start, "estimator": end - start}))
"""


@dataclass(frozen=True)
class FirstFit:
    """Seconds of the steps of a new process."""

    imported: float
    fit: float
    predict: float


@dataclass(frozen=True)
class ColdStart:
    """First fits by kind of table, and the import beyond scikit-learn's base, in seconds (medians)."""

    new_cache: Mapping[str, FirstFit]
    warm_cache: Mapping[str, FirstFit]
    import_petree: float
    import_estimator: float


def measure_cold_start(repeats: int) -> ColdStart:
    """Time new processes; raises RuntimeError with petree's own words when one fails."""
    new_cache, warm_cache = {}, {}
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as cache:
            new_cache[kind] = _first_fit(kind, cache)
            warm_cache[kind] = _median_of([_first_fit(kind, cache) for _ in range(repeats)])
    imports = [_run(["-c", IMPORTS]) for _ in range(repeats + 1)][1:]  # the first one may write bytecode files
    return ColdStart(
        new_cache,
        warm_cache,
        median(seconds["petree"] for seconds in imports),
        median(seconds["estimator"] for seconds in imports),
    )


def _first_fit(kind: str, cache: str) -> FirstFit:
    script = Path(__file__).with_name("first_fit.py")
    return FirstFit(**_run([str(script), kind], NUMBA_CACHE_DIR=cache))


def _median_of(fits: Sequence[FirstFit]) -> FirstFit:
    return FirstFit(
        median(fit.imported for fit in fits), median(fit.fit for fit in fits), median(fit.predict for fit in fits)
    )


def _run(arguments: Sequence[str], **environment: str) -> dict[str, float]:
    """The JSON that a new Python process prints."""
    done = subprocess.run(
        [sys.executable, *arguments], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    seconds: dict[str, float] = json.loads(done.stdout)
    return seconds
