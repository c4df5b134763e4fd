"""How things are counted in sentences."""

from __future__ import annotations


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
