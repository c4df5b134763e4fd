"""Prolog files by chance: each is read, or refused in a sentence.

pytest tests/fuzzing/test_prolog.py --fuzz-tables=100000
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tests.fuzzing import prolog_programs
from tests.fuzzing.tables_watching import complaints


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "cases",
    [prolog_programs.programs, prolog_programs.applications],
    ids=lambda one: one.__name__,
)
def test_prolog(
    cases: Callable[[Path], Callable[[Random], None]], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    n_cases = request.config.getoption("--fuzz-tables")
    assert not (found := complaints(cases.__name__, n_cases, cases(tmp_path))), "\n".join(found)
