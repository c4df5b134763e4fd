"""The colours of classes, the same in all that shows them."""

from __future__ import annotations

# The first six are Okabe and Ito's, which colour-blind people tell apart. Each of the others was the farthest from all
# before it, to eyes of every kind, among those that white and the dark page of a report let stand out.
CLASS_COLOURS = (
    *("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#79183d", "#aadbb6"),
    *("#493186", "#8679f3", "#aa240c", "#6d616d", "#e7ce6d", "#31dbe7", "#313db6", "#92b679"),
    *("#244961", "#db9eb6", "#186d3d", "#555586", "#860c00", "#6d92db", "#55923d", "#aa6192"),
)


def colour_of(code: int) -> str:
    """The colour of a class; beyond 24 classes they begin anew."""
    return CLASS_COLOURS[code % len(CLASS_COLOURS)]
