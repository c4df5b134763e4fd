"""The commands under one name, and what happens when one of them fails."""

from __future__ import annotations

import io
import signal
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from petree.cli.export import export
from petree.cli.fit import fit, fit_database
from petree.cli.messages import line_and_code, note_warning, say
from petree.cli.predict import predict
from petree.cli.report import report
from petree.cli.show import show

# Asked to end, and the terminal is gone; the second one Windows does not know.
ENDING = [signal.Signals[name] for name in ("SIGTERM", "SIGHUP") if name in signal.Signals.__members__]


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """A block that is left when the system asks the process to end, so that nothing half done stays behind."""
    if current_thread() is not main_thread():
        yield
        return
    # One that is ignored stays so: nohup means that work goes on without the terminal.
    taken = {one: signal.getsignal(one) for one in ENDING if signal.getsignal(one) is signal.SIG_DFL}
    for one in taken:
        signal.signal(one, _leave)
    try:
        yield
    finally:
        for one, before in taken.items():
            signal.signal(one, before)


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    sys.exit(128 + number)


def demo() -> None:
    """Learn two small trees, print and measure them; needs no file and no network.

    Example:

    `petree demo`
    """
    from petree.demo import run

    run()


def _with_flags(params: list[Any]) -> list[Any]:
    """The parameters, of which help lists flags without the type of a value."""
    for option in params:
        if isinstance(option, TyperOption) and option.is_flag:
            option.metavar = ""
    return params


class Command(TyperCommand):
    """A command whose flags are listed as flags."""

    def get_params(self, context: Any) -> list[Any]:
        return _with_flags(super().get_params(context))


class Commands(TyperGroup):
    """All commands; their own flags are listed as flags, too."""

    def get_params(self, context: Any) -> list[Any]:
        return _with_flags(super().get_params(context))


app = typer.Typer(cls=Commands, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown")
for command in (fit, fit_database, predict, show, report, export, demo):
    app.command(cls=Command)(command)


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        from petree import __version__

        typer.echo(f"petree {__version__}")
        raise typer.Exit()


@app.callback(invoke_without_command=True)
def petree(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Decision trees whose class probabilities can be trusted.

    Begin with `petree demo`, or with a table of your own:

    `petree fit data.csv --target class --out model.json`

    An error is one line; add `--debug` anywhere to see where it arose.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; every error becomes one line and an exit code (2: bad input, 1: anything else)."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.isatty():
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal of few characters shows the codes of others
    try:
        with warnings.catch_warnings(), ended_by_signals():
            warnings.simplefilter("always", UserWarning)
            warnings.showwarning = lambda message, *_, **__: note_warning(message)
            code = app([word for word in given if word != "--debug"], prog_name="petree", standalone_mode=False)
    except Exception as error:
        if "--debug" in given:
            for line in traceback.format_exc().rstrip("\n").split("\n"):
                say(line, err=True)
        sentence, code = line_and_code(error)
        say(f"petree: {sentence}", err=True)
    sys.exit(code if isinstance(code, int) else 0)
