"""What a file gives: named columns that know where their rows stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.caching import cached_property
from petree.words import did_you_mean, types_option, visible

# Whole numbers above this are not all different as float64; `inputs` has it, too, but brings much along.
LARGEST_WHOLE = 2**53
# Names that a message lists at most.
NAMES_SHOWN = 50


@dataclass(frozen=True, eq=False)
class FileTable(Mapping[str, NDArray[Any]]):
    """A table as it stood in a file: columns by name.

    Parameters
    ----------
    path : Path
        The file.
    names : list of str
        Column names, in the order of the file.
    columns : list of ndarray
        One array per column: float64, datetime64, timedelta64, or objects (str, times, dates with a zone, and None).
    lines : ndarray or None
        The line on which each row begins; None where the file format has no lines.
    large : dict of str to int
        The first row of each column of numbers that holds a whole one beyond 2**53. Only who asks for it is refused:
        a file may hold columns, such as identifiers, that nobody needs.
    unread : dict of str to str
        What is wrong with each column that petree cannot read; likewise.
    told : list of (str or None, str)
        What was guessed of each column, or of the file, in sentences.
    """

    path: Path
    names: list[str]
    columns: list[NDArray[Any]]
    lines: NDArray[np.int64] | None = None
    large: dict[str, int] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)
    told: list[tuple[str | None, str]] = field(default_factory=list)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.column(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.places  # also of a column that is refused to who asks for its values

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<table of {self.n_rows} rows from {self.path}: {', '.join(map(visible, self.names))}>"

    @property
    def n_rows(self) -> int:
        return len(self.columns[0])

    def column(self, name: str) -> NDArray[Any]:
        """One column by name; an unknown name is answered with the names there are."""
        if name in self.large:
            raise self._large_whole(name)
        if name in self.unread:
            raise ValueError(self.unread[name])
        self.check(name)
        values = self.columns[self.places[name]]
        if values.dtype.kind == "f" and (is_infinite := np.isinf(values)).any():
            row = int(np.argmax(is_infinite))
            raise ValueError(
                f"Column {name!r} holds an infinite value ({values[row]}) in {self.place(row)}; write a finite number, "
                "or nothing if it is missing."
            )
        return values

    def check(self, name: str) -> None:
        """Refuse a name that no column has."""
        if name in self.places:
            return
        n_more = len(self.names) - NAMES_SHOWN
        listed = ", ".join(map(_listed, self.names[:NAMES_SHOWN])) + (f" and {n_more} more" if n_more > 0 else "")
        hint = did_you_mean(name, self.names)
        raise ValueError(f"{self.path} has no column {name!r}{hint}; its columns are {listed}.")

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each column by its name."""
        return {name: place for place, name in enumerate(self.names)}

    def select(self, names: Iterable[str]) -> dict[str, NDArray[Any]]:
        """The named columns in the given order, in the form that the estimators take."""
        return {name: self.column(name) for name in names}

    # -- some of the columns ----------------------------------------------------------------------------------

    def without(self, *names: str) -> dict[str, NDArray[Any]]:
        """All columns but the named ones, such as the target."""
        for name in names:
            self.check(name)
        return self.select(name for name in self.names if name not in names)

    def chosen(self, columns: Sequence[str] | None = None, ignore: Sequence[str] = ()) -> FileTable:
        """The table of the columns to keep, less those to ignore, in the order of the file."""
        for name in (*(columns or ()), *ignore):
            self.check(name)
        kept = [name for name in self.names if (columns is None or name in columns) and name not in ignore]
        return replace(self, names=kept, columns=[self.columns[self.places[name]] for name in kept])

    # -- what there is to tell --------------------------------------------------------------------------------

    @property
    def notes(self) -> list[str]:
        """What was guessed of the file and of the columns that it has."""
        return [sentence for name, sentence in self.told if name is None or name in self.places]

    def note(self, name: str | None, sentence: str) -> None:
        """Keep what was guessed of a column, or of the file."""
        self.told.append((name, sentence))

    def leave_out(self, name: str, sentence: str) -> NDArray[Any]:
        """Note why a column cannot be read; what stands in its place."""
        self.unread[name] = sentence
        return np.broadcast_to(np.nan, self.n_rows)

    def place(self, row: int) -> str:
        """Where a row stands, in words."""
        return f"row {row + 1} of {self.path}" if self.lines is None else f"line {self.lines[row]} of {self.path}"

    def _large_whole(self, name: str) -> ValueError:
        """What to say of a number that float64 cannot tell from its neighbours; `inputs` says the same of arrays."""
        return ValueError(
            f"Column {name!r} holds a whole number beyond 2**53 in {self.place(self.large[name])}, which float64 "
            f"cannot tell from others; leave the column out by --ignore (ignore=), or make it nominal by "
            f"{types_option(name, 'nominal')} (types=)."
        )


def _listed(name: str) -> str:
    """A name among others, in quotation marks where it could be taken for several."""
    return f"'{visible(name)}'" if " " in name or "," in name else visible(name)


def check_names(names: Sequence[str], path: Path) -> list[str]:
    """The names as a list; an empty or a repeated one is refused."""
    if "" in names:
        position = list(names).index("") + 1
        raise ValueError(f"Column {position} of {path} has no name; name it, or remove it if it is an index.")
    check_distinct(names, path)
    return list(names)


def check_distinct(names: Sequence[str], path: Path) -> None:
    """Refuse a name that occurs twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"{path} has two columns named {name!r}; rename one of them.")
        seen.add(name)
