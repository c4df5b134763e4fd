"""What all pictures share: where they are drawn, and their colours."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from petree.reading.colours import CLASS_COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE = CLASS_COLOURS[0]
GREY = "#777777"
# How much wider than in print texts are on screens, at most.
HINTED = 1.08
# Of the intervals.
LEVEL = 0.9


def axes_of(axes: Axes | None, size: tuple[float, float]) -> Axes:
    """The axes that were given, or those of a new figure of so many inches."""
    if axes is not None:
        return axes
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("Drawing needs matplotlib: pip install 'petree[plot]'.") from error
    return pyplot.subplots(figsize=size, layout="constrained")[1]


def chosen_class(classes: NDArray[Any], label: Hashable | None) -> tuple[Any, int]:
    """The class to draw, the last one unless one is asked for, and its place."""
    chosen: Any = classes[-1] if label is None else label
    if chosen not in classes:
        raise ValueError(f"There is no class {chosen!r}; the classes are {', '.join(map(str, classes))}.")
    return chosen, int(np.flatnonzero(classes == chosen)[0])


def plain(text: str) -> str:
    """A text in which matplotlib finds no mathematics."""
    return text.replace("$", r"\$")


def text_width(text: str, size: float) -> float:
    """The width of one line of text in matplotlib's usual font, in inches, as screens draw it."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    width, _, _ = text_to_path.get_text_width_height_descent(text, FontProperties(size=size), ismath=False)
    return HINTED * float(width) / 72


def lines_within(text: str, room: float, size: float) -> list[str]:
    """A text as one line, or as two; in so many inches, of more the beginning."""
    if text_width(text, size) <= room:
        return [text]
    words = text.split(" ")
    n_first = 1
    while n_first < len(words) and text_width(" ".join(words[: n_first + 1]), size) <= room:
        n_first += 1
    lines = [" ".join(words[:n_first]), " ".join(words[n_first:])]
    return [_cut_off(line, room, size) for line in lines if line]


def _cut_off(line: str, room: float, size: float) -> str:
    """The beginning of a line that fits, with an ellipsis where something is left out."""
    if text_width(line, size) <= room:
        return line
    n_letters = bisect_right(range(1, len(line)), room, key=lambda n: text_width(f"{line[:n]}…", size))
    return f"{line[:n_letters]}…"
