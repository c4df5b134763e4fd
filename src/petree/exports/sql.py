"""A tree over one table as a SQL query that gives the class probabilities of every row.

`known` makes of each column what the tree knows (NaN and new categories become NULL), the steps behind it find the leaf
of each row by nested CASE, and the leaf is joined with its probabilities. A row without a leaf, since some value fits
no branch, goes every way by the shares of the branches, and gets the mean over the leaves where it arrives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from petree.caching import cached_property
from petree.columns import DATE, NUMBER, Column
from petree.columns.moments import quantity_text
from petree.exports.splits import Split, columns_of, splits_of
from petree.reading.view import View
from petree.relational.reading.sql_text import identifier
from petree.relational.reading.sql_trees import share_sql, unused
from petree.relational.reading.sql_values import DIALECTS, Dialect, number_sql, resolve_dialect, text_sql

# CASE within CASE; SQLite's parser knows no more than about sixteen.
LEVELS_PER_STEP = 12


def to_sql(shown: View, dialect: str = "sqlite", table: str = "data", key: str | None = None) -> str:
    """A query that gives the key, the leaf and the class probabilities of every row of a table.

    Parameters
    ----------
    shown : View
    dialect : str
        "sqlite", "postgresql" or "duckdb"; any other that sqlglot knows, where it is installed.
    table : str
        Name of the table.
    key : str, optional
        Column that tells rows apart. Without one, rows are numbered from 1 in the order of the database.

    Returns
    -------
    str
        The leaf is NULL where the answer is a blend of several.
    """
    splits = splits_of(shown, "SQL", (DATE,))
    _refuse_alike("classes", [str(label) for label in shown.tree.classes])
    _refuse_alike("columns", [column.name for column in columns_of(splits.values())])
    if dialect not in DIALECTS and (other := _translated(shown, dialect, table, key)) is not None:
        return other
    if dialect not in DIALECTS:
        raise ValueError(
            f"The 'dialect' must be one of {', '.join(DIALECTS)}, or one that sqlglot knows where it is installed. Got "
            f"{dialect!r} instead."
        )
    return SqlWriter(shown, splits, resolve_dialect(dialect)).text(table, key)


def _refuse_alike(what: str, names: list[str]) -> None:
    """Refuse names that differ in capitals alone, which databases do not tell apart."""
    seen: dict[str, str] = {}
    for name in names:
        if (other := seen.setdefault(name.lower(), name)) != name:
            raise ValueError(
                f"The {what} {other!r} and {name!r} are one name in SQL; rename one of them before fitting."
            )


def _translated(shown: View, dialect: str, table: str, key: str | None) -> str | None:
    """The query in a dialect that sqlglot knows; None where it does not, or is not installed."""
    try:
        import sqlglot
    except ImportError:
        return None
    if dialect not in sqlglot.Dialect.classes:
        return None
    return str(sqlglot.transpile(to_sql(shown, "duckdb", table, key), read="duckdb", write=dialect, pretty=True)[0])


@dataclass(frozen=True)
class SqlWriter:
    """Writes the query of a tree."""

    shown: View
    splits: dict[int, Split]
    dialect: Dialect

    def text(self, table: str, key: str | None) -> str:
        """All of it."""
        answers = [identifier(f"P({name})") for name in self.shown.tree.classes]
        listed = ", ".join(answers)
        parts = [
            f"known AS (\n{self._known(table, key)}\n)",
            *self._steps(),
            f"leaves ({', '.join([self._leaf, *self._masses, *answers])}) AS (\n  VALUES {self._leaves()}\n)",
            *(self._ways() if self._may_blend else ()),
        ]
        key_name = identifier("row" if key is None else key)
        leaf_name = identifier(unused("leaf", [] if key is None else [key]))
        query = f"""SELECT {self._row} AS {key_name}, routed.{self._leaf} AS {leaf_name}, {listed}
FROM routed JOIN leaves ON routed.{self._leaf} = leaves.{self._leaf}"""
        if self._may_blend:
            sums = ", ".join(f"{self._mean(answer)} AS {answer}" for answer in answers)
            query += f"""
UNION ALL
SELECT {self._row} AS {key_name}, NULL AS {leaf_name}, {sums}
FROM ways JOIN leaves ON ways.{self._prefix}_node = leaves.{self._leaf}
GROUP BY {self._row}"""
        recursive = "RECURSIVE " * self._may_blend
        return f"WITH {recursive}{f',{chr(10)}'.join(parts)}\n{query}"

    # -- names ----------------------------------------------------------------------------------------------

    @cached_property
    def _columns(self) -> list[Column]:
        return columns_of(self.splits.values())

    @cached_property
    def _prefix(self) -> str:
        """How the query's own columns begin, and none of the table's."""
        return unused("tree", [column.name for column in self._columns])

    @property
    def _row(self) -> str:
        return f"{self._prefix}_row"

    @property
    def _leaf(self) -> str:
        return f"{self._prefix}_leaf"

    @property
    def _mass(self) -> str:
        return f"{self._prefix}_mass"

    @property
    def _masses(self) -> list[str]:
        """The column of the leaves' masses, where base rates were moved."""
        return [] if self.shown.masses is None else [self._mass]

    @property
    def _weight(self) -> str:
        return f"{self._prefix}_weight"

    @cached_property
    def _missing(self) -> dict[str, str]:
        """For each column of categories the name of what tells whether its value is missing."""
        return {column.name: f"{self._prefix}_missing_{number}" for number, column in enumerate(self._columns)}

    # -- what is known ----------------------------------------------------------------------------------------

    def _known(self, table: str, key: str | None) -> str:
        row = "ROW_NUMBER() OVER ()" if key is None else f"t.{identifier(key)}"
        parts = [f"{row} AS {self._row}"]
        for column in self._columns:
            given = f"t.{identifier(column.name)}"
            parts.append(f"{self._cleaned(given, column)} AS {identifier(column.name)}")
            if column.kind != NUMBER:
                parts.append(f"{given} IS NULL AS {self._missing[column.name]}")
        return f"SELECT {(',' + chr(10) + '  ').join(parts)}\nFROM {identifier(table)} AS t"

    def _cleaned(self, given: str, column: Column) -> str:
        """A value as the tree knows it, or NULL."""
        if column.quantity:
            return given
        if column.kind == NUMBER:
            return self.dialect.float.format(given)
        return f"CASE WHEN {given} IN ({self._list(column.categories)}) THEN {given} END"

    # -- the leaf ---------------------------------------------------------------------------------------------

    def _steps(self) -> Iterator[str]:
        """The queries that find the leaf of every row, some levels each."""
        starts = [0]
        step = "known"
        node = "0"
        number = 0
        while starts:
            ends: list[int] = []
            cases = "\n".join(
                f"    WHEN {start} THEN\n{self._case(start, 6, LEVELS_PER_STEP, ends)}" for start in starts
            )
            found = (
                f"  CASE {node}\n{cases}\n    ELSE {node}\n  END" if number else self._case(0, 2, LEVELS_PER_STEP, ends)
            )
            number += 1
            after = f"step_{number}" if ends else "routed"
            name = f"{self._prefix}_node_{number}" if ends else self._leaf
            yield f"{after} AS (\n  SELECT *,\n{found} AS {name}\n  FROM {step}\n)"
            starts = ends
            step = after
            node = name

    def _case(self, node: int, indent: int, levels: int, ends: list[int]) -> str:
        """The node that a row reaches from another in so many levels; those that are no leaves are added to `ends`."""
        margin = " " * indent
        if node not in self.splits or not levels:
            ends += [node] if node in self.splits else []
            return f"{margin}{node}"
        split = self.splits[node]
        lines = [f"{margin}CASE"]
        for branch, child in enumerate(split.children):
            below = self._case(child, indent + 2, levels - 1, ends)
            lines += [f"{margin}WHEN {self._taken(split, branch)} THEN", below]
        return "\n".join([*lines, f"{margin}END"])

    def _taken(self, split: Split, branch: int) -> str:
        """What must hold of a row that takes a branch; of a row that is blended nothing holds."""
        if split.is_multiway and branch == split.missing:
            return self._is_missing(split)
        test = self._test(split, branch)
        return (
            f"{test} OR {self._is_missing(split)}" if branch == split.missing and not split.asks_for_missing else test
        )

    def _test(self, split: Split, branch: int) -> str:
        name = identifier(split.column.name)
        if split.asks_for_missing:
            return self._is_missing(split) if branch == 0 else f"NOT ({self._is_missing(split)})"
        if split.asks_for_number:
            return f"{name} {('<', '>=')[branch]} {self._bound(split)}"
        negation = "NOT " * (branch == 1 and not split.is_multiway)
        return f"{name} {negation}IN ({self._list(split.values(0 if negation else branch))})"

    def _bound(self, split: Split) -> str:
        """The threshold as the column holds it: a number, or a date, which is text where the database knows none."""
        if not split.column.quantity:
            return number_sql(split.threshold, self.dialect)
        text = quantity_text(split.column.quantity, split.threshold)
        if self.dialect.date is None:
            return text_sql(text)
        return (self.dialect.moment if " " in text else self.dialect.date).format(text)

    def _is_missing(self, split: Split) -> str:
        if split.column.kind == NUMBER:
            return f"{identifier(split.column.name)} IS NULL"
        return self._missing[split.column.name]

    def _list(self, values: Iterable[Any]) -> str:
        return ", ".join(self._literal(value) for value in values)

    def _literal(self, value: Any) -> str:
        if isinstance(value, bool | np.bool_):
            return "TRUE" if value else "FALSE"
        if isinstance(value, int | float | np.number):
            return number_sql(value.item() if isinstance(value, np.number) else value, self.dialect)
        return text_sql(str(value))

    def _leaves(self) -> str:
        values = self.shown.probabilities
        if self.shown.masses is not None:
            values = np.column_stack([self.shown.masses.sum(axis=1), values])
        rows = [
            f"({node}, {', '.join(share_sql(one) for one in values[node])})"
            for node in np.flatnonzero(self.shown.tree.is_leaf).tolist()
        ]
        return ",\n  ".join(rows)

    # -- blends -----------------------------------------------------------------------------------------------

    def _mean(self, answer: str) -> str:
        """The mean of a class over the leaves where a row arrives; where base rates were moved by their masses, too."""
        if self.shown.masses is None:
            return f"SUM({self._weight} * {answer})"
        return f"SUM({self._weight} * {self._mass} * {answer}) / SUM({self._weight} * {self._mass})"

    @property
    def _may_blend(self) -> bool:
        return any(split.may_blend for split in self.splits.values())

    def _ways(self) -> Iterator[str]:
        """The queries that send rows without a leaf down all ways that they might take."""
        branches = [
            f"({split.node}, {branch}, {child}, {share_sql(share)})"
            for split in self.splits.values()
            for branch, (child, share) in enumerate(zip(split.children, split.shares, strict=True))
        ]
        tests = [
            " ".join(
                [f"    WHEN {split.node} THEN CASE"]
                + [f"WHEN {self._taken(split, branch)} THEN {branch}" for branch in range(len(split.children))]
                + ["END"]
            )
            for split in self.splits.values()
        ]
        cases = "\n".join(tests)
        rows = ",\n    ".join(branches)
        node, branch, child, share = (f"{self._prefix}_{name}" for name in ("node", "branch", "child", "share"))
        weight = self._weight
        yield f"branches ({node}, {branch}, {child}, {share}) AS (\n  VALUES {rows}\n)"
        yield f"stuck AS (\n  SELECT * FROM routed WHERE {self._leaf} IS NULL\n)"
        yield f"""ways ({self._row}, {node}, {weight}) AS (
  SELECT {self._row}, 0, 1e0 FROM stuck
  UNION ALL
  SELECT ways.{self._row}, {child}, {weight} * CASE COALESCE(CASE ways.{node}
{cases}
    END, -1) WHEN {branch} THEN 1e0 WHEN -1 THEN {share} ELSE 0e0 END
  FROM ways JOIN stuck ON ways.{self._row} = stuck.{self._row} JOIN branches ON ways.{node} = branches.{node}
  WHERE {weight} > 0
)"""
