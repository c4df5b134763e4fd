"""What the commands say: their results on the screen or in a file, notes, errors and what is going on."""

from __future__ import annotations

import contextlib
import errno
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import typer

from petree.words import visible
from petree.writing import write_whole

if TYPE_CHECKING:
    from petree.files import FileTable

# What is wrong with the stream that a command prints to.
CANNOT_WRITE = (errno.ENOSPC, errno.EIO, errno.EFBIG)


@runtime_checkable
class UsageMistake(Protocol):
    """What typer raises; it hides of which class, and versions differ."""

    def format_message(self) -> str:
        """What is wrong."""


def say(line: str, err: bool = False) -> None:
    """Print a line, whatever names stand in it."""
    typer.echo(visible(line), err=err)


def note(sentence: str) -> None:
    """Say something on the error stream."""
    say(f"petree: note: {_one_line(sentence)}", err=True)


def note_warning(warning: Warning | str) -> None:
    """Say what a warning says, in the words of the command line."""
    from petree.inputs.identifiers import IdentifierWarning

    note(warning.on_command_line() if isinstance(warning, IdentifierWarning) else str(warning))


def tell(table: FileTable) -> None:
    """Say what was guessed of a table."""
    for sentence in table.notes:
        note(sentence)


def line_and_code(error: Exception) -> tuple[str, int]:
    """An error as one line and an exit code."""
    if isinstance(error, UsageMistake):  # in the command line itself, found by typer
        return _one_line(error.format_message()), 2
    if isinstance(error, OSError) and error.errno in CANNOT_WRITE and error.filename is None:
        return f"The output cannot be written: {error.strerror}; write it elsewhere, or make room.", 1
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'system'}: {error.strerror}", 2
    if isinstance(error, (ValueError, TypeError, OSError, ImportError)):
        return _one_line(str(error)), 2
    return f"unexpected {type(error).__name__}: {_one_line(str(error))} (--debug shows where)", 1


def _one_line(text: str) -> str:
    """A text of several lines as one."""
    return " ".join(text.split())


@contextlib.contextmanager
def status(doing: str) -> Iterator[None]:
    """A moving line on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(visible(f"{doing} ..."))):
        yield


@contextlib.contextmanager
def learning() -> Iterator[None]:
    """On a terminal a bar for each tree that grows, of the examples that have come to a leaf; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from petree.progress import watched_by

    n_trees = 0
    shown = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*shown, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Learning", total=None)

        def show(done: int, total: int) -> None:
            nonlocal n_trees
            n_trees += done == 0
            told = f"Learning tree {n_trees}: examples in leaves"
            progress.update(task, description=told, completed=done, total=total)

        with watched_by(show):
            yield


def can_draw() -> bool:
    """Whether pages can have pictures; where they cannot, a note says what is missing."""
    found = find_spec("matplotlib") is not None
    if not found:
        note("no pictures, since matplotlib is not there; pip install 'petree[plot]' brings it.")
    return found


def put(written: str | bytes, out: Path | None, what: str) -> None:
    """Print a text, or write it to a file if one is named; `what` is what an error calls it.

    Files and pipes get it as it is, since programs read it there; a terminal gets nothing that could move its cursor.
    """
    if out is not None:
        write_whole(out, written if isinstance(written, bytes) else written.encode("utf-8", "surrogatepass"), what)
        return
    if isinstance(written, bytes):
        raise ValueError(f"{what} is no text in this format; name a file to write with --out.")
    is_seen = sys.stdout.isatty()
    sys.stdout.write("\n".join(map(visible, written.split("\n"))) if is_seen else written)
    sys.stdout.flush()


def check_folder(out: Path) -> None:
    """Refuse a folder for results that is something else, before long work begins."""
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out} is not a folder; name another one for the results.")
