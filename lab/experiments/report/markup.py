"""Words of any characters as Markdown, as HTML and in pictures: what users name is text there, never markup."""

from __future__ import annotations

import html
import re

from petree.words import visible

# Whatever begins code, stress, a link, a cell, mathematics, a tag or an entity; an underscore between letters does not.
_MARKS = re.compile(r"[\\`*\[\]|~$]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<!\w)_|_(?!\w)")
# Not every reader of Markdown takes a backslash before these.
_ENTITIES = {"<": "&lt;", "&": "&amp;"}
# What begins a heading, a list or a quotation where it stands first.
_FIRST_MARKS = re.compile(r"^(\d+)(?=[.)]\s)|^(?=[#>+-])")


def markdown(text: str) -> str:
    r"""A text on one line of Markdown.

    Examples
    --------
    >>> print(markdown("<b>a|b</b> p < 0.05, [click](http://x)"))
    &lt;b>a\|b&lt;/b> p < 0.05, \[click\](http://x)
    """
    return _MARKS.sub(lambda mark: _ENTITIES.get(mark[0], f"\\{mark[0]}"), visible(text))


def markdown_line(text: str) -> str:
    """A text that begins a line of Markdown."""
    return _FIRST_MARKS.sub(r"\1\\", markdown(text))


def markdown_code(text: str) -> str:
    """A text as code in Markdown: between more backticks than stand in it."""
    shown = visible(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    space = " " if shown[:1] == "`" or shown[-1:] == "`" else ""
    return f"{fence}{space}{shown}{space}{fence}"


def escape(text: str) -> str:
    """A text in HTML, also between quotes."""
    return html.escape(visible(text))


def picture_text(text: str) -> str:
    """A text in a picture of matplotlib, where dollars would begin mathematics."""
    return visible(text).replace("$", r"\$")
