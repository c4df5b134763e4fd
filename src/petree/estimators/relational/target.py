"""Which table has the examples, and which column their classes."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from petree.columns import Column
from petree.files.how import DATE
from petree.files.moments import AmbiguousError, read_moments
from petree.inputs import Table
from petree.inputs.target import check_no_amounts
from petree.inputs.types import TableLike
from petree.relational.bias.identifiers import identifiers
from petree.relational.database import Database
from petree.relational.relations import NOMINAL, Relation
from petree.relational.tables.lookups import label_values
from petree.relational.tables.schema import place_text, table_and_column
from petree.words import visible


def read_target(target: str | None, database: Database) -> tuple[str, str | None]:
    """The table of the examples, and the column of the class where a table has it."""
    target = target or database.target
    if target is None:
        raise ValueError("The 'target' parameter must name the table of the examples, like 'molecule.class'.")
    if not isinstance(target, str):
        raise TypeError(f"The 'target' parameter must be text like 'molecule.class', got {target!r}.")
    table, column = table_and_column(target, database.relations)
    if target in database.relations:
        return target, None
    if not column:
        raise ValueError(f"The target {target!r} is no table of the database; {_places(target, database)}")
    _check_class(table, column, database)
    return table, column


def _places(column: str, database: Database) -> str:
    """How to write a target, with the tables that have a column of its name, or else all."""
    found = [place_text(name, (column,)) for name, one in database.relations.items() if column in one.names]
    if found:
        return f"write it as 'table.column', here {' or '.join(map(repr, found))}."
    return f"write it as 'table.column', with one of the tables {', '.join(map(visible, database.relations))}."


def _check_class(table: str, column: str, database: Database) -> None:
    """Refuse a column as the class that tells the rows of its table apart."""
    relation = database.relation(table)
    if column in relation.names and (relation.place(column),) in relation.keys:
        raise ValueError(
            f"The target {place_text(table, (column,))!r} is a key of its table: each row has another value, so that "
            "it cannot be the class; name the column that has the classes."
        )


def without_class(database: Database, target: str) -> Database:
    """A database as the tests see it, without the class, which new examples need not have."""
    table, column = table_and_column(target, database.relations)
    has_class = table in database.relations and any(one.name == column for one in database.relation(table).columns)
    return database.hiding(table, column) if has_class else database


def read_labels(database: Database, target: str | None, keys: TableLike) -> NDArray[Any]:
    """The classes of some examples, which stand in the database."""
    table, column = read_target(target, database)
    if column is None:
        known = ", ".join(map(visible, database.relation(table).names))
        raise ValueError(
            f"Without y the target must name the column of the classes, such as {f'{table}.class'!r}; table {table!r} "
            f"has the columns {known}."
        )
    examples = database.examples(table)
    if examples.columns[examples.place(column)].is_date:
        raise ValueError(
            f"The target {place_text(table, (column,))!r} holds dates, but classes are text, numbers or booleans; make "
            "classes of them, such as their months, or pass them as text if each of them is a class."
        )
    rows = database.rows(table, keys)
    labels = label_values(examples, column, rows)
    check_no_amounts(f"{table}.{column}", labels, lambda place: f"row {rows[place]}")
    return labels


def known_by_key(database: Database, table: str, rows: NDArray[np.intp]) -> Table:
    """Examples as a table of the places that their keys have by their texts: where a row stands does not matter."""
    keys = database.keys(table)
    texts = np.array([str(keys[row]) for row in rows.tolist()], dtype=object)
    places = np.unique(texts, return_inverse=True)[1].astype(np.float64)
    return Table((Column("key"),), (places,), len(places))


def warn_of_class(database: Database, table: str, rows: NDArray[np.intp], classes: NDArray[np.intp]) -> None:
    """Name a column of the examples that tells their classes outright, where the target names none."""
    for column in database.examples(table).columns:
        codes = column.codes[rows]
        pairs = np.unique(np.column_stack((codes, classes)), axis=0)
        is_same = len(pairs) == len(np.unique(codes)) == len(np.unique(classes))
        if column.kind == NOMINAL and is_same:
            warnings.warn(
                f"Column {column.name!r} of table {table!r} tells the classes outright, and tests may ask for it; if "
                f"it is the class, hide it with target={f'{table}.{column.name}'!r}.",
                stacklevel=5,
            )


def warn_of_no_links(database: Database, table: str) -> None:
    """Say that tests cannot leave the table of the examples, where there are others."""
    if len(database.relations) > 1 and not database.foreign_keys:
        warnings.warn(
            f"No table is linked, so that only columns of {table!r} can be asked for; name links=, as where DuckDB "
            "has lost foreign keys, or declare a bias.",
            stacklevel=7,
        )


def check_times(database: Database, table: str) -> None:
    """Refuse times of rows that are compared with nothing, since the examples have none."""
    timed = [one for name, one in database.relations.items() if one.time is not None and name != table]
    if timed and database.relation(table).time is None:
        listed = _listed((one.name, one.columns[cast("int", one.time)].name) for one in timed)
        raise ValueError(
            f"The time of {listed} hides no rows, because the examples in table {visible(table)!r} have no time. Name "
            f"the column of {visible(table)!r} that holds the time of each example in time= (--time), or add one with "
            "a constant date, so that tests see no later rows. To use all rows, leave out time=."
        )


def warn_about_unreached(tables: Mapping[str, str]) -> None:
    """Name the tables that no single test reaches, each with what makes tests reach it."""
    if tables:
        listed = "; ".join(f"table {visible(name)}: {remedy}" for name, remedy in tables.items())
        warnings.warn(
            f"No single test reaches some of the linked tables. To include them - {listed}.",
            stacklevel=7,
        )


def warn_of_identifiers(database: Database, table: str) -> None:
    """Name the columns that are not asked for because they only name rows, and those of them that may be dates."""
    found = identifiers(database, table)
    if not found:
        return
    dates = [(name, column) for name, column in found if _may_be_dates(database.relation(name), column)]
    hint = (
        f" The text of {_listed(dates)} looks like dates: pass them as dates (as pandas.to_datetime makes them, or "
        "petree.read of a file), and tests compare them."
    )
    warnings.warn(
        f"{_listed(found)}: every row has another value, so that it names rows and is not asked for; name it in keys= "
        f"or in leave_out=, or declare a bias that asks for it.{hint if dates else ''}",
        stacklevel=7,
    )


def _listed(places: Iterable[tuple[str, str]]) -> str:
    return ", ".join(visible(place_text(name, (column,))) for name, column in places)


def _may_be_dates(relation: Relation, name: str) -> bool:
    """Whether all values of a column are texts of dates, in whatever order day and month stand."""
    column = relation.columns[relation.place(name)]
    if column.kind != NOMINAL:
        return False
    try:
        return read_moments(list(map(str, column.domain.values)), DATE) is not None
    except AmbiguousError:
        return True
