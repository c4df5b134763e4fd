"""What all pictures share: where they are drawn, and their colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, which colour-blind people tell apart.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999")
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
