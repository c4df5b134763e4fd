"""What the commands say beside their results: notes, errors and what is going on."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

import typer


def note(sentence: str) -> None:
    """Say something on the error stream."""
    typer.echo(f"petree: note: {sentence}", err=True)


def explain(error: Exception) -> tuple[str, int]:
    """An error as one line and an exit code."""
    if hasattr(error, "format_message"):  # a mistake in the command line itself, found by typer
        return " ".join(error.format_message().split()), 2
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'system'}: {error.strerror}", 2
    if isinstance(error, (ValueError, TypeError, OSError, ImportError)):
        return " ".join(str(error).split()), 2
    return f"unexpected {type(error).__name__}: {' '.join(str(error).split())} (--debug shows where)", 1


@contextlib.contextmanager
def status(doing: str) -> Iterator[None]:
    """A moving line on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{doing} ..."):
        yield
