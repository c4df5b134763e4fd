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
    begun = f"{left}{branches}"
    if width is None or width - len(begun) < LEAST or len(begun) + len(text) <= width:
        return [f"{begun}{text}"]
    first, *others = wrap(text, width - len(begun), subsequent_indent=FURTHER, break_on_hyphens=False)
    below = " " * len(left) + branches.replace("|- ", "|  ")
    return [f"{begun}{first}", *(f"{below}{line}" for line in others)]
