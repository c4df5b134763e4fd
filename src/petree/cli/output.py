"""The result of a command, on the screen or in a file."""

from __future__ import annotations

import sys
from pathlib import Path

from petree.words import visible
from petree.writing import write_whole


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
