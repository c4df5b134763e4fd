"""The page of related tables: its commands run, and its examples give what they say."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from petree.cli import main
from petree.relational import Database

PAGE = Path(__file__).parents[2] / "docs" / "relational.md"
TEXT = PAGE.read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ petree (.+)$", TEXT, re.MULTILINE)


def test_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("duckdb_engine")
    monkeypatch.chdir(tmp_path)
    molecules().to_sql("sqlite:///molecules.db")
    bank().to_sql("duckdb:///bank.duckdb")
    assert len(COMMANDS) >= 5
    for command in COMMANDS:
        with pytest.raises(SystemExit) as end:
            main(shlex.split(command))
        assert end.value.code == 0, command


def molecules() -> Database:
    tables = {
        "molecule": {"id": np.arange(40), "class": np.where(np.arange(40) % 3, "active", "inactive")},
        "atom": {"molecule": np.arange(80) % 40, "element": np.where(np.arange(80) % 3, "c", "n")},
    }
    return Database(tables, ["atom.molecule -> molecule.id"])


def bank() -> Database:
    tables = {
        "customer": {"id": np.arange(40), "left": np.where(np.arange(40) % 3, "no", "yes")},
        "payment": {"customer": np.arange(80) % 40, "amount": np.arange(80) % 3 * 1.0},
    }
    return Database(tables, ["payment.customer -> customer.id"])
