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
from petree.files.numerals import COMMA, POINT, UNITS
from petree.reading.view import View
from petree.relational.reading.sql_text import identifier
from petree.relational.reading.sql_trees import share_sql, unused
from petree.relational.reading.sql_values import DIALECTS, Dialect, number_sql, resolve_dialect, text_sql

# CASE within CASE; SQLite's parser knows no more than about sixteen.
LEVELS_PER_STEP = 12
STYLES = {style.decimal: style for style in (POINT, COMMA)}


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
    if dialect not in DIALECTS:
        _refuse_cleaning(columns_of(splits.values()), dialect)
    _refuse_alike("classes", [str(label) for label in shown.tree.classes])
    _refuse_alike("columns", [column.name for column in columns_of(splits.values())])
    if dialect not in DIALECTS and (other := _translated(shown, dialect, table, key)) is not None:
        return other
    if dialect not in DIALECTS:
        raise ValueError(
            f"The 'dialect' must be one of {', '.join(DIALECTS)}, or one that sqlglot knows where it is installed. Got "
            f"{dialect!r} instead."
        )
    return SqlWriter(shown, splits, resolve_dialect(dialect), table, key).text()


def _refuse_alike(what: str, names: list[str]) -> None:
    """Refuse names that differ in capitals alone, which databases do not tell apart."""
    seen: dict[str, str] = {}
    for name in names:
        if (other := seen.setdefault(name.lower(), name)) != name:
            raise ValueError(
                f"The {what} {other!r} and {name!r} are one name in SQL; rename one of them before fitting."
            )


def _refuse_cleaning(columns: Iterable[Column], dialect: str) -> None:
    """Refuse columns whose values may be texts that only the three dialects can make numbers of."""
    for column in columns:
        if column.decimal:
            style = STYLES[column.decimal]
            raise ValueError(
                f"Column {column.name!r} was read from texts, {style.words} or with signs of units, which SQL in the "
                f"dialect {dialect!r} does not read; choose {', '.join(DIALECTS)}, or fit on numbers."
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
    table: str
    key: str | None

    def text(self) -> str:
        """All of it."""
        names = self._names
        listed = ", ".join([self._leaf, *self._masses, *self._answers])
        parts = [
            f"{names('known')} AS (\n{self._known()}\n)",
            *self._steps(),
            f"{names('leaves')} ({listed}) AS (\n  VALUES {self._leaves()}\n)",
            *(self._ways() if self._may_blend else ()),
        ]
        key_name = "row" if self.key is None else self.key
        leaf_name = self._name(_other_than("leaf", key_name))
        answer_names = [self._name(_other_than(f"P({label})", key_name)) for label in self.shown.tree.classes]
        key_name = self._name(key_name)
        shown = ", ".join(f"{own} AS {name}" for own, name in zip(self._answers, answer_names, strict=True))
        routed, leaves, ways = names("routed"), names("leaves"), names("ways")
        query = f"""SELECT {self._row} AS {key_name}, {routed}.{self._leaf} AS {leaf_name}, {shown}
FROM {routed} JOIN {leaves} ON {routed}.{self._leaf} = {leaves}.{self._leaf}"""
        if self._may_blend:
            pairs = zip(self._answers, answer_names, strict=True)
            sums = ", ".join(f"{self._mean(own)} AS {name}" for own, name in pairs)
            query += f"""
UNION ALL
SELECT {self._row} AS {key_name}, NULL AS {leaf_name}, {sums}
FROM {ways} JOIN {leaves} ON {ways}.{names("node")} = {leaves}.{self._leaf}
GROUP BY {self._row}"""
        recursive = "RECURSIVE " * self._may_blend
        return f"WITH {recursive}{f',{chr(10)}'.join(parts)}\n{query}"

    # -- names ----------------------------------------------------------------------------------------------

    @cached_property
    def _columns(self) -> list[Column]:
        return columns_of(self.splits.values())

    @cached_property
    def _prefix(self) -> str:
        """The beginning of all names of the query's own tables and columns, and of none of the user's."""
        return unused("tree", [self.table, *(column.name for column in self._columns)])

    def _names(self, name: str) -> str:
        """A table or column of the query's own."""
        return f"{self._prefix}_{name}"

    def _name(self, name: str) -> str:
        """A name of the user's as an identifier."""
        return self._without_percent(identifier(name))

    def _text(self, text: str) -> str:
        """A text as a literal."""
        return self._without_percent(text_sql(text))

    def _without_percent(self, quoted: str) -> str:
        """The same name or text without %, which some drivers take for the beginning of a parameter."""
        if not self.dialect.avoids_percent or "%" not in quoted:
            return quoted
        escaped = quoted.replace("\\", "\\\\").replace("%", "\\0025")
        return f"U&{escaped}"

    @property
    def _answers(self) -> list[str]:
        """The columns of the class probabilities of the leaves."""
        return [self._names(f"answer_{number}") for number in range(self.shown.tree.n_classes)]

    @property
    def _row(self) -> str:
        return self._names("row")

    @property
    def _leaf(self) -> str:
        return self._names("leaf")

    @property
    def _mass(self) -> str:
        return self._names("mass")

    @property
    def _masses(self) -> list[str]:
        """The column of the leaves' masses, where base rates were moved."""
        return [] if self.shown.masses is None else [self._mass]

    @property
    def _weight(self) -> str:
        return self._names("weight")

    @cached_property
    def _missing(self) -> dict[str, str]:
        """For each column of categories the name of what tells whether its value is missing."""
        return {column.name: self._names(f"missing_{number}") for number, column in enumerate(self._columns)}

    # -- what is known ----------------------------------------------------------------------------------------

    def _known(self) -> str:
        row = "ROW_NUMBER() OVER ()" if self.key is None else f"t.{self._name(self.key)}"
        parts = [f"{row} AS {self._row}"]
        for column in self._columns:
            given = f"t.{self._name(column.name)}"
            parts.append(f"{self._cleaned(given, column)} AS {self._name(column.name)}")
            if column.kind != NUMBER:
                parts.append(f"{given} IS NULL AS {self._missing[column.name]}")
        return f"SELECT {(',' + chr(10) + '  ').join(parts)}\nFROM {self._name(self.table)} AS t"

    def _cleaned(self, given: str, column: Column) -> str:
        """A value as the tree knows it, or NULL."""
        if column.quantity:
            return given
        if column.kind == NUMBER:
            number = self.dialect.float.format(given)
            return self._number_of_text(given, column.decimal, number) if column.decimal else number
        return f"CASE WHEN {given} IN ({self._list(column.categories)}) THEN {given} END"

    def _number_of_text(self, given: str, decimal: str, number: str) -> str:
        """The number of a value that may be text as in the file of the training data; without a digit it is missing."""
        dialect = self.dialect
        text = dialect.as_text.format(given)
        signs = "".join(dict.fromkeys("".join(UNITS) + STYLES[decimal].signs))
        plain = text
        if dialect.remove:
            plain = dialect.remove.format(plain, self._text(signs))
        for sign in "" if dialect.remove else signs:
            plain = f"replace({plain}, {self._text(sign)}, '')"
        plain = plain if decimal == "." else f"replace({plain}, {self._text(decimal)}, '.')"
        own = f"CASE WHEN {dialect.has_digit.format(text)} THEN {dialect.cast.format(plain)} END"
        return f"CASE WHEN {dialect.is_text.format(given)} THEN {own} ELSE {number} END"

    # -- the leaf ---------------------------------------------------------------------------------------------

    def _steps(self) -> Iterator[str]:
        """The queries that find the leaf of every row, some levels each."""
        starts = [0]
        step = self._names("known")
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
            after = self._names(f"step_{number}" if ends else "routed")
            name = self._names(f"node_{number}") if ends else self._leaf
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
        name = self._name(split.column.name)
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
            return self._text(text)
        return (self.dialect.moment if " " in text else self.dialect.date).format(text)

    def _is_missing(self, split: Split) -> str:
        if split.column.kind == NUMBER:
            return f"{self._name(split.column.name)} IS NULL"
        return self._missing[split.column.name]

    def _list(self, values: Iterable[Any]) -> str:
        return ", ".join(self._literal(value) for value in values)

    def _literal(self, value: Any) -> str:
        if isinstance(value, bool | np.bool_):
            return "TRUE" if value else "FALSE"
        if isinstance(value, int | float | np.number):
            return number_sql(value.item() if isinstance(value, np.number) else value, self.dialect)
        return self._text(str(value))

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
        rows = [
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
        values = ",\n    ".join(rows)
        node, branch, child, share = map(self._names, ("node", "branch", "child", "share"))
        branches, stuck, routed, ways = map(self._names, ("branches", "stuck", "routed", "ways"))
        weight = self._weight
        yield f"{branches} ({node}, {branch}, {child}, {share}) AS (\n  VALUES {values}\n)"
        yield f"{stuck} AS (\n  SELECT * FROM {routed} WHERE {self._leaf} IS NULL\n)"
        yield f"""{ways} ({self._row}, {node}, {weight}) AS (
  SELECT {self._row}, 0, 1e0 FROM {stuck}
  UNION ALL
  SELECT {ways}.{self._row}, {child}, {weight} * CASE COALESCE(CASE {ways}.{node}
{cases}
    END, -1) WHEN {branch} THEN 1e0 WHEN -1 THEN {share} ELSE 0e0 END
  FROM {ways} JOIN {stuck} ON {ways}.{self._row} = {stuck}.{self._row}
    JOIN {branches} ON {ways}.{node} = {branches}.{node}
  WHERE {weight} > 0
)"""


def _other_than(name: str, key: str) -> str:
    """A name of a column of the result that is not that of the key."""
    return f"_{name}" if name.lower() == key.lower() else name
