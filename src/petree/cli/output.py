"""The result of a command, on the screen or in a file."""

from __future__ import annotations

from pathlib import Path

import typer

from petree.writing import write_whole


def put(text: str, out: Path | None, what: str) -> None:
    """Print a text, or write it to a file if one is named; `what` is what an error calls it."""
    if out is None:
        typer.echo(text, nl=False)
    else:
        write_whole(out, text.encode(), what)
