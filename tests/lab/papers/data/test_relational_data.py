"""Folders of tables, as the papers' relational data sets are kept."""

from __future__ import annotations

import gzip
import json
import os
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
from tests.lab.papers.marks import needs_data
from tests.relational.decoded import rows

from lab.papers.data.relational_data import load, read_folder
from petree.relational.database import ROW
from petree.relational.relations import KEY

PLACE = Path(os.environ.get("PETREE_DATA", "")) / "relational"
# hiv, with its million atoms, takes longer than all others.
SETS = sorted(path.parent.name for path in PLACE.glob("*/schema.json") if path.parent.name != "hiv")


def described(columns: dict[str, str], *foreign_keys: list[str]) -> dict[str, Any]:
    return {"columns": columns, "foreign_keys": foreign_keys}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    schema = {
        "target": "paper",
        "class": "class",
        "key": "id",
        "tables": {
            "paper": described({"id": "key", "class": "nominal", "pages": "numeric"}),
            "author": described({"paper": "key", "person": "key"}, ["paper", "paper", "id"]),
            "figure": described({"number": "key", "paper": "key", "colour": "nominal"}, ["paper", "paper", "id"]),
        },
    }
    files = {
        "paper": "id,class,pages\n7,1,10\n8,0,?\n",
        "author": "paper,person\n7,ann\n8,ann\n",
        "figure": "number,paper,colour\n1,7,red\n2,,NA\n",
    }
    (tmp_path / "schema.json").write_text(json.dumps(schema))
    for name, text in files.items():
        (tmp_path / f"{name}.csv.gz").write_bytes(gzip.compress(text.encode()))
    return tmp_path


@pytest.mark.parametrize("has_pandas", [True, False])
def test_a_folder(folder: Path, monkeypatch: pytest.MonkeyPatch, has_pandas: bool) -> None:
    if not has_pandas:
        monkeypatch.setitem(sys.modules, "pandas", None)
    database = read_folder(folder)
    assert database.target == "paper.class"
    assert database.labels("paper.class").tolist() == ["1", "0"]
    assert rows(database, "paper") == [(7, "1", 10), (8, "0", None)]
    assert rows(database, "figure") == [(1, 7, "red"), (2, None, None)]
    assert database.relation("figure").keys == ((0,),)
    person = database.relation("author").columns[1]
    assert (person.kind, person.domain.name) == (KEY, "author.person")
    assert database.relation("author").columns[-1].name == ROW


def test_a_folder_without_a_schema_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError, match=r"There is no .*schema\.json, which has to say what the tables"):
        read_folder(tmp_path)
    monkeypatch.delenv("PETREE_DATA", raising=False)
    with pytest.raises(FileNotFoundError, match="Set PETREE_DATA to a folder that holds the data set 'genes'"):
        load("genes")


@needs_data
@pytest.mark.parametrize("name", SETS)
def test_links_of_the_papers_data_dangle_as_often_as_their_schema_says(name: str) -> None:
    schema = json.loads((PLACE / name / "schema.json").read_text())
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        database = load(name)
    found = {str(check.link).replace(" ", ""): check.n_dangling for check in database.checks if check.n_dangling}
    assert found == schema.get("dangling_references", {})
    assert len(caught) == len(found)
    assert len(database.keys(schema["target"])) == len(database.labels(database.target or ""))
