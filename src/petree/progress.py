"""Progress of long work: one protocol for all that report it, and one display for all that show it.

Work reports what it is doing and how many of how many steps are done; the innermost watcher gets the reports. The
display is a bar on a terminal, and elsewhere a line about every ten seconds on the error stream.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TypeVar

from petree.words import visible

if TYPE_CHECKING:
    from rich.progress import Progress

Item = TypeVar("Item")
# Called with the number of steps that were completed, in any thread.
Advance = Callable[[int], None]
# Seconds between two lines where there is no terminal.
SECONDS = 10.0


class Watcher(Protocol):
    """Receives the progress of work, in any thread."""

    def __call__(self, doing: str, done: int, total: int, item: str = "") -> None:
        """Receive how many steps are done, and what the last one was; 0 done begins the work anew."""


_watchers: list[Watcher] = []


@contextmanager
def watched_by(watcher: Watcher) -> Iterator[None]:
    """A block whose work, in all threads, reports to a watcher instead of the one before."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


def report(doing: str, done: int, total: int, item: str = "") -> None:
    """Report the number of steps that are done."""
    for watcher in _watchers[-1:]:
        watcher(doing, done, total, item)


class Steps:
    """Steps of one kind of work, reported to the receiver that is set when it begins.

    Parameters
    ----------
    doing : str
    total : int
    """

    def __init__(self, doing: str, total: int) -> None:
        self._doing = doing
        self._total = total
        self._done = 0
        self._watcher = _watchers[-1] if _watchers else None
        self._lock = threading.Lock()
        self._report("")

    def advance(self, n_steps: int) -> None:
        """Report steps that were completed."""
        with self._lock:
            self._done += n_steps
            self._report("")

    def reach(self, done: int, item: str = "") -> None:
        """Report the number of all steps that are done, unless more are known to be."""
        with self._lock:
            if done > self._done:
                self._done = done
                self._report(item)

    def _report(self, item: str) -> None:
        if self._watcher is not None:
            self._watcher(self._doing, self._done, self._total, item)


def begin(doing: str, n_steps: int) -> Advance:
    """Begin to count steps; the result is called with the number of those that were completed."""
    return Steps(doing, n_steps).advance if _watchers else ignore


def ignore(_: int) -> None:
    """Count nothing: no receiver is set."""


def steps(doing: str, items: Sequence[Item]) -> Iterator[Item]:
    """The items, each a step that is completed when the next one is taken."""
    advance = begin(doing, len(items))
    for item in items:
        yield item
        advance(1)


# -- the display ------------------------------------------------------------------------------------------


@contextmanager
def shown(doing: str, on_terminal: bool = True) -> Iterator[None]:
    """Show the progress of a block on the error stream, unless the block around it is shown.

    Parameters
    ----------
    doing : str
        Shown until the work reports something more precise.
    on_terminal : bool, default=True
        Whether a terminal gets a bar; False where the answers go to the same terminal.
    """
    is_terminal = sys.stderr.isatty()
    is_within = any(isinstance(watcher, (Lines, Bar)) for watcher in _watchers)
    if is_within or (is_terminal and not on_terminal):
        yield
        return
    with _bar(doing) if is_terminal else _lines(doing) as watcher, watched_by(watcher):
        yield


class Lines:
    """Progress as lines of text.

    Parameters
    ----------
    doing : str
    clock : callable
        Returns seconds.
    """

    def __init__(self, doing: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._doing = doing
        self._clock = clock
        self._started = clock()
        self._at = ""
        self._begun: Counter[str] = Counter()

    def __call__(self, doing: str, done: int, total: int, item: str = "") -> None:
        self._begun[doing] += done == 0
        self._at = f": {named(doing, self._begun)} {done} of {total}" + (f" ({item})" if item else "")

    def line(self) -> str:
        """Return the present state."""
        return visible(f"petree: {self._doing}{self._at}, {self._clock() - self._started:.0f} s")


@contextmanager
def _lines(doing: str) -> Iterator[Watcher]:
    lines = Lines(doing)
    is_over = threading.Event()

    def write() -> None:
        while not is_over.wait(SECONDS):
            print(lines.line(), file=sys.stderr, flush=True)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    try:
        yield lines
    finally:
        is_over.set()
        thread.join()


@contextmanager
def _bar(doing: str) -> Iterator[Watcher]:
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    shown = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    # Answers that go to a pipe are no affair of the terminal.
    with Progress(*shown, console=Console(stderr=True), transient=True, redirect_stdout=False) as progress:
        yield Bar(progress, doing)


class Bar:
    """Progress as one bar for each kind of work after the other, which replaces the one before.

    Parameters
    ----------
    progress : rich.progress.Progress
    doing : str
    """

    def __init__(self, progress: Progress, doing: str) -> None:
        self.progress = progress
        self.task = progress.add_task(visible(f"{doing} ..."), total=None)
        self._doing = doing
        self._begun: Counter[str] = Counter()

    def __call__(self, doing: str, done: int, total: int, item: str = "") -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

        if not self._begun:
            first, text, elapsed = self.progress.columns
            left = (TextColumn("left"), TimeRemainingColumn())
            self.progress.columns = (first, text, BarColumn(), MofNCompleteColumn(), elapsed, *left)
        if done == 0:
            self._begun[doing] += 1
            self.progress.reset(self.task, total=total)
        words = f"{self._doing}: {named(doing, self._begun)}" + (f" ({item})" if item else "")
        self.progress.update(self.task, completed=done, description=visible(words))


def named(doing: str, begun: Counter[str]) -> str:
    """A kind of work, with a number where it was begun several times."""
    return doing if begun[doing] < 2 else f"{doing} ({begun[doing]})"
