"""Cold start of petree: the first and the second fit of a process, and the import."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from statistics import median

KINDS = ("numeric", "nominal")
HOUSE = Path(__file__).parents[2]

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
    second_fit: float


@dataclass(frozen=True)
class ColdStart:
    """First fits by kind of table, and the import beyond scikit-learn's base, in seconds (medians)."""

    first_fits: Mapping[str, FirstFit]
    import_petree: float
    import_estimator: float


def measure_cold_start(repeats: int) -> ColdStart:
    """Time new processes; raises RuntimeError with petree's own words when one fails."""
    first_fits = {kind: _median_of([_first_fit(kind) for _ in range(repeats)]) for kind in KINDS}
    imports = [_run(["-c", IMPORTS]) for _ in range(repeats + 1)][1:]  # the first one may write bytecode files
    return ColdStart(
        first_fits,
        median(seconds["petree"] for seconds in imports),
        median(seconds["estimator"] for seconds in imports),
    )


def _first_fit(kind: str) -> FirstFit:
    return FirstFit(**_run(["-m", "lab.speed.first_fit", kind]))


def _median_of(fits: Sequence[FirstFit]) -> FirstFit:
    return FirstFit(*(median(values) for values in zip(*map(astuple, fits), strict=True)))


def _run(arguments: Sequence[str]) -> dict[str, float]:
    """The JSON that a new Python process prints."""
    done = subprocess.run([sys.executable, *arguments], cwd=HOUSE, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    seconds: dict[str, float] = json.loads(done.stdout)
    return seconds
