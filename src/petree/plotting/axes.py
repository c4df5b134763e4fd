"""What all pictures share: where they are drawn, and their colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from petree.reading.colours import CLASS_COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE = CLASS_COLOURS[0]
GREY = "#777777"


def axes_of(axes: Axes | None, size: tuple[float, float]) -> Axes:
    """The axes that were given, or those of a new figure of so many inches."""
    if axes is not None:
        return axes
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("Drawing needs matplotlib: pip install 'petree[plot]'.") from error
    return pyplot.subplots(figsize=size, layout="constrained")[1]


def plain(text: str) -> str:
    """A text in which matplotlib finds no mathematics."""
    return text.replace("$", r"\$")
