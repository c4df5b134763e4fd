"""Tables of tests are asked in SQL, however small they are, unless a test says otherwise."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def asked_in_sql(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sqlalchemy")
    monkeypatch.setattr("petree.relational.in_database.small.MOST_VALUES", 0)
