"""Databases by chance: odd names and values are written, read and asked for as any others; damaged files are refused.

pytest tests/fuzzing/test_sql.py --fuzz-tables=100000
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.fuzzing.tables_watching import complaints

pytest.importorskip("sqlalchemy")
SLOWER = 10  # A case takes as long as so many of the files of other formats.


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("cases", ["written_databases", "damaged_databases"])
def test_sql(cases: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    from tests.fuzzing import tables_sql

    n_cases = request.config.getoption("--fuzz-tables") // SLOWER
    assert not (found := complaints(cases, n_cases, getattr(tables_sql, cases)(tmp_path))), "\n".join(found)
