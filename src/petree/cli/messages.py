"""Output of the commands: results on the screen or in a file, notes and errors."""

from __future__ import annotations

import errno
import sys
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
    """Print a warning as a note."""
    from petree.inputs.identifiers import IdentifierWarning

    note(warning.on_command_line() if isinstance(warning, IdentifierWarning) else str(warning))


def tell(table: FileTable) -> None:
    """Say what was guessed of a table."""
    for sentence in table.notes:
        note(sentence)


def line_and_code(error: Exception) -> tuple[str, int]:
    """An error as one line and an exit code."""
    if isinstance(error, UsageMistake):  # in the command line itself, found by typer
        return _without_validator(_one_line(error.format_message())), 2
    from petree.partitions import PartitionError

    if isinstance(error, OSError) and error.errno in CANNOT_WRITE and error.filename is None:
        return f"The output cannot be written: {error.strerror}; write it elsewhere, or make room.", 1
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'system'}: {error.strerror}", 2
    if isinstance(error, (ValueError, TypeError, OSError, ImportError, PartitionError)):
        return _one_line(str(error)), 2
    return f"unexpected {type(error).__name__}: {_one_line(str(error))} (--debug shows where)", 1


def _without_validator(sentence: str) -> str:
    """The sentence of a usage mistake without the words of the package that validates values for typer.

    Examples
    --------
    >>> _without_validator("Invalid value for '--to': Value error, 'x' is not one of 'sql', 'onnx'.")
    "Invalid value for '--to': 'x' is not one of 'sql', 'onnx'."
    >>> _without_validator("Invalid value for '--row': Input should be greater than or equal to 1")
    "Invalid value for '--row': it must be greater than or equal to 1"
    """
    return sentence.replace(": Value error, ", ": ", 1).replace(": Input should be ", ": it must be ", 1)


def _one_line(text: str) -> str:
    """A text of several lines as one."""
    return " ".join(text.split())


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
