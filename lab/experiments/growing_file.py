"""A CSV file that grows as work is done: several processes may add to it, and any of them may be killed meanwhile."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, ClassVar

from petree.locking import wait_lock
from petree.writing import csv_text

# A name between quotes, or the beginning of one up to where the text was cut; within a name a quote begins nothing.
_QUOTED = re.compile(rb'(?<![^,\n])"[^"]*+(?:""[^"]*+)*+"?')


class GrowingFile:
    """A CSV file of results whose first line is `heads`, which its kinds declare.

    Parameters
    ----------
    path : Path
        Made where it is not there. A line that an interruption cut short is removed.

    Attributes
    ----------
    n_whole : int
        Number of bytes that are known to be whole lines; what stands behind may be of other processes.
    """

    heads: ClassVar[tuple[str, ...]]

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            raise ValueError(f"{path} is no file; remove it or name another folder.")
        first = f"{','.join(self.heads)}\n".encode()
        self.n_whole = 0
        with self._locked() as file:
            text = file.read(len(first))
            if text != first[: len(text)]:
                raise ValueError(f"{path} is no file of results, or one of another version; remove it or name another.")
            self._mend(file)
            if text != first:
                self._write(file, first)

    def append(self, rows: Iterable[Sequence[object]]) -> None:
        """Write rows, one cell per head; they are on the disk when this returns."""
        text = csv_text(rows)
        with self._locked() as file:
            self._mend(file)  # a process may have been killed while it wrote
            self._write(file, text.encode("utf-8", "surrogatepass"))
            os.fsync(file.fileno())

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """The cells of every row, with the number of its first line."""
        with self._locked() as file:
            content = file.read()
        lines = csv.reader(io.StringIO(content.decode("utf-8", "surrogatepass"), newline=""))
        next(lines, None)
        while True:
            number = lines.line_num + 1
            try:
                yield number, next(lines)
            except StopIteration:
                return
            except csv.Error as error:  # a quote that nothing closes for very long
                raise self.no_result(number) from error

    def no_result(self, number: int) -> ValueError:
        """What is raised for a line that cannot be read."""
        return ValueError(f"Line {number} of {self.path} is no result; remove it, and it is computed again.")

    def _mend(self, file: IO[bytes]) -> None:
        """Remove a last line that is not whole; where that would take whole ones along, their quotes are wrong."""
        size = file.seek(0, os.SEEK_END)
        start = self.n_whole if self.n_whole <= size else 0
        file.seek(start)
        text = file.read()
        end = _end_of_lines(text)
        if any(line.count(b",") >= len(self.heads) - 1 for line in text[end:].split(b"\n")[:-1]):
            file.seek(0)
            raise self.no_result(file.read(start + end).count(b"\n") + 1)
        self.n_whole = start + end
        if self.n_whole < size:
            file.truncate(self.n_whole)

    def _write(self, file: IO[bytes], lines: bytes) -> None:
        file.write(lines)
        file.flush()
        self.n_whole += len(lines)

    @contextmanager
    def _locked(self) -> Iterator[IO[bytes]]:
        """The file, from its beginning and for this process alone, so that nobody sees half of a line."""
        with self.path.open("a+b") as file:
            wait_lock(file)
            file.seek(0)
            yield file


def _end_of_lines(text: bytes) -> int:
    """Where the last whole line ends; a line end between quotes is part of a name."""
    end = start = 0
    for quoted in _QUOTED.finditer(text):
        end = max(end, text.rfind(b"\n", start, quoted.start()) + 1)
        start = quoted.end()
    return max(end, text.rfind(b"\n", start) + 1)
