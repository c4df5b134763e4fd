"""A shell in a directory of its own, and two small tables as benchmarks find them."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from tests.lab.shell import Shell


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(capsys, tmp_path)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two small tables as the benchmark finds them: one sorted by class, one with missing values and 3 classes."""
    tables = tmp_path / "tabular"
    tables.mkdir()
    random = np.random.default_rng(5)
    size, colour = random.normal(size=40).round(2), random.choice(["NA", "red"], 40)
    first = [f"{x},{c},{'no' if i < 20 else 'yes'}" for i, (x, c) in enumerate(zip(size, colour, strict=True))]
    second = [f"{x if i % 4 else ''},{i % 3}" for i, x in enumerate(size[:30])]
    _write(tables / "voting.csv.gz", ["size,colour,class", *first])
    _write(tables / "other.csv.gz", ["size,class", *second])
    kinds = {
        "voting": {"size": "numeric", "colour": "nominal", "class": "nominal"},
        "other": {"size": "numeric", "class": "nominal"},
    }
    (tables / "types.json").write_text(json.dumps(kinds))
    monkeypatch.setenv("PETREE_DATA", str(tmp_path))
    return tables


def _write(path, lines):
    path.write_bytes(gzip.compress("\n".join(lines).encode() + b"\n"))
