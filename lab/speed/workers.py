"""The running workers: opened, asked one at a time with the progress shown, and left out where they fail."""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from rich.progress import Progress

from lab.speed.peers import label
from lab.speed.worker import Worker, WorkerError

# Thread pools spin for a while after their work; the next library starts when that is over.
PAUSE_SECONDS = 0.3


class Workers:
    """Worker processes of several libraries; a context manager that ends them.

    Parameters
    ----------
    names : sequence of str
        Libraries to open; one that cannot be imported is left out with a line that says so.
    progress : Progress
        Shows who works on what.
    failures : list of str
        Where the lines about libraries left out are collected.
    """

    def __init__(self, names: Sequence[str], progress: Progress, failures: list[str]) -> None:
        self._progress = progress
        self._failures = failures
        self._task = progress.add_task("starting", total=None)
        self._workers = {name: Worker(name) for name in names}
        for name in names:
            self.ask(name, "import", "load")

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._progress.remove_task(self._task)
        for worker in self._workers.values():
            worker.close()

    @property
    def names(self) -> list[str]:
        """The libraries that have not failed so far."""
        return list(self._workers)

    def ask(self, name: str, what: str, question: str, *arguments: Any) -> Any | None:
        """A worker's answer; None when it fails, which leaves the library out from here on, or has failed before."""
        if name not in self._workers:
            return None
        self._progress.update(self._task, description=f"{what}: {label(name)}")
        time.sleep(PAUSE_SECONDS)
        try:
            return self._workers[name].ask(question, *arguments)
        except WorkerError as error:
            self._leave_out(name, f"{label(name)} is left out ({what}): {error}")
            return None

    def _leave_out(self, name: str, line: str) -> None:
        self._workers.pop(name).close()
        if line not in self._failures:
            self._failures.append(line)
            self._progress.console.print(line, style="yellow", markup=False)
