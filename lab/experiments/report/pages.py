"""A page of results: words, lists, tables and pictures, for the terminal, Markdown and HTML."""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from lab.experiments.report.markup import escape, markdown, markdown_code, markdown_line
from lab.experiments.report.tables import Table
from petree.words import visible
from petree.writing import write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Console
    from rich.text import Text

STYLE = (
    "body{font-family:system-ui,sans-serif;max-width:75em;margin:2em auto;padding:0 1em;line-height:1.5}"
    "table{border-collapse:collapse;margin:1.5em 0;font-size:90%}td,th{padding:.15em .6em;border-bottom:1px solid #ddd}"
    "caption{text-align:left;font-weight:bold;padding:.4em 0}tfoot td{font-size:90%;border:0;max-width:50em}"
    "img{max-width:100%}"
)
# Wider than any table.
WIDTH_OF_FILES = 2000


@dataclass(frozen=True)
class Heading:
    """The head of a part of the page; of level 1 that of a page within a page."""

    text: str
    level: int = 2

    def to_markdown(self) -> str:
        return f"{'#' * self.level} {markdown(self.text)}\n"

    def to_html(self) -> str:
        return f"<h{self.level}>{escape(self.text)}</h{self.level}>\n"

    def to_rich(self) -> Text:
        return _shown(f"\n{visible(self.text)}", style="bold underline")


@dataclass(frozen=True)
class Words:
    """A paragraph; `command` is shown as code at its end."""

    text: str
    command: str = ""

    def to_markdown(self) -> str:
        code = f" {markdown_code(self.command)}" if self.command else ""
        return f"{markdown_line(self.text)}{code}\n"

    def to_html(self) -> str:
        code = f" <code>{escape(self.command)}</code>" if self.command else ""
        return f"<p>{escape(self.text)}{code}</p>\n"

    def to_rich(self) -> Text:
        return _shown(visible(f"{self.text} {self.command}").rstrip())


@dataclass(frozen=True)
class Points:
    """A list of sentences."""

    sentences: Sequence[str]

    def to_markdown(self) -> str:
        return "".join(f"- {markdown_line(sentence)}\n" for sentence in self.sentences)

    def to_html(self) -> str:
        return "<ul>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in self.sentences) + "</ul>\n"

    def to_rich(self) -> Text:
        return _shown("\n".join(f"- {visible(sentence)}" for sentence in self.sentences))


@dataclass(frozen=True)
class Picture:
    """A matplotlib figure that is written beside the page, or a file that is there."""

    name: str
    caption: str
    figure: Figure = field(repr=False)

    def to_markdown(self) -> str:
        return f"![{markdown(self.caption)}]({quote(self.name)})\n"

    def to_html(self) -> str:
        return f'<figure><img src="{escape(quote(self.name))}" alt="{escape(self.caption)}"></figure>\n'

    def to_rich(self) -> Text:
        return _shown(visible(f"{self.caption}: {self.name}"), style="italic")

    def to_png(self) -> bytes:
        file = io.BytesIO()
        self.figure.savefig(file, format="png", dpi=100, metadata={"Software": None})
        return file.getvalue()


Block = Heading | Words | Points | Table | Picture


@dataclass(frozen=True)
class Page:
    """A title and what stands below it."""

    title: str
    blocks: Sequence[Block]

    def to_markdown(self, pictures: str = "") -> str:
        """The page; `pictures` is the folder that they are in, as seen from the page."""
        return f"# {markdown(self.title)}\n\n" + "\n".join(
            _moved(block, pictures).to_markdown() for block in self.blocks
        )

    def to_html(self) -> str:
        body = "".join(block.to_html() for block in self.blocks)
        head = f'<meta charset="utf-8"><title>{escape(self.title)}</title><style>{STYLE}</style>'
        body = f"<h1>{escape(self.title)}</h1>\n{body}"
        return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>{body}</body></html>\n'

    def print(self, console: Console) -> None:
        """Show the page; where it goes to a file, lines are as long as they need to be."""
        if not console.is_terminal:
            console.width = WIDTH_OF_FILES
        for block in self.blocks:
            for part in block.parts(console.width) if isinstance(block, Table) else [block]:
                console.print(part.to_rich(), highlight=False)

    def write(self, folder: Path, name: str) -> list[Path]:
        """Write the page as Markdown and HTML, its tables as CSV and its pictures as PNG; the files."""
        folder.mkdir(parents=True, exist_ok=True)
        contents = {f"{name}.md": self.to_markdown().encode(), f"{name}.html": self.to_html().encode()}
        for block in self.blocks:
            if isinstance(block, Table):
                contents[_free_name(f"{name}-{slug(block.title)}", contents)] = block.to_csv().encode()
            if isinstance(block, Picture):
                contents[block.name] = block.to_png()
        for file, content in contents.items():
            write_whole(folder / file, content, "The page")
        return [folder / file for file in contents]

    def write_markdown(self, path: Path) -> None:
        """Write one Markdown file, with its pictures in a folder of the same name beside it."""
        folder = path.with_suffix("")
        pictures = [block for block in self.blocks if isinstance(block, Picture)]
        if pictures:
            folder.mkdir(parents=True, exist_ok=True)
        for picture in pictures:
            write_whole(folder / picture.name, picture.to_png(), "The picture")
        write_whole(path, self.to_markdown(f"{folder.name}/").encode(), "The page")


def together(title: str, pages: Sequence[Page], front: Sequence[Block] = ()) -> Page:
    """One page of several, each under its title; `front` stands before them."""
    parts = [block for page in pages for block in (Heading(page.title, level=1), *page.blocks)]
    return Page(title, [*front, *parts])


def _shown(text: str, style: str = "") -> Text:
    """A text for the terminal, in which brackets are no markup."""
    from rich.text import Text

    return Text(text, style=style)


def _moved(block: Block, pictures: str) -> Block:
    return replace(block, name=pictures + block.name) if isinstance(block, Picture) else block


def slug(title: str) -> str:
    """A title as part of a file's name."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60].strip("-")


def _free_name(stem: str, taken: Collection[str]) -> str:
    """The first of stem.csv, stem-2.csv, stem-3.csv ... that is not taken."""
    names = (f"{stem}-{number}.csv" for number in count(2))
    return next(name for name in chain([f"{stem}.csv"], names) if name not in taken)


def join(words: Iterable[str]) -> str:
    """Words with commas, and the last with "and"."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
