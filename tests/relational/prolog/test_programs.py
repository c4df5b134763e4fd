"""Databases from Prolog files in which each class has a file of examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from petree import RelationalTreeClassifier
from petree.relational import Argument, Bias, Database, Mode

MODES = Bias((Mode("has", (Argument("+", "Train"), Argument("-", "Car"))), Mode("long", (Argument("+", "Car"),))))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("trains.pl").write_text("long(c1). has(t1, c1). has(t2, c2). has(t3, c3). long(c2).")
    Path("trains.f").write_text("east(t1). east(t2).")
    Path("trains.n").write_text("east(t3). east(t4).")
    return tmp_path


def test_examples_by_class(folder: Path) -> None:
    database = Database.from_prolog("trains.pl", "east", modes=MODES, examples={"yes": "trains.f", "no": "trains.n"})
    model = RelationalTreeClassifier(database, pruning="none").fit(database.keys("east"))
    assert "has(A, B)" in model.export_text(style="prolog")
    new = Database.from_prolog("trains.pl", "east", modes=MODES, examples={"unknown": "trains.f"})
    model.database = new
    assert model.predict(new.keys("east")).tolist() == ["yes", "yes"]


def test_a_file_of_examples_holds_facts_of_the_target(folder: Path) -> None:
    with pytest.raises(ValueError, match=r"trains.pl, line 1: long\(c1\) is no example of east"):
        Database.from_prolog("trains.pl", "east", modes=MODES, examples={"yes": "trains.pl"})
