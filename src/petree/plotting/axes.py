"""What all pictures share: where they are drawn, and their colours."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from petree.reading.colours import CLASS_COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE = CLASS_COLOURS[0]
GREY = "#777777"
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
