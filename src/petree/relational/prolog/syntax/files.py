"""Prolog files."""

from __future__ import annotations

import codecs
from pathlib import Path

from petree.relational.prolog.syntax.clauses import Clause, parse_clauses
from petree.unpacking import open_bytes

OF_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_clauses(path: str | Path, *, skip_directives: bool = False) -> list[Clause]:
    """The clauses of a file, which may be compressed (.gz)."""
    path = Path(path)
    try:
        with open_bytes(path) as stream:
            raw = stream.read()
    except FileNotFoundError:
        raise FileNotFoundError(f"There is no file {path}; give the path of a file with Prolog text.") from None
    if raw.startswith(OF_UTF_16) or b"\0" in raw:
        raise ValueError(f"{path} is binary or UTF-16; give a file of Prolog text, saved as UTF-8.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return parse_clauses(text, str(path), skip_directives=skip_directives)
