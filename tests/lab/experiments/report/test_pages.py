"""The same page as Markdown, as HTML, on the terminal and in files."""

from __future__ import annotations

import io
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from rich.console import Console

from lab.experiments.report.figures import learning_curve
from lab.experiments.report.pages import Heading, Page, Picture, Points, Words, join, slug
from lab.experiments.report.tables import Table

NASTY = '<b onclick="x">&amp; "quoted"'


def curve() -> Any:
    return learning_curve([10, 20], {"rand": [0.5, 0.75]}, "AUC")


def small_page() -> Page:
    return Page(
        "Results",
        [
            Words("Made by", "python -m lab.compare a.csv"),
            Words("No command."),
            Heading("In words"),
            Points(["One is best.", "Two is not."]),
            Table("AUC", ("data set", "one"), [("iris", "0.98")], "Higher is better."),
            Picture("ranks.png", "Average ranks", curve()),
        ],
    )


class Reader(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_markdown() -> None:
    assert small_page().to_markdown() == (
        "# Results\n\n"
        "Made by `python -m lab.compare a.csv`\n\n"
        "No command.\n\n"
        "## In words\n\n"
        "- One is best.\n- Two is not.\n\n"
        "### AUC\n\n| data set | one |\n| --- | ---: |\n| iris | 0.98 |\n\nHigher is better.\n\n"
        "![Average ranks](ranks.png)\n"
    )


def test_html_has_the_same_words() -> None:
    reader = Reader(small_page().to_html())
    tags = [tag for tag, _ in reader.tags]
    assert [tag for tag in tags if tag in ("h1", "p", "h2", "ul", "table", "figure")] == [
        *("h1", "p", "p", "h2", "ul", "table", "figure")
    ]
    assert tags.count("li") == 2
    assert ("img", {"src": "ranks.png", "alt": "Average ranks"}) in reader.tags
    for text in ("Results", "python -m lab.compare a.csv", "No command.", "In words", "One is best.", "0.98"):
        assert text in reader.texts


def test_what_is_shown_in_html_is_text() -> None:
    table = Table(NASTY, (NASTY, NASTY), [(NASTY, NASTY)], NASTY)
    blocks = [Words(NASTY, NASTY), Heading(NASTY), Points([NASTY]), table, Picture(NASTY, NASTY, None)]
    plain = Page("x", [Words("x", "x"), Heading("x"), Points(["x"]), Table("x", ("x", "x"), [("x", "x")], "x")])
    reader = Reader(Page(NASTY, blocks).to_html())
    assert [tag for tag, _ in reader.tags if tag not in ("figure", "img")] == [
        tag for tag, _ in Reader(plain.to_html()).tags
    ]
    assert dict(reader.tags)["img"] == {"src": quote(NASTY), "alt": NASTY}
    # title, first heading, paragraph, code, second heading, point, caption, two heads, two cells, foot
    assert [text.strip() for text in reader.texts].count(NASTY) == 12


def test_files(tmp_path: Path) -> None:
    page = small_page()
    files = page.write(tmp_path / "new" / "folder", "results")
    folder = tmp_path / "new" / "folder"
    assert files == [folder / name for name in ("results.md", "results.html", "results-auc.csv", "ranks.png")]
    assert sorted(folder.iterdir()) == sorted(files)
    assert (folder / "results.md").read_text(encoding="utf-8") == page.to_markdown()
    assert (folder / "results.html").read_text(encoding="utf-8") == page.to_html()
    assert (folder / "results-auc.csv").read_text(encoding="utf-8") == "data set,one\niris,0.98\n"
    assert (folder / "ranks.png").read_bytes().startswith(b"\x89PNG")


def test_a_page_written_twice_is_the_same(tmp_path: Path) -> None:
    before = [path.read_bytes() for path in small_page().write(tmp_path, "results")]
    assert [path.read_bytes() for path in small_page().write(tmp_path, "results")] == before


def test_names_of_tables_do_not_collide(tmp_path: Path) -> None:
    titles = ["Area: a+b", "Area: a-b", "area a b", "表", "图", "long " * 20 + "one", "long " * 20 + "two"]
    page = Page("Results", [Table(title, ("is",), [(title,)]) for title in titles])
    files = page.write(tmp_path, "all")[2:]
    assert len(set(files)) == len(titles)
    assert [path.name for path in files[:3]] == ["all-area-a-b.csv", "all-area-a-b-2.csv", "all-area-a-b-3.csv"]
    assert [path.read_text(encoding="utf-8").split("\n")[1].strip('"') for path in files] == titles


def test_a_folder_that_cannot_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        small_page().write(tmp_path / "file", "results")


def test_terminal_and_file() -> None:
    wide = Table("Wide", ["data set", *"abcdefgh"], [["a long name", *["0.123456"] * 8]])
    page = Page("Results", [Words("so " * 60, "petree"), Heading("[bold]"), Points(["[red] is text"]), wide])
    lines = printed(page, Console(file=io.StringIO(), width=80))
    assert f"{'so ' * 60} petree" in lines
    assert "[bold]" in lines
    assert "- [red] is text" in lines
    assert "a long name 0.123456" in " ".join(lines[-1].split()) or "a long name" in lines[-2]
    assert " ".join(lines).count("0.123456") == 8
    terminal = Console(file=io.StringIO(), width=80, force_terminal=True, color_system=None)
    shown = printed(page, terminal)
    assert max(map(len, shown)) <= 80
    assert " ".join(shown).count("0.123456") == 8


def printed(page: Page, console: Console) -> list[str]:
    page.print(console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def test_pictures_are_named_on_the_terminal() -> None:
    lines = printed(Page("", [Picture("ranks.png", "Average ranks", None)]), Console(file=io.StringIO()))
    assert lines == ["Average ranks: ranks.png"]


def test_words_joined() -> None:
    assert join(["one"]) == "one"
    assert join(["one", "two"]) == "one and two"
    assert join(iter(["one", "two", "three"])) == "one, two and three"


def test_slugs() -> None:
    assert slug("Log likelihood, bits a case") == "log-likelihood-bits-a-case"
    assert slug(" (AUC) ") == "auc"
    assert len(slug("word " * 30)) <= 60
    assert not slug("x" * 59 + " y").endswith("-")
