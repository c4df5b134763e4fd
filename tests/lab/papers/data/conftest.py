"""OpenML stands on this machine, and its tables are kept in a folder of the test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.lab.papers.data.openml_answers import Server, serve

from lab.papers.data import openml


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("PETREE_DATA", raising=False)
    with serve() as server:
        monkeypatch.setattr(openml, "ADDRESS", server.address + "/data/{}")
        yield server
