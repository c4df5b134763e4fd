"""Prolog files."""

from __future__ import annotations

import gzip
from pathlib import Path

from petree.relational.prolog.clauses import Clause, parse_clauses


def read_clauses(path: str | Path, *, skip_directives: bool = False) -> list[Clause]:
    """The clauses of a file, which may be compressed (.gz)."""
    path = Path(path)
    try:
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except FileNotFoundError:
        raise FileNotFoundError(f"There is no file {path}; give the path of a file with Prolog text.") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return parse_clauses(text, str(path), skip_directives=skip_directives)
