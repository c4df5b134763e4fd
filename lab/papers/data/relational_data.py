"""The papers' relational data sets: folders of tables with a schema, below the one that PETREE_DATA names.

``schema.json`` names the target table, its class and key, and for each table, which is ``<table>.csv.gz``, the kind of
its columns (key, nominal or numeric) and its foreign keys (column, table, column).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.papers.data.datasets import MISSING, VARIABLE
from petree.files import Reading, read_table
from petree.relational.database import Database
from petree.relational.tables.building import build
from petree.relational.tables.schema import ForeignKey

Tables = Mapping[str, Mapping[str, Any]]


def load(name: str) -> Database:
    """A relational data set by the name of its folder."""
    return read_folder(folder_of(name))


def folder_of(name: str) -> Path:
    """Where the files of a relational data set are."""
    place = os.environ.get(VARIABLE)
    if not place:
        raise FileNotFoundError(f"Set {VARIABLE} to a folder that holds the data set {name!r} as relational/{name}.")
    return Path(place) / "relational" / name


def read_folder(path: str | os.PathLike[str]) -> Database:
    """The tables of a folder; the database's target is the class that the schema names."""
    folder = Path(path)
    schema = _read_schema(folder / "schema.json")
    described: dict[str, dict[str, Any]] = schema["tables"]
    tables = {name: _read_columns(folder / f"{name}.csv.gz", one["columns"]) for name, one in described.items()}
    links = [
        ForeignKey(name, (column,), to_table, (to_column,))
        for name, one in described.items()
        for column, to_table, to_column in one["foreign_keys"]
    ]
    own = _own_identifiers(described, links)
    keys = {schema["target"]: schema["key"]}
    for table, column in own:
        if _tells_rows_apart(tables[table][column]):
            keys.setdefault(table, column)
    built = build(tables, links, keys, identifiers=own)
    target = f"{schema['target']}.{schema['class']}"
    return Database.from_relations(built.relations, built.foreign_keys, target=target, checks=built.checks)


def _read_schema(path: Path) -> Any:
    if not path.is_file():
        raise FileNotFoundError(f"There is no {path}, which has to say what the tables of its folder are.")
    return json.loads(path.read_text(encoding="utf-8"))


def _read_columns(path: Path, kinds: Mapping[str, str]) -> dict[str, Any]:
    """The columns of a file, by pandas where it is installed, which is 20 times as fast."""
    text = [name for name, kind in kinds.items() if kind == "nominal"]
    try:
        import pandas as pd
    except ImportError:
        return dict(read_table(path, Reading(dict.fromkeys(text, "nominal"), MISSING)).select(kinds))
    frame = pd.read_csv(path, dtype=dict.fromkeys(text, "str"), keep_default_na=False, na_values=list(MISSING))
    return {name: frame[name] for name in kinds}


def _own_identifiers(described: Tables, links: list[ForeignKey]) -> list[tuple[str, str]]:
    """Columns that are keys, but of no link."""
    linked = {(link.table, link.columns[0]) for link in links} | {(link.to_table, link.to_columns[0]) for link in links}
    return [
        (name, column)
        for name, one in described.items()
        for column, kind in one["columns"].items()
        if kind == "key" and (name, column) not in linked
    ]


def _tells_rows_apart(values: Any) -> bool:
    return len(set(values)) == len(values)
