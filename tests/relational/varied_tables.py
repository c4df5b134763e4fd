"""Random tables in which there is something of everything that a tree can ask about.

Patients have a partner among them and two doctors, who have bosses and send patients to each other; visits have no key,
badges that of their patient; stays point to rooms by two columns; friends are pairs of patients in either order; grades
are categories in an order. Ballots have booleans beside numbers that equal them in Python, in any order of the columns.
Values are missing and keys dangle.
"""

from __future__ import annotations

import random
import warnings
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import polars as pl
from tests.relational.oracles.plain_rows import DAY, KEY, Link, Ranked, Row, World, moment_of
from tests.relational.oracles.queries import Facts

from petree.relational import Database

GRADES = ("low", "mid", "high")
WORDS = ("red", "it's", 'a "b"', "Zoo")
LINKS = [
    Link("doctor", ("boss",), "doctor", ("name",)),
    Link("patient", ("doctor",), "doctor", ("name",)),
    Link("patient", ("second doctor",), "doctor", ("name",)),
    Link("patient", ("partner",), "patient", ("id",)),
    Link("transfer", ("sender",), "doctor", ("name",)),
    Link("transfer", ("receiver",), "doctor", ("name",)),
    Link("badge", ("patient",), "patient", ("id",)),
    Link("visit", ("patient",), "patient", ("id",)),
    Link("visit", ("doctor",), "doctor", ("name",)),
    Link("stay", ("patient",), "patient", ("id",)),
    Link("stay", ("floor", "door"), "room", ("floor", "door")),
    Link("ballot", ("patient",), "patient", ("id",)),
    Link("friend", ("one",), "patient", ("id",)),
    Link("friend", ("other",), "patient", ("id",)),
]
KEYS = {"patient": ("id",), "doctor": ("name",), "room": ("floor", "door"), "badge": ("patient",)}
PAIRS = {"friend": ("one", "other")}
TIMES = {"patient": "until", "visit": "day", "friend": "since"}


@dataclass(frozen=True)
class Varied:
    """Columns by table, in Python's own values; `when` is None, "numbers" or "dates"."""

    tables: dict[str, dict[str, list[Any]]]
    when: str | None

    @property
    def time(self) -> dict[str, str]:
        return TIMES if self.when else {}

    def database(self) -> Database:
        made = {name: dict(columns) for name, columns in self.tables.items()}
        made["visit"]["grade"] = pl.Series(made["visit"]["grade"], dtype=pl.Enum(GRADES))
        links = [((one.table, one.columns), (one.to_table, one.to_columns)) for one in LINKS]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # dangling keys are meant
            return Database(made, [*links, "friend.one -- friend.other"], KEYS, self.time)

    def world(self) -> World:
        """Plain rows, as sentences speak of them."""
        plain = self.plain_rows()
        kinds = {
            (name, column): kind_of(values)
            for name, columns in self.tables.items()
            for column, values in columns.items()
            if not any(column in one.columns for one in LINKS if one.table == name)
        }
        kinds["visit", "grade"] = GRADES
        return World(plain, LINKS, "patient", self.time, PAIRS, kinds)

    def plain_rows(self) -> dict[str, list[Row]]:
        """Rows of all tables without keys that dangle, dates in microseconds, each row of a pair both ways."""
        plain: dict[str, list[Row]] = {}
        for name, columns in self.tables.items():
            rows = [
                dict(zip(columns, map(plain_value, values), strict=True))
                for values in zip(*columns.values(), strict=True)
            ]
            for link in (one for one in LINKS if one.table == name and len(one.columns) == 1):
                there = set(self.tables[link.to_table][link.to_columns[0]])
                for row in rows:
                    row[link.columns[0]] = row[link.columns[0]] if row[link.columns[0]] in there else None
            if name in PAIRS:
                one, other = PAIRS[name]
                rows += [{**row, one: row[other], other: row[one]} for row in rows]
            for number, row in enumerate(rows):
                row[KEY] = tuple(row[column] for column in KEYS[name]) if name in KEYS else (number,)
            plain[name] = rows
        for row in plain["visit"]:
            row["grade"] = row["grade"] and Ranked(row["grade"], GRADES)
        return plain

    def facts(self) -> Facts:
        """The same as facts, as Prolog's rules speak of them, for whoever knows all rows and an example's key."""
        found = {}
        for name, rows in self.plain_rows().items():
            dates = {column for column, values in self.tables[name].items() if kind_of(values) == "date"}
            days = [tuple(fact_value(row[one], one in dates) for one in self.tables[name]) for row in rows]
            numbered = days if name in KEYS else [(*row, number) for number, row in enumerate(days)]
            found[f"{name}_either_way" if name in PAIRS else name] = numbered
        return Facts(found, "patient", {"A": 0})


def fact_value(value: Any, is_date: bool) -> Any:
    """A value as Prolog writes it."""
    if is_date and value is not None:
        return value / DAY
    return str(value).lower() if isinstance(value, bool) else value


def plain_value(value: Any) -> Any:
    return moment_of(value) if isinstance(value, date) else value


def kind_of(values: list[Any]) -> Any:
    known = [one for one in values if one is not None]
    kinds = {date: "date", datetime: "date", bool: "boolean", float: "number", int: "number"}
    return kinds.get(type(known[0])) or tuple(sorted(set(known)))


def varied_tables(seed: int, when: str | None = None, n: int = 24) -> Varied:
    """Tables for one seed."""
    numbers = random.Random(seed)
    ids = [10 * one for one in range(n)]
    doctors = list("abcde")

    def some(values: Any, n: int, gaps: float = 0.15) -> list[Any]:
        return [None if numbers.random() < gaps else numbers.choice(values) for _ in range(n)]

    def times(n: int, gaps: float) -> list[Any]:
        days = [numbers.randrange(12) for _ in range(n)]
        moments = [datetime(2004, 2, 25) + timedelta(days=day, microseconds=day % 3) for day in days]
        return [None if numbers.random() < gaps else one for one in (moments if when == "dates" else days)]

    m = 2 * n
    tables: dict[str, dict[str, list[Any]]] = {
        "patient": {
            "id": ids,
            "age": some([20.5, 30.0, 40.0, 1 / 3], n),
            "doctor": some([*doctors, "nobody"], n),
            "second doctor": some(doctors, n),
            "partner": some([*ids, 7], n),
            "until": times(n, 0.05),
        },
        "doctor": {"name": doctors, "field": some(WORDS, 5), "boss": some(doctors, 5)},
        "transfer": {"sender": some(doctors, 6), "receiver": some(doctors, 6), "fee": some([1, 2, 5], 6)},
        "visit": {
            "patient": some([*ids, 7], m),
            "doctor": some(doctors, m),
            "reason": some(WORDS, m),
            "cost": some([1.0, 2.0, 3.0, 7.0], m),
            "grade": some(GRADES, m),
            "day": times(m, 0.1),
        },
        "badge": {"patient": ids[::2], "valid": some([True, False], len(ids[::2]))},
        "room": {"floor": [1, 1, 2, 2], "door": ["x", "y", "x", "y"], "size": [3.0, 4.0, 5.0, None]},
        "stay": {
            "patient": some(ids, n, 0),
            "floor": some([1, 2], n, 0),
            "door": some(["x", "y"], n, 0),
            "meal": some(WORDS, n),
        },
        "friend": {"one": some(ids, n), "other": some(ids, n), "how": some(["near", "far"], n), "since": times(n, 0.1)},
    }
    tables["ballot"] = ballots(random.Random(seed), ids, m)
    return Varied(tables, when)


def ballots(numbers: random.Random, ids: list[int], n: int) -> dict[str, list[Any]]:
    """Columns whose values `==` takes for each other, in a random order."""
    values = {"agreed": [True, False], "vote": [-1, 0, 1], "share": [-1.0, 0.0, 0.5, 1.0], "sign": [-0.0, 0.5]}
    columns = {name: [numbers.choice([*some, None]) for _ in range(n)] for name, some in values.items()}
    columns["patient"] = numbers.choices(ids, k=n)
    return {name: columns[name] for name in numbers.sample(sorted(columns), len(columns))}
