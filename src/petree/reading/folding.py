"""Lines of a tree that are longer than the screen is wide."""

from __future__ import annotations

from textwrap import wrap

# A line that goes on below begins so much further right than it began itself.
FURTHER = "  "
# Where fewer characters are left beside numbers and branches, folding would make columns of single words.
LEAST = 16


def folded(left: str, branches: str, text: str, width: int | None) -> list[str]:
    """The lines of a node: what does not fit goes on below, behind the branches that go on there too.

    Parameters
    ----------
    left : str
        The numbers beside the node.
    branches : str
        What stands before its text, such as ``|  |- ``.
    width : int or None
        Characters in a line; None for as many as it takes.

    Examples
    --------
    >>> print(*folded("12  0.25  ", "|  |- ", "income of the last month >= 3100: P(yes)=0.6", 40), sep="\\n")
    12  0.25  |  |- income of the last month
              |  |    >= 3100: P(yes)=0.6
    """
    room = 0 if width is None else width - len(left) - len(branches) - len(FURTHER)
    if width is None or room < LEAST or len(left) + len(branches) + len(text) <= width:
        return [f"{left}{branches}{text}"]
    first, *others = wrap(f"{FURTHER}{text}", room + len(FURTHER), subsequent_indent=FURTHER, break_on_hyphens=False)
    below = " " * len(left) + branches.replace("|- ", "|  ")
    return [f"{left}{branches}{first.removeprefix(FURTHER)}", *(f"{below}{line}" for line in others)]
