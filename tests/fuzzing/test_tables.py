"""Files of tables by chance: each is read as it was written, or refused in a sentence.

pytest tests/fuzzing/test_tables.py --fuzz-tables=100000
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from tests.fuzzing import tables_watching
from tests.fuzzing.tables_files import FileCases, has_pyarrow
from tests.fuzzing.tables_watching import complaint, complaints


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("suffix", ["csv", "arff", "parquet"])
def test_files(suffix: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if suffix == "parquet" and not has_pyarrow():
        pytest.skip("pyarrow is not installed")
    n_cases = request.config.getoption("--fuzz-tables")
    assert not (found := complaints(suffix, n_cases, FileCases(suffix, tmp_path))), "\n".join(found)


def test_a_whole_file_that_is_refused_is_seen(tmp_path: Path) -> None:
    cases = FileCases("csv", tmp_path)
    assert "a whole file is refused" in str(complaint(lambda _: cases.check_whole(b"", {}), Random(0)))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a peak is never forgotten")
def test_memory_is_seen_also_behind_a_higher_peak(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables_watching, "MOST_MEMORY", 20 * 2**20)
    np.ones(2**24)
    assert "MiB" in str(complaint(lambda _: np.ones(2**23).sum(), Random(0)))
    assert complaint(lambda _: None, Random(0)) is None
