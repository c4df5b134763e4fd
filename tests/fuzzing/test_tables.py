"""Files of tables by chance: each is read as it was written, or refused in a sentence.

pytest tests/fuzzing/test_tables.py --fuzz-tables=100000
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.fuzzing.tables_files import FileCases, has_pyarrow
from tests.fuzzing.tables_watching import complaints


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("suffix", ["csv", "arff", "parquet"])
def test_files(suffix: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if suffix == "parquet" and not has_pyarrow():
        pytest.skip("pyarrow is not installed")
    n_cases = request.config.getoption("--fuzz-tables")
    assert not (found := complaints(suffix, n_cases, FileCases(suffix, tmp_path))), "\n".join(found)
