"""What was found out about relations, kept up to so many bytes."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

Found = TypeVar("Found")

# Bytes that are kept for one database.
MOST_BYTES = 500_000_000


class KeptArrays:
    """Arrays by what they are of; once they are too large together, those that were asked for longest ago go.

    Examples
    --------
    >>> kept = KeptArrays(most_bytes=10)
    >>> [kept.find(key, lambda: key * 2, 6) for key in (1, 2, 1)], kept.n_bytes
    ([2, 4, 2], 6)
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.n_bytes = 0
        self._most_bytes = most_bytes
        self._found: dict[Hashable, tuple[Any, int]] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._found)

    def find(self, key: Hashable, make: Callable[[], Found], n_bytes: int) -> Found:
        """What is kept under a key, or else made, of so many bytes."""
        known: Found | None = self.get(key)
        if known is not None:
            return known
        made = make()
        self.keep(key, made, n_bytes)
        return made

    def get(self, key: Hashable) -> Any:
        """What is kept under a key, or None."""
        with self._lock:
            known = self._found.pop(key, None)
            if known is None:
                return None
            self._found[key] = known  # the last of those that were asked for
            return known[0]

    def keep(self, key: Hashable, made: object, n_bytes: int) -> bool:
        """Keep something that has so many bytes now, if there is room for it; None keeps the room alone."""
        with self._lock:
            self.n_bytes -= self._found.pop(key, (None, 0))[1]
            if n_bytes > self._most_bytes:
                return False
            self._found[key] = made, n_bytes
            self.n_bytes += n_bytes
            self._let_go(self._most_bytes)
            return True

    def shrink(self, n_bytes: int) -> None:
        """Let go of what was asked for longest ago, until no more than so many bytes are left."""
        with self._lock:
            self._let_go(n_bytes)

    def _let_go(self, n_bytes: int) -> None:
        while self.n_bytes > n_bytes:
            self.n_bytes -= self._found.pop(next(iter(self._found)))[1]
