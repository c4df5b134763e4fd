"""A folder of files of every kind that a command line may name, good and bad."""

from __future__ import annotations

import gzip
import os
import sqlite3
from pathlib import Path

from tests.cli.shell import pets

from petree import OptionTreeClassifier, ProbabilityTreeClassifier, RelationalTreeClassifier, save
from petree.cli.matching import training_table
from petree.files import read_table
from petree.relational import Database

NASTY = "\x1b[2J\u202e[red]$x^2$`<b>|"

TEXTS = {
    "empty.csv": "",
    "heads.csv": "size,kind\n",
    "one.csv": "size,kind\n1,a\n2,a\n3,a\n",
    "gaps.csv": "size,kind\n1,\n,b\n2,a\n",
    "broken.csv": 'size,kind\n1,"a\n2,b\n',
    "uneven.csv": "size,kind\n1,a,3\n2\n",
    "numbers.csv": "size,kind\n" + "".join(f"{i},{i / 3}\n" for i in range(9)),
    "weights.csv": "size,load,kind\n" + "".join(f"{i},{(-1) ** i * i}e300,{'ab'[i % 2]}\n" for i in range(9)),
    "nasty.csv": f"si{NASTY}ze,kind\n" + "".join(f"{i % 5},{'ab'[i % 2]}{NASTY}\n" for i in range(20)),
    f"{NASTY.replace('/', '')}.csv": "size,kind\n" + "1,a\n2,b\n" * 6,
    "text.arff": "@relation pets\n@attribute kind {a, b}\n@attribute size numeric\n@data\n" + "a,1\nb,2\n" * 6,
    "broken.arff": "@relation\n@data\n,,,\n",
    "table.xls": "x",
    "costs.csv": ",cat,dog\ncat,0,1\ndog,5,0\n",
    "costs.json": '{"a": {"b": 1}, "b": {"a": 1}}',
    "brace.json": "{",
    "list.json": "[]",
    "other.json": '{"format": "petree", "version": 1}',
    "notes": "no ending",
}


def make_fitting(folder: Path) -> None:
    """Fill a folder."""
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    (folder / "pets.csv").write_text(pets(24), encoding="utf-8")
    (folder / "bytes.csv").write_bytes(bytes(range(256)))
    (folder / "bytes.json").write_bytes(bytes(range(256)))
    (folder / "bytes.parquet").write_bytes(b"PAR1" + bytes(100))
    (folder / "short.csv.gz").write_bytes(gzip.compress(b"size,kind\n1,a\n2,b\n")[:-9])
    for name in ("folder", "folder.csv", "folder.json", "results"):
        (folder / name).mkdir()
    (folder / "results" / "results.csv").write_text("my own\n")
    (folder / "circle").symlink_to("circle")
    (folder / "lost.csv").symlink_to("absent/x.csv")
    (folder / "secret.csv").write_text("size,kind\n1,a\n")
    (folder / "secret.csv").chmod(0)
    os.mkfifo(folder / "pipe")
    _make_databases(folder)
    _make_models(folder)


def _make_databases(folder: Path) -> None:
    with sqlite3.connect(folder / "pets.db") as database:
        database.execute("create table pet (id integer primary key, size real, kind text)")
        database.execute("create table toy (id integer primary key, pet integer references pet (id), colour text)")
        database.executemany("insert into pet values (?, ?, ?)", [(i, i % 5, "ab"[i % 2]) for i in range(20)])
        database.executemany("insert into toy values (?, ?, ?)", [(i, i % 20, "rg"[i % 3 == 0]) for i in range(40)])
    with sqlite3.connect(folder / "empty.db"):
        pass
    database.close()


def _make_models(folder: Path) -> None:
    features, labels, _ = training_table(read_table(folder / "pets.csv"), "kind", None)
    save(ProbabilityTreeClassifier(pruning="chi").fit(features, labels), folder / "model.json")
    save(OptionTreeClassifier(n_searches=2).fit(features, labels), folder / "options.json")
    database = Database.from_url(f"sqlite:///{folder / 'pets.db'}")
    related = RelationalTreeClassifier(database=database, target="pet.kind")
    save(related.fit(database.keys("pet")), folder / "related.json")
