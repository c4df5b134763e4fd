"""Reads what chance makes: every case is read, or refused in a sentence, soon and in little memory."""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

import pytest

resource = pytest.importorskip("resource")  # Windows has none

MOST_SECONDS = 1.0
MOST_MEMORY = 200 * 2**20
MOST_COMPLAINTS = 10
BYTES_OF_PEAK = 1 if sys.platform == "darwin" else 1024
SHORTEST_SENTENCE = 20


def complaints(name: str, n_cases: int, try_case: Callable[[Random], Any], first: int = 0) -> list[str]:
    """What went wrong; a case is known by its name and number, which make it again."""
    found: list[str] = []
    for number in range(first, first + n_cases):
        said = complaint(try_case, Random(f"{name} {number}"))
        if said is not None:
            found.append(f"{name}, case {number}: {said}")
        if len(found) == MOST_COMPLAINTS:
            break
    return found


def complaint(try_case: Callable[[Random], Any], chance: Random) -> str | None:
    start, before = process_time(), peak()
    try:
        try_case(chance)
    except ValueError as error:
        if not is_sentence(str(error)) or isinstance(error, UnicodeError):
            return f"no sentence: {error!r}"[:500]
    except Exception as error:
        return repr(error)[:500]
    if process_time() - start > MOST_SECONDS:
        return f"{process_time() - start:.1f} seconds"
    return f"{(peak() - before) / 2**20:.0f} MiB" if peak() - before > MOST_MEMORY else None


def peak() -> int:
    """The most memory that the process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * BYTES_OF_PEAK


def is_sentence(text: str) -> bool:
    return len(text) > SHORTEST_SENTENCE and text.rstrip().endswith((".", "?"))
