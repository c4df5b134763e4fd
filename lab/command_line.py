"""What the commands of the laboratory share: running one function as a command, and checks before long work."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Protocol, runtime_checkable

import typer

from petree.words import visible


@runtime_checkable
class UsageError(Protocol):
    """What typer raises for bad options; it does not export the class."""

    def format_message(self) -> str:
        """What is wrong."""


# More than any machine has cores.
MAX_JOBS = 1000
Processes = Annotated[int, typer.Option("--jobs", max=MAX_JOBS, help="Number of processes (-1: all cores).")]
# scikit-learn and numpy accept seeds up to here.
Seed = Annotated[int, typer.Option("--seed", min=0, max=2**31 - 1, help="Seed of all random numbers.")]


def run(command: Callable[..., None], arguments: Sequence[str] | None = None) -> None:
    """Run a function as a command; bad input becomes one line on stderr and exit code 2."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown")
    app.command()(command)
    try:
        code = app(list(sys.argv[1:] if arguments is None else arguments), standalone_mode=False)
    except Exception as error:
        sentence = _one_line(error)
        if sentence is None:
            raise
        say(f"error: {sentence}", err=True)
        code = 2
    sys.exit(code if isinstance(code, int) else 0)


def _one_line(error: Exception) -> str | None:
    """The sentence of an error that the user can mend; None for any other."""
    if isinstance(error, UsageError):
        return " ".join(error.format_message().split())
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split()) if isinstance(error, (ValueError, TypeError, OSError, ImportError)) else None


def say(line: str, err: bool = False) -> None:
    """Print a line; control characters in names are escaped."""
    typer.echo(visible(line), err=err)


def note(sentence: str) -> None:
    """Print a note on stderr."""
    say(f"note: {sentence}", err=True)


def can_draw() -> bool:
    """Return whether matplotlib is installed; print a note if it is not."""
    is_there = find_spec("matplotlib") is not None
    if not is_there:
        note("pages contain no pictures because matplotlib is not installed; pip install 'petree[plot]' installs it.")
    return is_there


def check_folder(out: Path) -> None:
    """Raise if the folder for results is something else, before long work begins."""
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out} is not a folder; name another one for the results.")
