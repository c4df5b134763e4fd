"""An empty database on each server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture
def engine(address: str) -> Iterator[Any]:
    sqlalchemy = pytest.importorskip("sqlalchemy")
    made = sqlalchemy.create_engine(address)
    yield made
    made.dispose()
