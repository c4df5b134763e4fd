"""The programs of the gallery run as they stand, and each draws something."""

from __future__ import annotations

import runpy
from pathlib import Path

import matplotlib
import pytest

matplotlib.use("agg")
from matplotlib import pyplot

GALLERY = Path(__file__).parents[2] / "docs" / "gallery"
PROGRAMS = sorted(GALLERY.glob("*/*.py"))


def test_there_are_enough() -> None:
    assert len(PROGRAMS) >= 15


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_a_program_draws_something(program: Path) -> None:
    runpy.run_path(str(program))
    assert pyplot.get_fignums()
    pyplot.close("all")
