"""Files written for a test, and tables in a form that can be compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from petree.files import FileTable


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def plain(table: FileTable) -> dict[str, list[Any]]:
    """The table as lists, with None for every missing value."""
    return {
        name: [None if value != value else value for value in values.tolist()]
        for name, values in zip(table.names, table.columns, strict=True)
    }
