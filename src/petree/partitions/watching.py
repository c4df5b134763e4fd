"""What long work tells whoever watches it: that so many steps begin, and each of them when it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

Item = TypeVar("Item")
# Called with the number of steps that are done, in any thread.
Tell = Callable[[int], None]


class Watcher(Protocol):
    """Somebody who watches."""

    def begin(self, doing: str, n_steps: int) -> Tell:
        """Hear that so many steps begin, of what before are over; what to call for steps that are done."""


_WATCHER: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watched_by(watcher: Watcher) -> Iterator[None]:
    """A block whose work is watched."""
    token = _WATCHER.set(watcher)
    try:
        yield
    finally:
        _WATCHER.reset(token)


def begin(doing: str, n_steps: int) -> Tell:
    """Tell whoever watches that so many steps begin; what to call for those that are done."""
    watcher = _WATCHER.get()
    return tell_nobody if watcher is None else watcher.begin(doing, n_steps)


def tell_nobody(_: int) -> None:
    """Nobody watches."""


def steps(doing: str, items: Sequence[Item]) -> Iterator[Item]:
    """The items, each a step that is over when the next one is asked for."""
    tell = begin(doing, len(items))
    for item in items:
        yield item
        tell(1)
