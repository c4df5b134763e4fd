"""How things are counted in sentences, and how names of any characters are shown in them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from shlex import quote
from unicodedata import category

# What joins letters or pictures to one, or keeps them apart: ordinary in Persian, in Indic scripts and in emoji.
_JOINERS = "\u200c\u200d"
# What the texts of tests are made of; names with these in them stand in quotation marks.
_MEANS_SOMETHING = re.compile(r"""[<>={}",|\\]|^$|^\s|\s$|^not\b|\b(and|or|then|is missing|is not missing)\b""")
_NUMBER = re.compile(r"[+-]?(\d[\d_]*\.?\d*|\.\d+)(e[+-]?\d+)?|nan|[+-]?inf(inity)?", re.IGNORECASE)


def counted(number: int, thing: str, things: str = "") -> str:
    """A number of things.

    Examples
    --------
    >>> counted(1, "row"), counted(2, "row"), counted(3, "leaf", "leaves")
    ('1 row', '2 rows', '3 leaves')
    """
    return f"{number} {thing if number == 1 else things or plural(thing)}"


def plural(name: str) -> str:
    """Many of a thing, after the rules of English that need no dictionary."""
    if name.endswith("s"):
        return name
    return f"{name[:-1]}ies" if name.endswith("y") and name[-2:-1] not in "aeiou" else f"{name}s"


def is_plural(name: str) -> bool:
    """Whether a name reads as many of a thing, such as "orders", but not "class", "status" or "axis"."""
    return name.endswith("s") and not name.endswith(("ss", "us", "is"))


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """A hint at the name that is nearest to an unknown one, if any is near; capitals and spaces around do not matter.

    Examples
    --------
    >>> did_you_mean("REPAID", ["income", "repaid "])
    " (did you mean 'repaid '?)"
    """
    plain = {known.strip().lower(): known for known in names}
    close = get_close_matches(name.strip().lower(), plain, 1)
    return f" (did you mean {plain[close[0]]!r}?)" if close else ""


def types_option(name: str, *kinds: str) -> str:
    """How the command line is told what a column holds, ready for a shell.

    Examples
    --------
    >>> types_option("day", "date-dmy", "date-mdy"), types_option("weight (kg)", "nominal")
    ('--types day=date-dmy or day=date-mdy', "--types 'weight (kg)=nominal'")
    """
    return f"--types {' or '.join(quote(f'{name}={kind}') for kind in kinds)}"


def visible(text: str) -> str:
    r"""The text with every character that moves the cursor, turns the reading direction or cannot be seen written out.

    Everything that people read passes through here: terminals, pages, pictures, sentences. Files of data do not.

    Examples
    --------
    >>> print(visible("Größe\t\x1b[31m\u202eabc"))
    Größe\t\x1b[31m\u202eabc
    """
    if text.isprintable():
        return text
    return "".join(map(_written_out, text, f" {text[:-1]}", f"{text[1:]} "))


def named(name: str) -> str:
    r"""A name as it stands in a test or rule: in quotation marks where it could be taken for something else.

    Examples
    --------
    >>> print(named("size (cm)"), named("a < b"), named("rock and roll"), named(""), named("two\nlines"))
    size (cm) "a < b" "rock and roll" "" "two\nlines"
    """
    shown = visible(name)
    if shown == name and not _MEANS_SOMETHING.search(name):
        return name
    return '"' + visible(name.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def valued(value: object) -> str:
    """A category, in quotation marks also where it is text that looks like a number.

    Examples
    --------
    >>> valued("red"), valued(3), valued("3"), valued(2.0)
    ('red', '3', '"3"', '2.0')
    """
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return f'"{value}"'
    return named(str(value))


def _written_out(character: str, before: str, after: str) -> str:
    """A character, or its code as Python writes it; spaces of any width stay, and joiners of what can be joined."""
    if character.isprintable() or category(character) == "Zs":
        return character
    if character in _JOINERS and all(category(one)[0] in "LMS" for one in (before, after)):
        return character
    return repr(character)[1:-1]


def dot_text(text: str) -> str:
    """A text between quotes in Graphviz's language."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def mermaid_text(text: str) -> str:
    """A text in which nothing is markup: Mermaid knows characters by their codes."""
    return "".join(char if char.isalnum() or char in " .,=+-_/" else f"#{ord(char)};" for char in text)
