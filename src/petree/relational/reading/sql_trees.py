"""Whole trees, and the tests of their nodes, as SQL queries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Literal
from petree.relational.reading.sql_text import condition_sql, identifier, own_prefix
from petree.relational.relations import ROW
from petree.relational.routing import RelationalRouter, asked_columns

# Where a comment of SQL ends.
LINES = re.compile(r"\r\n|[\r\n]")


def node_sql(router: RelationalRouter, node: int, dialect: str = "sqlite") -> str:
    """The keys of the examples for which the test of a node holds, and all that holds on the way to it."""
    return query_sql(router.scope, (*router.query(node), *router.literals[node]), dialect)


def query_sql(scope: Scope, query: Sequence[Literal], dialect: str = "sqlite") -> str:
    """The keys of the examples for which a query holds; `scope` is that of the empty query."""
    keys, table = _target(scope)
    condition = condition_sql(scope, query, dialect)
    example = f"{own_prefix(scope)}t0"
    return f"SELECT {', '.join(f'{example}.{key}' for key in keys)}\nFROM {table} AS {example}\nWHERE {condition}"


def leaf_sql(router: RelationalRouter, leaf: int, dialect: str = "sqlite") -> str:
    """The keys of the examples that come to a leaf: all that holds on the way there, and of what failed that it did."""
    keys, table = _target(router.scope)
    conditions = [condition_sql(router.scope, router.query(leaf), dialect)]
    node = leaf
    while node > 0:
        above = int(router.tree.parents[node])
        if int(router.tree.children_of(np.array([above]))[0]) != node:
            test = condition_sql(router.scope, (*router.query(above), *router.literals[above]), dialect)
            conditions.insert(1, f"({test}) IS NOT TRUE")  # of a missing value a comparison is neither true nor false
        node = above
    listed = "\n  AND ".join(conditions)
    example = f"{own_prefix(router.scope)}t0"
    return f"SELECT {', '.join(f'{example}.{key}' for key in keys)}\nFROM {table} AS {example}\nWHERE {listed}"


def tree_sql(
    router: RelationalRouter, classes: Sequence[Any], probabilities: NDArray[np.float64], dialect: str = "sqlite"
) -> str:
    """For every example its key, its leaf, and the probability of each class.

    Each test is a query of its own in front, which servers answer once and faster than inside of nested cases.
    """
    keys, table = _target(router.scope)
    test, examples = (unused(name, router.scope.database.relations) for name in ("test", "examples"))
    leaf = unused("leaf", [column.name for column in router.scope.relation(0).key_columns])
    tests = [f"{test}_{node} AS MATERIALIZED (\n{node_sql(router, node, dialect)}\n)" for node in router.literals]
    leaves = np.flatnonzero(router.tree.is_leaf).tolist()
    columns = [f"{examples}.{key}" for key in keys] + [f"{examples}.{leaf}"]
    for place, name in enumerate(classes):
        cases = " ".join(f"WHEN {leaf} THEN {share_sql(probabilities[leaf, place])}" for leaf in leaves)
        columns.append(f"CASE {examples}.{leaf} {cases} END AS {identifier(f'P({name})')}")
    example = f"{own_prefix(router.scope)}t0"
    own = ", ".join(f"{example}.{key}" for key in keys)
    cases = _cases(router, 0, f"({own}) IN (SELECT * FROM {test}_", 2)
    found = f"{examples} AS (\nSELECT {own},\n{cases} AS {leaf}\nFROM {table} AS {example}\n)"
    listed = ",\n  ".join(columns)
    return f"WITH {', '.join([*tests, found])}\nSELECT {listed}\nFROM {examples}"


def unused(name: str, taken: Iterable[str]) -> str:
    """A name with which none of those taken begins; databases do not tell letters from capitals."""
    while any(one.lower().startswith(name) for one in taken):
        name = f"_{name}"
    return name


def index_comments(scope: Scope, literals: Sequence[Literal]) -> str:
    """The statements that create the indexes for the links of some literals, as comments in front of a query."""
    asked = asked_columns(scope, literals)
    relations = scope.database.relations
    indexes: dict[tuple[str, tuple[str, ...]], None] = {}
    for link in scope.database.foreign_keys:
        for table, columns in ((link.table, link.columns), (link.to_table, link.to_columns)):
            used = [name for name in asked if relations[name].called == table or name == table]
            known = [name for name in used if set(columns) <= set(relations[name].names)]  # files keep what is asked
            if ROW not in columns and any(asked[name].issuperset(relations[name].places(columns)) for name in known):
                indexes[relations[used[0]].called, columns] = None
    lines = [_create_index(table, columns) for table, columns in indexes]
    if not lines:
        return ""
    text = "\n".join(["Without these indexes a database looks at all rows of a table again and again:", *lines])
    return "".join(f"-- {line}\n" for line in LINES.split(text))


def _create_index(table: str, columns: Sequence[str]) -> str:
    name = identifier("_".join((table, *columns, "index")))
    return f"CREATE INDEX {name} ON {identifier(table)} ({', '.join(map(identifier, columns))});"


def _target(scope: Scope) -> tuple[list[str], str]:
    """The key columns and the table of the examples."""
    relation = scope.relation(0)
    return [identifier(column.name) for column in relation.key_columns], identifier(relation.name)


def share_sql(value: float) -> str:
    """A probability; with an exponent it is a float everywhere."""
    text = repr(float(value))
    return text if "e" in text else f"{text}e0"


def _cases(router: RelationalRouter, node: int, test: str, indent: int) -> str:
    """The leaf of an example that has come to a node; tests that fail one after the other are cases of one list.

    `test` is the text that asks for a test, up to the number of its node.
    """
    margin = " " * indent
    if node not in router.literals:
        return f"{margin}{node}"
    lines: list[str] = []
    while node in router.literals:
        condition = f"{test}{node})"
        yes, node = router.tree.children_of(np.array([node])).tolist()
        lines += [f"{margin}  WHEN {condition} THEN", _cases(router, yes, test, indent + 4)]
    return "\n".join([f"{margin}CASE", *lines, f"{margin}  ELSE {node}", f"{margin}END"])
