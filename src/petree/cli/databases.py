"""Databases that commands read."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from petree.cli.arguments import OF_TABLES, parts_of, refuse

if TYPE_CHECKING:
    from petree.relational import Database


@dataclass(frozen=True, kw_only=True)
class SchemaOptions:
    """Which tables of a database are read, and what its schema does not declare."""

    tables: Annotated[list[str] | None, typer.Option(help="Tables or views to read, such as molecule,atom (all).")] = (
        None
    )
    links: Annotated[
        list[str] | None,
        typer.Option(
            help="Links between columns, such as 'atom.molecule -> molecule.id' (declared foreign keys); "
            "'bond.atom1 -- bond.atom2' finds rows from either end. Repeatable.",
        ),
    ] = None
    keys: Annotated[
        list[str] | None,
        typer.Option(help="Keys besides declared ones, such as molecule.id or 'visit(clinic, day)'. Repeatable."),
    ] = None
    time: Annotated[
        list[str] | None,
        typer.Option(
            help="Time columns, such as visit.day,patient.until: examples ignore rows later than their own time."
        ),
    ] = None
    leave_out: Annotated[list[str] | None, typer.Option(help="Columns to ignore, such as atom.note. Repeatable.")] = (
        None
    )
    in_database: Annotated[
        bool, typer.Option("--in-database", help="Counting inside the database, for tables larger than memory.")
    ] = False

    def open(self, url: str) -> Database:
        """The tables of a database."""
        from petree.relational import Database

        return Database.from_url(
            url,
            tables=parts_of(self.tables),
            links=parts_of(self.links),
            keys=dict(_columns_by_table("--keys", self.keys)),
            time=_times(self.time),
            leave_out=parts_of(self.leave_out) or (),
            in_database=self.in_database,
        )


@dataclass(frozen=True, kw_only=True)
class DatabaseOptions(SchemaOptions):
    """A database instead of a table."""

    database: Annotated[
        str | None, typer.Option(help="Address of a database instead of a table, such as sqlite:///x.db.")
    ] = None

    def check_source(self, data: Path | None, of_tables: tuple[str, ...] = ()) -> None:
        """Raise unless either a table or a database is given, with the options of that one only."""
        if (data is None) == (self.database is None):
            raise ValueError("Name one source: a table, or --database with an address.")
        self.check_options(of_tables)

    def check_options(self, of_tables: tuple[str, ...] = ()) -> None:
        """Raise for options of a database without one, and for options of a table with a database."""
        if self.database is None:
            refuse(self, [one.name for one in fields(SchemaOptions)], "needs --database; leave it out.")
        else:
            refuse(self, (*of_tables, *OF_TABLES), "is for one table; leave it out with --database.")


def _columns_by_table(option: str, texts: list[str] | None) -> list[tuple[str, tuple[str, ...]]]:
    """Tables and their columns, each table once."""
    from petree.relational.tables.schema import split_place

    places = [split_place(text, ()) for text in parts_of(texts) or ()]
    tables = [table for table, _ in places]
    for table in tables:
        if tables.count(table) > 1:
            raise ValueError(
                f"{option} names table {table!r} twice; several columns of it are like 'visit(clinic, day)'."
            )
    return places


def _times(texts: list[str] | None) -> dict[str, str]:
    """The time column of each table."""
    places = _columns_by_table("--time", texts)
    for table, columns in places:
        if len(columns) > 1:
            raise ValueError(f"--time takes one column of table {table!r}; got {', '.join(columns)}.")
    return {table: columns[0] for table, columns in places}
