"""Bars on a terminal for work that takes long."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from petree.words import visible

if TYPE_CHECKING:
    from rich.progress import Progress

    from petree.partitions.watching import Tell


@contextmanager
def bar(doing: str, is_wanted: bool = True) -> Iterator[None]:
    """A bar on a terminal for all that data in parts tell of their work; nothing elsewhere."""
    if not (is_wanted and sys.stderr.isatty()):
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from petree.partitions.watching import watched_by

    shown = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    # Answers that go to a pipe are no affair of the terminal.
    with (
        Progress(
            *shown, TimeElapsedColumn(), console=Console(stderr=True), transient=True, redirect_stdout=False
        ) as progress,
        watched_by(Bar(progress, doing)),
    ):
        yield


class Bar:
    """Shows one kind of work after the other in the same line, and how often the data were gone through for it."""

    def __init__(self, progress: Progress, doing: str) -> None:
        self.progress = progress
        self.task = progress.add_task(visible(doing), total=None)
        self.n_passes: Counter[str] = Counter()

    def begin(self, doing: str, n_steps: int) -> Tell:
        self.n_passes[doing] += 1
        n_passes = self.n_passes[doing]
        words = doing if n_passes == 1 else f"{doing}, pass {n_passes}"
        self.progress.reset(self.task, total=n_steps, description=words)
        return partial(self.progress.advance, self.task)
