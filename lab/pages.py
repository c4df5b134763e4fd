"""The pages of the benchmarks: how they were made, what was found in words, and the tables."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from rich.console import Console

from lab.experiments.report.pages import Block, Heading, Page, Picture, Points, Words

# Lists of sentences under their titles; those without any are left out.
Parts = Sequence[tuple[str, Sequence[object]]]


def page_of(title: str, command: str, how: str, parts: Parts, shown: Sequence[Block]) -> Page:
    """The page of a run: `how` tells what was done, `shown` are the tables, and pictures before them."""
    made = Words(f"Made on {date.today().isoformat()}, not written by hand, by", command)
    told = [Words(how)] if how else []
    lists = [(Heading(name, level=3), Points([str(line) for line in lines])) for name, lines in parts if lines]
    words = [block for pair in lists for block in pair]
    return Page(title, [made, *told, Heading("In words"), *words, Heading("Tables"), *shown])


def show(page: Page, path: Path | None, kept: str = "") -> None:
    """Print a page, and write it as Markdown where there is a place for it; pictures stand beside it.

    A section with the heading `kept` at the end of what is there stays: another benchmark writes it.
    """
    page.print(Console())
    if path is not None:
        before = path.read_text(encoding="utf-8") if kept and path.exists() else ""
        section = "".join(before.partition(kept)[1:]) if before else ""
        text = page.to_markdown()
        path.write_text(f"{text.rstrip()}\n\n{section}" if section else text, encoding="utf-8")
        for picture in (block for block in page.blocks if isinstance(block, Picture)):
            (path.parent / picture.name).write_bytes(picture.to_png())
