"""A PostgreSQL server, and empty databases, for the tests that ask for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.postgres import postgres, postgres_server

__all__ = ["address", "postgres", "postgres_server"]


@pytest.fixture
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database on the server that the test names."""
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres"))
    if request.param == "duckdb":
        pytest.importorskip("duckdb_engine", reason="DuckDB's dialect is not installed or does not load")
    return f"{request.param}:///{tmp_path}/test.db"
