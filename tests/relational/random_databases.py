"""Small random databases, as tables for petree and as lists of facts for the oracle."""

from __future__ import annotations

import random
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from tests.relational.oracles.queries import Facts

from petree.relational import Argument, Bias, Database, Lookahead, Mode
from petree.relational.queries.terms import Atom, Constant, Variable
from petree.relational.relations import KEY, MISSING, NOMINAL, Domain, Relation, RelationColumn

Columns = dict[str, list[Any]]


@dataclass(frozen=True)
class MadeTables:
    """Tables as a user has them: columns by name, links, keys and times. The examples are rows of `target`."""

    tables: dict[str, Columns]
    links: list[str] = field(default_factory=list)
    keys: dict[str, Any] = field(default_factory=dict)
    time: dict[str, str] = field(default_factory=dict)
    target: str = "thing"

    def database(self) -> Database:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # dangling keys are meant
            return Database(self.tables, self.links, self.keys, self.time)

    def facts(self) -> Facts:
        """Rows without keys that dangle; a table that nothing tells apart has the numbers of its rows at the end."""
        tables = without_dangling(self)
        referred = {link.split("->")[1].strip().partition("(")[0].partition(".")[0] for link in self.links}
        rows = {}
        for name, columns in tables.items():
            has_key = name in self.keys or name in referred
            numbered = [] if has_key else [list(range(len(next(iter(columns.values())))))]
            rows[name] = list(zip(*columns.values(), *numbered, strict=True))
        places = {name: list(columns) for name, columns in tables.items()}
        times = {name: places[name].index(column) for name, column in self.time.items()}
        named = [places[self.target].index(column) for column in self.named_columns()]
        return Facts(rows, self.target, dict(zip("ABCDEFGH", named, strict=False)), times=times)

    def named_columns(self) -> list[str]:
        """The key of the example, then its foreign keys."""
        key = self.keys[self.target]
        found = [key] if isinstance(key, str) else list(key)
        for link in self.links:
            table, columns, _, _ = link_parts(link)
            found += [column for column in columns if table == self.target and column not in found]
        return found


def link_parts(link: str) -> tuple[str, list[str], str, list[str]]:
    """Table and columns of both sides of ``"a.x -> b.y"`` or ``"a(x, y) -> b(x, y)"``."""
    found: list[Any] = []
    for side in link.split("->"):
        table, _, columns = side.strip().replace("(", ".").rstrip(")").partition(".")
        found += [table, [one.strip() for one in columns.split(",")]]
    return found[0], found[1], found[2], found[3]


def without_dangling(made: MadeTables) -> dict[str, Columns]:
    """The tables with None for keys that point nowhere along every link of their column."""
    dangling: dict[tuple[str, str], list[set[int]]] = {}
    kept = {(table, key) for table, key in made.keys.items() if isinstance(key, str)}
    for link in made.links:
        table, columns, to_table, to_columns = link_parts(link)
        there = set(zip(*(made.tables[to_table][one] for one in to_columns), strict=True))
        here = list(zip(*(made.tables[table][one] for one in columns), strict=True))
        nowhere = {k for k, key in enumerate(here) if None not in key and key not in there}
        for column in columns:
            dangling.setdefault((table, column), []).append(nowhere)
        kept |= {(to_table, column) for column in to_columns}
    tables = {name: {one: list(values) for one, values in columns.items()} for name, columns in made.tables.items()}
    for (table, column), sets in dangling.items():
        if (table, column) not in kept:
            for row in set.intersection(*sets):
                tables[table][column][row] = None
    return tables


# -- tables ----------------------------------------------------------------------------------------------------


def nominal(numbers: random.Random, n: int, values: str = "rgb", gaps: float = 0.15) -> list[Any]:
    return [None if numbers.random() < gaps else numbers.choice(values) for _ in range(n)]


def quarters(numbers: random.Random, n: int, gaps: float = 0.15) -> list[Any]:
    """Numbers whose sums are exact in any order."""
    return [None if numbers.random() < gaps else numbers.randrange(-8, 9) / 4 for _ in range(n)]


def pointers(numbers: random.Random, n: int, values: Sequence[Any], gaps: float = 0.1, lost: Any = None) -> list[Any]:
    """Keys of other rows, some missing, some dangling."""
    kinds = [numbers.random() for _ in range(n)]
    return [None if one < gaps else lost if one < 2 * gaps else numbers.choice(values) for one in kinds]


def random_tables(seed: int, n: int = 12, gaps: float = 0.1, is_clean: bool = False) -> MadeTables:
    """Things with parts, bonds between two parts, things inside of others, rooms and visits, or some of these."""
    numbers = random.Random(seed)
    gaps = 0.0 if is_clean else gaps
    ids = [10 * k for k in range(n)] if seed % 2 else [f"t{k}" for k in range(n)]
    lost = None if is_clean else (99999 if seed % 2 else "lost")
    numbers.shuffle(ids)
    thing: Columns = {"id": ids, "colour": nominal(numbers, n, gaps=gaps), "size": quarters(numbers, n, gaps)}
    tables, links, keys = {"thing": thing}, ["part.thing -> thing.id"], {"thing": "id"}
    thing["class"] = [numbers.choice("yn") for _ in range(n)]
    n_parts = 2 * n
    tables["part"] = {
        "thing": pointers(numbers, n_parts, ids, gaps, lost),
        "kind": nominal(numbers, n_parts, "uvw", gaps),
        "weight": quarters(numbers, n_parts, gaps),
    }
    if numbers.random() < 0.6:
        _add_bonds(numbers, tables, links, keys, gaps, None if is_clean else 999)
    if numbers.random() < 0.4:
        thing["inside"] = pointers(numbers, n, ids, 0.3, lost)
        links.append("thing.inside -> thing.id")
    if numbers.random() < 0.5:
        _add_visits(numbers, tables, links, keys, gaps, ids)
    if numbers.random() < 0.4:
        thing["room"] = pointers(numbers, n, ["x", "y"], gaps, lost=None if is_clean else "nowhere")
        tables["room"] = {"name": ["x", "y", "z"], "floor": [0, 1, None]}
        links.append("thing.room -> room.name")
    return MadeTables(tables, links, keys)


def _add_bonds(
    numbers: random.Random, tables: dict[str, Columns], links: list[str], keys: dict[str, Any], gaps: float, lost: Any
) -> None:
    """Two links to one table."""
    n = len(tables["part"]["thing"])
    tables["part"]["number"] = list(range(n))
    keys["part"] = "number"
    ends = [pointers(numbers, n, range(n), gaps, lost) for _ in range(2)]
    tables["bond"] = {"one": ends[0], "other": ends[1], "kind": nominal(numbers, n, "pq", gaps)}
    links += ["bond.one -> part.number", "bond.other -> part.number"]


def _add_visits(
    numbers: random.Random,
    tables: dict[str, Columns],
    links: list[str],
    keys: dict[str, Any],
    gaps: float,
    ids: Sequence[Any],
) -> None:
    """A composite key."""
    openings = [(clinic, day) for clinic in "ab" for day in range(3)]
    tables["opening"] = {
        "clinic": [one for one, _ in openings],
        "day": [day for _, day in openings],
        "staff": nominal(numbers, len(openings), "fg", gaps),
    }
    n = len(ids)
    tables["visit"] = {
        "thing": pointers(numbers, n, ids, gaps),
        "clinic": pointers(numbers, n, "ab", gaps, "c" if gaps else None),
        "day": pointers(numbers, n, range(3), gaps, 9 if gaps else None),
    }
    keys["opening"] = ("clinic", "day")
    links += ["visit.thing -> thing.id", "visit(clinic, day) -> opening(clinic, day)"]


# -- models ----------------------------------------------------------------------------------------------------


def random_models(seed: int, n: int = 12) -> tuple[Database, Facts]:
    """Pictures with shapes inside of each other, as models, and shared knowledge about directions."""
    numbers = random.Random(seed)
    models, objects, directions = list(range(1, n + 1)), [f"o{k}" for k in range(5)], ["down", "left", "up"]
    rows: dict[str, list[tuple[Any, ...]]] = {
        "model": [(one, numbers.choice(["neg", "pos"])) for one in models],
        "round": [(one, made) for one in models for made in objects if numbers.random() < 0.35],
        "edged": [(one, made) for one in models for made in objects if numbers.random() < 0.35],
        "in": [(one, a, b) for one in models for a in objects for b in objects if numbers.random() < 0.08],
        "config": [(one, made, numbers.choice(directions)) for one in models for made in objects[:3]],
        "upright": [(one,) for one in directions if numbers.random() < 0.6],
    }
    domains = {
        "model": Domain("model", models, is_number=True),
        "class": Domain("model.class", ["neg", "pos"]),
        "obj": Domain("obj", objects),
        "dir": Domain("dir", directions),
    }
    types = {
        "model": ("model", "class"),
        "round": ("model", "obj"),
        "edged": ("model", "obj"),
        "in": ("model", "obj", "obj"),
        "config": ("model", "obj", "dir"),
        "upright": ("dir",),
    }
    of_models = {"round", "edged", "in", "config"}
    relations = {
        name: _relation(name, rows[name], [domains[one] for one in types[name]], name in of_models) for name in types
    }
    database = Database.from_relations(relations, target="model.class", bias=model_bias(seed))
    return database, Facts(rows, "model", {}, frozenset(of_models))


def _relation(name: str, rows: list[tuple[Any, ...]], domains: list[Domain], of_models: bool) -> Relation:
    columns = tuple(
        RelationColumn(
            "class" if domain.name == "model.class" else f"{domain.name}{place}",
            domain,
            np.array([MISSING if row[place] is None else domain.values.index(row[place]) for row in rows], np.int32),
            NOMINAL if domain.name in ("dir", "model.class") else KEY,
        )
        for place, domain in enumerate(domains)
    )
    keys = ((0,),) if name == "model" else ()
    return Relation(name, columns, len(rows), keys, of_models)


def model_bias(seed: int) -> Bias:
    """Modes of every kind of argument, some for a few uses only, some with a lookahead."""
    old, new, either = Argument("+", "X"), Argument("-", "Y"), Argument("+-", "Z")
    ways = Argument("#", constants=(Constant("down"), Constant("up"), Constant("nowhere")))
    modes = (
        Mode("round", (either,), 2 if seed % 2 else None),
        Mode("edged", (new,)),
        Mode("in", (old, either), 1 if seed % 3 == 0 else None),
        Mode("config", (old, ways)),
        Mode("config", (either, new), 1),
        Mode("upright", (old,)),
    )
    first = Atom("in", (Variable("X"), Variable("Y")))
    named = Argument("=", "Y")
    lookaheads = (Lookahead(first, Mode("config", (named, ways))), Lookahead(first, Mode("in", (named, either))))
    return Bias(modes, lookaheads if seed % 2 else (), 1 + seed % 4 // 3)
