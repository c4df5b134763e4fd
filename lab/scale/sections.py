"""Sections of a page that a command makes anew, between two lines that stay; all else on the page is kept."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path


@dataclass(frozen=True)
class Section:
    """What stands between the lines of a command."""

    command: str

    @property
    def begin(self) -> str:
        return f"<!-- made by {self.command} -->"

    @property
    def end(self) -> str:
        return f"<!-- end of what {self.command} makes -->"

    def around(self, page: Path) -> tuple[str, str]:
        """What stands before and behind it on a page."""
        before, _, rest = page.read_text(encoding="utf-8").partition(self.begin)
        _, end, after = rest.partition(self.end)
        if not end:
            raise SystemExit(f"{page} has no place for what is found: the lines {self.begin} and {self.end}.")
        return before, after

    def write(self, page: Path, blocks: Sequence[str]) -> None:
        """Put paragraphs and tables in its place on a page."""
        before, after = self.around(page)
        made = f"Made on {date.today().isoformat()} on {os.cpu_count()} cores, not written by hand."
        text = "\n\n".join([made, *blocks])
        page.write_text(f"{before}{self.begin}\n{text}\n\n{self.end}{after}", encoding="utf-8")


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)
