"""The applications that come with ACE and others, each read once."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from petree.relational import Database
from petree.relational.prolog.ace import read_ace

FOLDER = Path(os.environ.get("PETREE_DATA", "")) / "relational"


@cache
def application(folder: str) -> Database:
    """The database of a folder of the data sets."""
    return read_ace(FOLDER / folder)
