"""Tables with odd names and values, through the files of SQLite and the SQL that trees are written as."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import sqlalchemy as sa
from tests.fuzzing.tables_mutation import mutated
from tests.relational.reading.test_sql_text import compare_all

from petree import RelationalTreeClassifier
from petree.relational.database import Database

ODD = (
    *("select", "from", "table", "order", "group", "rowid", "null", "values", "index", "model", "class", "end", "#row"),
    *(
        '"',
        "'",
        "`",
        "[",
        "]",
        ";",
        "--",
        "/*",
        "*/",
        "%",
        "%s",
        ":a",
        "?",
        "$1",
        "@a",
        "\\",
        "\n",
        "\t",
        " ",
        ".",
        ",",
    ),
    *("(", ")", "{", "}", "->", "''", '""', "; drop table a; --", "é", "ß", "名", "\u200b", "0", "A", "b", "sqlite_x"),
)


def odd_name(chance: Random) -> str:
    return "".join(chance.choice(ODD) for _ in range(chance.randint(1, 3)))


def odd_names(chance: Random, n_names: int) -> list[str]:
    """Different names; databases do not tell large letters from small ones."""
    names: dict[str, str] = {}
    while len(names) < n_names:
        name = odd_name(chance)
        names.setdefault(name.strip().casefold(), name)
    return list(names.values())


class FittingContext:
    """Examples, and a table whose rows belong to them."""

    def __init__(self, chance: Random):
        self.example, self.part = odd_names(chance, 2)
        self.key, self.label, self.number = odd_names(chance, 3)
        self.owner, self.word, self.size = odd_names(chance, 3)
        n_examples, n_parts = 12, 30
        keys = (
            [f"{i}{odd_name(chance)}" for i in range(n_examples)] if chance.random() < 0.5 else list(range(n_examples))
        )
        words = odd_names(chance, 3)
        self.tables: dict[str, dict[str, list[Any]]] = {
            self.example: {
                self.key: keys,
                self.label: [words[i % 2] for i in range(n_examples)],
                self.number: [chance.choice((1.5, 2, None)) for _ in range(n_examples)],
            },
            self.part: {
                self.owner: chance.choices(keys, k=n_parts),
                self.word: [chance.choice((*words, None)) for _ in range(n_parts)],
                self.size: [chance.gauss(0, 1) for _ in range(n_parts)],
            },
        }

    def database(self) -> Database:
        links = [((self.part, (self.owner,)), (self.example, (self.key,)))]
        return Database(self.tables, links, {self.example: self.key})


def contents(database: Database) -> dict[str, Any]:
    """All rows by table and column."""
    return {
        name: {column.name: [column.value(row) for row in range(relation.n_rows)] for column in relation.columns}
        for name, relation in database.relations.items()
    }


def written_databases(folder: Path) -> Callable[[Random], None]:
    """What is written is read again, and SQL finds what the tree finds."""

    def try_case(chance: Random) -> None:
        world, path = FittingContext(chance), folder / "case.db"
        path.unlink(missing_ok=True)
        database = world.database()
        engine = sa.create_engine(f"sqlite:///{path}")
        try:
            database.to_sql(engine)
            if (found := contents(Database.from_url(engine))) != (written := contents(database)):
                raise AssertionError(f"read {found}, written {written}")
            model = RelationalTreeClassifier(
                database, f"{world.example}.{world.label}", pruning="none", min_samples_leaf=1
            )
            compare_all(model.fit(database.keys(world.example)), engine)
        finally:
            engine.dispose()

    return try_case


def damaged_databases(folder: Path) -> Callable[[Random], None]:
    """Files of SQLite with some bytes changed."""
    whole = folder / "whole.db"
    FittingContext(Random(0)).database().to_sql(f"sqlite:///{whole}")
    content = whole.read_bytes()

    def try_case(chance: Random) -> None:
        path = folder / "case.db"
        path.write_bytes(mutated(chance, content))
        try:
            Database.from_url(f"sqlite:///{path}")
        except TypeError as error:  # a column that holds values of several types
            raise ValueError(str(error)) from error

    return try_case
