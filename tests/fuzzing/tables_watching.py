"""Reads what chance makes: every case is read, or refused in a sentence, soon and in little memory."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
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

# Where Linux tells the peak of a process, and where it is told to begin anew with it.
STATUS = Path("/proc/self/status")
FORGET = Path("/proc/self/clear_refs")
FORGET_PEAK = "5"


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
    forget_peak()
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
    """The most memory that the process had, on Linux since the peak was forgotten."""
    with suppress(OSError):
        return 1024 * int(STATUS.read_text().partition("VmHWM:")[2].split()[0])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * BYTES_OF_PEAK


def forget_peak() -> None:
    """Let the peak be what is used now; elsewhere than on Linux it never falls."""
    with suppress(OSError):
        FORGET.write_text(FORGET_PEAK)


def is_sentence(text: str) -> bool:
    return len(text) > SHORTEST_SENTENCE and text.rstrip().endswith((".", "?"))
