"""What the commands that write pages of results begin with."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from petree.cli.messages import note


def can_draw() -> bool:
    """Whether pages can have pictures; where they cannot, a note says what is missing."""
    found = find_spec("matplotlib") is not None
    if not found:
        note("no pictures, since matplotlib is not there; pip install 'petree[plot]' brings it.")
    return found


def check_folder(out: Path) -> None:
    """Refuse a folder for results that is something else, before long work begins."""
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out} is not a folder; name another one for the results.")
