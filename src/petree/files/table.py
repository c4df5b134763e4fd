"""What a file gives: named columns that know where their rows stand."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class FileTable:
    """A table as it stood in a file.

    Parameters
    ----------
    path : Path
        The file.
    names : list of str
        Column names, in the order of the file.
    columns : list of ndarray
        One array a column: float64, or objects (str and None).
    lines : ndarray or None
        The line on which each row begins; None where the file format has no lines.
    """

    path: Path
    names: list[str]
    columns: list[NDArray[Any]]
    lines: NDArray[np.int64] | None = None

    @property
    def n_rows(self) -> int:
        return len(self.columns[0])

    def column(self, name: str) -> NDArray[Any]:
        """One column by name; an unknown name is answered with the names there are."""
        if name in self.names:
            return self.columns[self.names.index(name)]
        close = difflib.get_close_matches(name, self.names, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise ValueError(f"{self.path} has no column {name!r}{hint}; its columns are {', '.join(self.names)}.")

    def select(self, names: Iterable[str]) -> dict[str, NDArray[Any]]:
        """The named columns in the given order, in the form that the estimators take."""
        return {name: self.column(name) for name in names}

    def place(self, row: int) -> str:
        """Where a row stands, in words."""
        return f"row {row + 1} of {self.path}" if self.lines is None else f"line {self.lines[row]} of {self.path}"


def check_names(names: Sequence[str], path: Path) -> list[str]:
    """The names as a list; an empty or a repeated one is refused."""
    for position, name in enumerate(names):
        if not name:
            raise ValueError(f"Column {position + 1} of {path} has no name; name it, or remove it if it is an index.")
        if name in names[:position]:
            raise ValueError(f"{path} has two columns named {name!r}; rename one of them.")
    return list(names)
