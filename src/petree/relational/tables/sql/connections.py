"""Connections to database servers, and their refusals in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

# What names a database.
Address = str | sa.URL | sa.Engine
# Databases that are files, and that would be made anew by opening a name that is wrong.
FILES = ("sqlite", "duckdb")
# What brings those that SQLAlchemy does not know by itself.
PACKAGES = {"duckdb": "duckdb-engine"}


@contextmanager
def connect(source: Address, is_new: bool = False) -> Iterator[sa.Connection]:
    """A connection to the database of a URL or an engine; what goes wrong there is told in a sentence."""
    engine = source if isinstance(source, sa.Engine) else engine_of(source, is_new)
    try:
        with told_in_a_sentence(engine), engine.begin() as connection:
            yield connection
    finally:
        if engine is not source:
            engine.dispose()


@contextmanager
def told_in_a_sentence(engine: sa.Engine) -> Iterator[None]:
    """Whatever a database refuses becomes a sentence with its address."""
    try:
        yield
    except sa.exc.DBAPIError as error:
        raise ValueError(f"The database {_shown(engine.url)} refused: {_first_line(error.orig)}.") from error
    except (sa.exc.SQLAlchemyError, ArithmeticError, UnicodeError) as error:  # such as numbers beyond 64 bits
        raise ValueError(f"The database {_shown(engine.url)} cannot be used: {_first_line(error)}.") from error


def engine_of(url: str | sa.URL, is_new: bool = False) -> sa.Engine:
    """The engine of a URL; a file must be there already unless it is to be made."""
    try:
        made = sa.make_url(url)
        engine = sa.create_engine(made)
    except sa.exc.ArgumentError as error:
        _name_package(url, error)
        raise ValueError(
            f"{url!r} is no address of a database that SQLAlchemy knows; write it like 'sqlite:///file.db' or "
            "'postgresql+psycopg://user@host/name'."
        ) from error
    except ImportError as error:
        needed = f"the Python package {error.name!r}" if error.name else "a Python package that is not there"
        raise ImportError(f"The database {_shown(made)} needs {needed}; install it ({_first_line(error)}).") from error
    is_file = made.get_backend_name() in FILES and made.database not in (None, "", ":memory:")
    if is_file and not is_new and not str(made.database).startswith("file:") and not Path(str(made.database)).exists():
        raise ValueError(f"There is no database file {made.database!r}; check the address {_shown(made)}.")
    return engine


def _name_package(url: str | sa.URL, error: sa.exc.ArgumentError) -> None:
    """Raise an error that names what to install, where SQLAlchemy knows a kind of database by another package."""
    kind = str(url).partition(":")[0].partition("+")[0]
    if isinstance(error, sa.exc.NoSuchModuleError) and kind in PACKAGES:
        package = PACKAGES[kind]
        raise ImportError(
            f"A database of {kind} needs the Python package {package!r}: pip install {package}."
        ) from error


def _shown(url: sa.URL) -> str:
    return repr(url.render_as_string(hide_password=True))


def _first_line(error: BaseException | None) -> str:
    return (str(error).strip().splitlines() or ["no reason given"])[0].rstrip(".")


def always_quoted(name: str) -> str:
    """A name that is quoted in all statements, since servers have more words of their own than SQLAlchemy knows."""
    return sa.quoted_name(name, quote=True)
