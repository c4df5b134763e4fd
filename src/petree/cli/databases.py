"""Related tables that a command names: a database, or a folder of ACE."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from petree.estimators.relational.learner import ExampleLearner


def is_relational(data: Path | None, url: str | None, ace: Path | None) -> bool:
    """Whether related tables are named instead of one table; exactly one of the three must be."""
    if sum(source is not None for source in (data, url, ace)) != 1:
        raise ValueError("Name one thing to read: a table, --database with an address, or --ace with a folder.")
    return data is None


def read_database(url: str | None, ace: Path | None) -> Any:
    """The tables behind an address, or in a folder of ACE."""
    from petree.relational import Database
    from petree.relational.prolog.ace import read_ace

    return read_ace(ace) if ace is not None else Database.from_url(str(url))


def model_and_keys(model_file: Path, url: str | None, ace: Path | None) -> tuple[ExampleLearner, Any, Any]:
    """A model of related tables, the tables that are named, and the keys of all its examples in them."""
    from petree import load
    from petree.estimators.relational.learner import ExampleLearner

    model = load(model_file)
    if not isinstance(model, ExampleLearner):
        raise ValueError(f"{model_file} holds a tree of one table; name the table to predict.")
    database = read_database(url, ace)
    model.database = database
    return model, database, database.keys(model.scope_.relations[0])
