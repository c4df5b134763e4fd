"""One process a library: the parent's handle (`Worker`) and what the process does when asked (`Tasks`)."""

from __future__ import annotations

import atexit
import ctypes
import gc
import importlib
import multiprocessing
import os
import signal
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from lab.speed.data import Case, make
from lab.speed.peers import LIBRARIES, THREADS, Library, Limits

STATUS = Path("/proc/self/status")
RESET_PEAK = Path("/proc/self/clear_refs")

MODULES = {"scikit-learn": "sklearn"}


class WorkerError(RuntimeError):
    """A library could not do what it was asked."""


@dataclass(frozen=True)
class Timing:
    """One fit and one prediction of new rows, in seconds."""

    fit: float
    predict: float
    leaves: int
    accuracy: float


@dataclass(frozen=True)
class Failure:
    """An exception on its way to the parent."""

    reason: str


class Worker:
    """The parent's handle of a process that holds one library and works only when asked.

    Parameters
    ----------
    name : str
        Key of the library in `peers.LIBRARIES`.
    """

    def __init__(self, name: str) -> None:
        context = multiprocessing.get_context("spawn")
        self.name = name
        self._connection, far_end = context.Pipe()
        # Not a daemon: joblib, asked by libraries for the number of threads, answers 1 in a daemon process.
        self._process = context.Process(target=serve, args=(far_end, name), daemon=False)
        self._process.start()
        atexit.register(self.close)
        far_end.close()

    def ask(self, question: str, *arguments: Any) -> Any:
        """The answer of the `Tasks` method named `question`."""
        try:
            self._connection.send((question, arguments))
            answer = self._connection.recv()
        except (EOFError, OSError):
            self._process.join()
            raise WorkerError(f"its process ended with code {self._process.exitcode}") from None
        if isinstance(answer, Failure):
            raise WorkerError(answer.reason)
        return answer

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.join()


class Tasks:
    """What a worker process knows and does; one method a question."""

    def __init__(self, name: str) -> None:
        self._kind = LIBRARIES[name]
        self._library: Library = self._kind()
        self._train: tuple[Any, Any] = (None, None)
        self._new: tuple[Any, Any] = (None, None)

    def load(self) -> None:
        """Import the library, so that a missing one is noticed at the start."""
        importlib.import_module(MODULES.get(self._kind.package, self._kind.package))

    def prepare(self, case: Case, with_new_rows: bool) -> None:
        """Make the tables of a case and let the library run once on a small table of the kind."""
        self._train = self._new = (None, None)
        self._library = self._kind(case.nominal)
        self._warm_up(case.warm_up)
        self._train = self._table(case, 0)
        if with_new_rows:
            self._new = self._table(case, 1)

    def fit(self, limits: Limits) -> float:
        """Seconds of one fit."""
        gc.collect()
        started = time.perf_counter()
        self._library.fit(*self._train, limits)
        return time.perf_counter() - started

    def fit_and_predict(self, limits: Limits) -> Timing:
        gc.collect()
        times = [time.perf_counter()]
        model = self._library.fit(*self._train, limits)
        times.append(time.perf_counter())
        probabilities = self._library.predict_proba(model, self._new[0])
        times.append(time.perf_counter())
        fit, predict = np.diff(times).tolist()
        accuracy = float(np.mean(self._library.predicted(model, probabilities) == self._new[1]))
        return Timing(fit, predict, self._library.n_leaves(model), accuracy)

    def peak_memory(self, limits: Limits) -> tuple[int, int]:
        """Bytes by which a fit raised the peak of the resident memory, and the leaves of its tree."""
        _return_free_memory()
        RESET_PEAK.write_text("5")
        before = _resident("VmRSS")
        model = self._library.fit(*self._train, limits)
        return _resident("VmHWM") - before, self._library.n_leaves(model)

    def _table(self, case: Case, part: int) -> tuple[Any, Any]:
        X, y = make(case, part)
        return self._library.table(X), y

    def _warm_up(self, case: Case) -> None:
        table, y = self._table(case, 0)
        self._library.predict_proba(self._library.fit(table, y, Limits(n_leaves=1000)), table)


def serve(connection: Connection, name: str) -> None:
    """Answer the parent's questions until it ends this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    os.environ["OMP_NUM_THREADS"] = str(THREADS)  # HistGradientBoosting has no parameter for it
    tasks = Tasks(name)
    while True:
        try:
            question, arguments = connection.recv()
        except EOFError:
            return
        try:
            answer = getattr(tasks, question)(*arguments)
        except Exception as error:
            answer = Failure(f"{type(error).__name__}: {error}")
        connection.send(answer)


def can_measure_memory() -> bool:
    """Whether the system tells, and lets one reset, the peak of a process's memory."""
    return STATUS.exists() and RESET_PEAK.exists()


def _resident(field: str) -> int:
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(field))
    return 1024 * int(line.split()[1])


def _return_free_memory() -> None:
    """Give freed heap back to the system: a fit that filled it again would look too lean."""
    gc.collect()
    malloc_trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if malloc_trim is not None:
        malloc_trim(0)
