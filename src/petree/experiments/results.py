"""Results in a file that grows as work is done, so that it can be interrupted and goes on where it stopped."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree.experiments.measuring import MEASURES
from petree.experiments.methods import Method
from petree.experiments.trials import Trial


class Key(NamedTuple):
    """What a result is of; `settings` names everything that decides it."""

    data_set: str
    method: str
    settings: str
    run: int
    fold: int

    @classmethod
    def of(cls, method: Method, trial: Trial, seed: int) -> Key:
        settings = method.digest(f"{trial.digest} {seed}")
        return cls(trial.data.name, method.name, settings, trial.part.run, trial.part.fold)


HEADS = (*Key._fields, *MEASURES)


class ResultsFile:
    """A CSV file with one line for each method on each trial.

    Parameters
    ----------
    path : Path
        Made where it is not there. A line that an interruption cut short is removed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_bytes() if path.exists() else b""
        first = f"{','.join(HEADS)}\n".encode()
        if text[: len(first)] != first[: len(text)]:
            raise ValueError(f"{path} is no file of results, or one of another version; remove it or name another.")
        whole = text[: text.rfind(b"\n") + 1]
        if whole != text:
            os.truncate(path, len(whole))
        if not whole:
            self._write([HEADS])

    def add(self, lines: Iterable[tuple[Key, dict[str, float]]]) -> None:
        """Write results."""
        self._write([*key, *(repr(float(found[name])) for name in MEASURES)] for key, found in lines)

    def read(self) -> dict[Key, NDArray[np.float64]]:
        """The measures of all results; of several with one key the last."""
        with self.path.open(newline="", encoding="utf-8") as file:
            lines = csv.reader(file)
            next(lines)
            return dict(self._parse(line, lines.line_num) for line in lines)

    def _parse(self, line: Sequence[str], number: int) -> tuple[Key, NDArray[np.float64]]:
        try:
            if len(line) == len(HEADS):
                data_set, method, settings, run, fold, *values = line
                return Key(data_set, method, settings, int(run), int(fold)), np.array(values, np.float64)
        except ValueError:
            pass
        raise ValueError(f"Line {number} of {self.path} is no result; remove it, and it is computed again.")

    def _write(self, lines: Iterable[Sequence[Any]]) -> None:
        with self.path.open("a", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(lines)
            file.flush()
            os.fsync(file.fileno())
