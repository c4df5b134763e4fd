"""How far a long fit has come, for whoever watches: the command line does, on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

# Gets how much of a tree is done, and how much there is to do.
Watcher = Callable[[int, int], None]

_watchers: list[Watcher] = []


@contextmanager
def watched_by(watcher: Watcher) -> Iterator[None]:
    """Whoever learns inside tells the watcher, from whatever thread it works in."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


def tell(done: int, total: int) -> None:
    """Tell all who watch; most often nobody does."""
    for watcher in _watchers:
        watcher(done, total)
