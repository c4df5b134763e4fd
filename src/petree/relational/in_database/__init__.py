"""Tables that stay in their database, which is asked for a number an example at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from petree.relational.database import Database


def refuse(database: Database, what: str) -> None:
    """Refuse what needs the rows of all tables, where these stay in their database."""
    if database.server is not None:
        raise ValueError(
            f"{what} needs the rows of all tables, which stay in their database; read them into memory "
            "(Database.from_url without in_database)."
        )
