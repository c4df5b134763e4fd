"""A shell in a directory of its own, and a model learned there."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.shell import Shell, pets

from petree import progress


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(capsys, tmp_path)


@pytest.fixture
def model(shell: Shell) -> Path:
    shell.write("pets.csv", pets())
    assert shell("fit", "pets.csv", "--target", "kind", "--out", "model.json").code == 0
    return shell.directory / "model.json"


@pytest.fixture(autouse=True)
def no_lines_of_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where tests are slow, so that the error stream has only what the command itself writes."""
    monkeypatch.setattr(progress, "SECONDS", 3600.0)
