"""What the tables of benchmarks share: how they are written, and the table of the machine."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from lab.experiments.report.tables import Table
from lab.speed.peers import THREADS

PACKAGES = ("petree", "numpy", "scikit-learn", "ydf", "lightgbm", "pandas")

TIMING_NOTE = (
    "Times are medians (and the fastest) of interleaved rounds, one process a library, only one working at a time; "
    "binning included, predict_proba of as many new rows. "
    "x scikit-learn and x peer: how many times faster than scikit-learn and than the fastest peer. "
    "The boosting libraries get as many leaves as scikit-learn's tree and grow one tree a class beyond two classes."
)


def machine_table() -> Table:
    """The date, the machine and the versions."""
    rows = [
        ("date", date.today().isoformat()),
        ("processor", f"{_processor()}, {os.cpu_count()} cores (the default number of threads of the peers)"),
        ("load before the run", f"{os.getloadavg()[0]:.2f} (other work disturbs, OpenMP libraries most)"),
        ("threads used", f"{THREADS} where a library can use several; scikit-learn's tree has one"),
        ("python", platform.python_version()),
        *((package, _version(package)) for package in PACKAGES),
    ]
    return Table("Machine and versions", ("", ""), rows, TIMING_NOTE)


def to_markdown(tables: Iterable[Table]) -> str:
    return "\n".join(table.to_markdown() for table in tables)


def _processor() -> str:
    """The model name where the system tells it."""
    listing = Path("/proc/cpuinfo")
    lines = listing.read_text().splitlines() if listing.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "source tree" if package == "petree" else "not installed"
