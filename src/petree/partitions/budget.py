"""How much memory users allow."""

from __future__ import annotations

from math import ceil

UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}


def read_memory(memory: int | str) -> int:
    """Bytes, from a number or a text such as "500MB"."""
    text = str(memory).strip().upper().replace(" ", "")
    number = text.rstrip("KMGTB")
    try:
        n_bytes = int(float(number) * UNITS[text[len(number) :]])
    except (KeyError, ValueError, OverflowError):
        n_bytes = 0
    if n_bytes < 1:
        raise ValueError(f"memory must be bytes, such as 2000000000 or '2GB'. Got {memory!r} instead.")
    return n_bytes


def write_memory(n_bytes: float) -> str:
    """Bytes as `read_memory` reads them, rounded up.

    Examples
    --------
    >>> write_memory(96_468_992), write_memory(2 * 10**9)
    ('96.5MB', '2GB')
    """
    name, unit = max((one for one in UNITS.items() if one[1] <= max(n_bytes, 1)), key=lambda one: one[1])
    return f"{ceil(n_bytes / unit * 10) / 10:g}{name or 'B'}"
