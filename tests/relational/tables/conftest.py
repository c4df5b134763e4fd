"""An empty database on each server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database on the server that the test names."""
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres"))
    if request.param == "duckdb":
        pytest.importorskip("duckdb_engine", reason="DuckDB's dialect is not installed or does not load")
    return f"{request.param}:///{tmp_path}/test.db"


@pytest.fixture
def engine(address: str) -> Iterator[Any]:
    sqlalchemy = pytest.importorskip("sqlalchemy")
    made = sqlalchemy.create_engine(address)
    yield made
    made.dispose()
