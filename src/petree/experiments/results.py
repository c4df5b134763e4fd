"""Results in a file that grows as work is done, so that it can be interrupted and goes on where it stopped."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree.experiments.locking import wait_lock
from petree.experiments.measuring import MEASURES
from petree.experiments.methods import Method
from petree.experiments.trials import Trial
from petree.writing import csv_text


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
        if path.exists() and not path.is_file():
            raise ValueError(f"{path} is no file; remove it or name another folder.")
        first = f"{','.join(HEADS)}\n".encode()
        with self._locked() as file:
            text = file.read()
            if text[: len(first)] != first[: len(text)]:
                raise ValueError(f"{path} is no file of results, or one of another version; remove it or name another.")
            _mend(file, text)
            if len(text) < len(first):
                file.write(first)

    def add(self, lines: Iterable[tuple[Key, dict[str, float]]]) -> None:
        """Write results."""
        text = csv_text([*key, *(repr(float(found[name])) for name in MEASURES)] for key, found in lines)
        with self._locked() as file:
            if not _ends_a_line(file):  # left so by a process that was killed while it wrote
                file.seek(0)
                _mend(file, file.read())
            file.write(text.encode("utf-8", "surrogatepass"))
            file.flush()
            os.fsync(file.fileno())

    def read(self) -> dict[Key, NDArray[np.float64]]:
        """The measures of all results; of several with one key the last."""
        with self._locked() as file:
            content = file.read()
        lines = csv.reader(io.StringIO(content.decode("utf-8", "surrogatepass"), newline=""))
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

    @contextmanager
    def _locked(self) -> Iterator[IO[bytes]]:
        """The file, from its beginning and for this process alone, so that nobody sees half of a line."""
        with self.path.open("a+b") as file:
            wait_lock(file)
            file.seek(0)
            yield file


def _ends_a_line(file: IO[bytes]) -> bool:
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


def _mend(file: IO[bytes], text: bytes) -> None:
    """Remove what stands behind the last whole line; a line end between quotes is part of a name."""
    end = text.rfind(b"\n") + 1
    while text.count(b'"', 0, end) % 2:
        end = text.rfind(b"\n", 0, end - 1) + 1
    if end < len(text):
        file.truncate(end)
