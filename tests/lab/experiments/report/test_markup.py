"""What users name is text on pages and in pictures, whatever it looks like."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from lab.experiments.report.figures import critical_difference, learning_curve, panels, reliability
from lab.experiments.report.markup import escape, markdown, markdown_code, markdown_line
from lab.experiments.report.pages import Block, Heading, Page, Picture, Points, Words
from lab.experiments.report.tables import Table

NASTY = "<script>x</script>|`c`[a](http://b)\n# h\x1b[2J\u202e"
BLOCKS: list[Block] = [
    Words(NASTY, NASTY),
    Heading(NASTY),
    Points([NASTY]),
    Table(NASTY, (NASTY, NASTY), [(NASTY, NASTY)], NASTY),
]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("p < 0.05 & <3 a_b 3-fold", "p < 0.05 & <3 a_b 3-fold"),
        ("<script>", "&lt;script>"),
        ("</b><!--<?x", "&lt;/b>&lt;!--&lt;?x"),
        ("&lt;&#60;", "&amp;lt;&amp;#60;"),
        ("a|b\\|c", r"a\|b\\\|c"),
        ("[a](http://b)", r"\[a\](http://b)"),
        ("*a* _b_ `c` ~d~", r"\*a\* \_b\_ \`c\` \~d\~"),
        ("a\nb", r"a\\nb"),
        ("costs $5 or $x^2$", r"costs \$5 or \$x^2\$"),
    ],
)
def test_markdown(text: str, written: str) -> None:
    assert markdown(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("# a", r"\# a"),
        ("- a", r"\- a"),
        ("> a", r"\> a"),
        ("1. a", r"1\. a"),
        ("0.5 a", "0.5 a"),
        ("3-fold", "3-fold"),
    ],
)
def test_the_beginning_of_a_line_of_markdown(text: str, written: str) -> None:
    assert markdown_line(text) == written


@pytest.mark.parametrize(("text", "written"), [("a", "`a`"), ("a`b", "``a`b``"), ("`` `", "``` `` ` ```")])
def test_code_in_markdown(text: str, written: str) -> None:
    assert markdown_code(text) == written


def test_html() -> None:
    assert escape('<a b="c">\x1b') == "&lt;a b=&quot;c&quot;&gt;\\x1b"


def test_a_page_of_markdown_has_no_line_and_no_mark_of_a_name() -> None:
    plain = Page("x", [Words("x", "x"), Heading("x"), Points(["x"]), Table("x", ("x", "x"), [("x", "x")], "x")])
    lines = Page(NASTY, BLOCKS).to_markdown().split("\n")
    assert len(lines) == len(plain.to_markdown().split("\n"))
    assert all(line.isprintable() for line in lines)
    body = "\n".join(line.partition("``<script>")[0] for line in lines)
    for mark in ("<script>", "`c`", "[a]", "</script>|"):
        assert body.count(mark) == 0


def test_a_page_of_html_has_no_character_that_cannot_be_seen() -> None:
    assert all(line.isprintable() for line in Page(NASTY, BLOCKS).to_html().split("\n"))


def test_the_same_page_on_a_terminal() -> None:
    console = Console(file=io.StringIO(), width=300, force_terminal=True, color_system=None)
    Page(NASTY, [*BLOCKS, Picture("a.png", NASTY, None)]).print(console)
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    assert shown.count(r"# h\x1b[2J\u202e") == 11
    assert "\u202e" not in shown
    assert "\x1b[2J" not in shown


def test_pictures_lie_in_folders_of_any_name() -> None:
    page = Page("x", [Picture("a.png", "a", None)])
    assert "![a](my%20%28page%29/a.png)" in page.to_markdown("my (page)/")


@pytest.mark.parametrize("name", ["$\\frac{$", r"\$a$b", "_hidden", "a\x1b\nb"])
def test_names_in_pictures_are_no_mathematics(name: str) -> None:
    pytest.importorskip("matplotlib")
    figures = [
        critical_difference({name: 1.2, "b": 2.1}, 1.0),
        learning_curve([10, 20], {name: [0.5, 0.75]}, name),
        panels([3, 23], {name: {name: [20, 19]}}, name),
        reliability({name: ([0.5], [0.5], [1.0])}),
    ]
    shown = name.replace("\x1b", r"\x1b").replace("\n", r"\n")
    for figure in figures:
        figure.savefig(io.BytesIO())
        assert any(shown in text for text in _drawn_texts(figure))


def _drawn_texts(figure: object) -> list[str]:
    """All texts as matplotlib draws them; mathematics stays as it is written."""
    from matplotlib.text import Text

    texts = figure.findobj(Text)  # type: ignore[attr-defined]
    return [drawn for text in texts for drawn, is_math in [text._preprocess_math(text.get_text())] if not is_math]
