"""Related tables that a command names: a database, or a folder of ACE."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from petree.cli.arguments import parts_of

if TYPE_CHECKING:
    from petree.estimators.relational.learner import ExampleLearner
    from petree.relational import Database

PANEL = "Related tables instead of one"
# How `Database.from_url` is told what a database does not say itself.
OF_DATABASES = ("tables", "links", "keys", "time", "leave_out", "in_database")


@dataclass(frozen=True, kw_only=True)
class RelatedOptions:
    """Which related tables are read, and what they do not say themselves."""

    database: Annotated[
        str | None, typer.Option(rich_help_panel=PANEL, help="Address of a database, such as sqlite:///x.db.")
    ] = None
    tables: Annotated[
        list[str] | None,
        typer.Option(rich_help_panel=PANEL, help="Tables or views to read, such as molecule,atom; all unless given."),
    ] = None
    links: Annotated[
        list[str] | None,
        typer.Option(
            rich_help_panel=PANEL,
            help="Which columns point where, such as 'atom.molecule -> molecule.id', instead of the foreign keys that "
            "the database declares; 'bond.atom1 -- bond.atom2' finds rows from either end. May be repeated.",
        ),
    ] = None
    keys: Annotated[
        list[str] | None,
        typer.Option(
            rich_help_panel=PANEL,
            help="What tells rows apart, beside declared keys: molecule.id or 'visit(clinic, day)'; may be repeated.",
        ),
    ] = None
    time: Annotated[
        list[str] | None,
        typer.Option(
            rich_help_panel=PANEL,
            help="Columns that say since when rows are known, such as visit.day,patient.until: an example sees no "
            "later row than its own time.",
        ),
    ] = None
    leave_out: Annotated[
        list[str] | None,
        typer.Option(rich_help_panel=PANEL, help="Columns not to read, such as atom.note; may be repeated."),
    ] = None
    in_database: Annotated[
        bool | None,
        typer.Option(
            "--in-database",
            rich_help_panel=PANEL,
            help="Leave the tables in the database and ask it, for tables that do not fit in memory.",
        ),
    ] = None
    ace: Annotated[Path | None, typer.Option(rich_help_panel=PANEL, help="Folder with facts and settings of ACE.")] = (
        None
    )

    @property
    def source(self) -> str | None:
        """What is read, in the user's words."""
        return self.database or (None if self.ace is None else str(self.ace))

    def is_related(self, data: Path | None) -> bool:
        """Whether related tables are named instead of one table; exactly one thing must be."""
        if sum(source is not None for source in (data, self.database, self.ace)) != 1:
            raise ValueError("Name one thing to read: a table, --database with an address, or --ace with a folder.")
        self.check_options()
        return data is None

    def check_options(self) -> None:
        """Refuse options of a database where none is read."""
        for name in OF_DATABASES:
            if vars(self)[name] is not None and self.database is None:
                raise ValueError(f"--{name.replace('_', '-')} goes with --database; leave it out.")

    def read(self) -> Database:
        """The tables."""
        from petree.relational import Database

        if self.ace is not None:
            return Database.from_ace(self.ace)
        return Database.from_url(
            str(self.database),
            tables=parts_of(self.tables),
            links=parts_of(self.links),
            keys=dict(_places("--keys", self.keys)),
            time=_times(self.time),
            leave_out=parts_of(self.leave_out) or (),
            in_database=bool(self.in_database),
        )


def _places(option: str, texts: list[str] | None) -> list[tuple[str, tuple[str, ...]]]:
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
    """The column of each table that says since when its rows are known."""
    places = _places("--time", texts)
    for table, columns in places:
        if len(columns) > 1:
            raise ValueError(f"--time takes one column of table {table!r}; got {', '.join(columns)}.")
    return {table: columns[0] for table, columns in places}


def model_and_keys(model_file: Path, options: RelatedOptions) -> tuple[ExampleLearner, Database, Any]:
    """A model of related tables, the tables that are named, and the keys of all its examples in them."""
    from petree import load
    from petree.estimators.relational.learner import ExampleLearner

    model = load(model_file)
    if not isinstance(model, ExampleLearner):
        raise ValueError(f"{model_file} holds a tree of one table; name the table to predict.")
    database = options.read()
    model.database = database
    return model, database, database.keys(model.scope_.relations[0])
