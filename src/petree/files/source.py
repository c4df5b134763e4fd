"""Where a file's bytes come from, and which characters they are."""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeVar

from petree.unpacking import open_bytes

Result = TypeVar("Result")

# The name of what a program is given through a pipe.
STANDARD_INPUT = "-"
UTF_8 = "utf-8-sig"
# What Windows wrote in Western Europe and America before there was UTF-8.
WINDOWS = "cp1252"
UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class FileSource:
    """A file, or what came through a pipe, that can be opened again and again."""

    path: Path
    content: bytes | None = None

    @classmethod
    def of(cls, path: Path) -> FileSource:
        """The file of a path; "-" is the standard input, which is read at once."""
        if str(path) != STANDARD_INPUT:
            return cls(path)
        if sys.stdin is None:
            raise ValueError("There is no standard input to read; name a file.")
        return cls(Path("standard input"), sys.stdin.buffer.read())

    @property
    def n_bytes(self) -> int:
        """How large it is as it lies there, packed or not."""
        return self.path.stat().st_size if self.content is None else len(self.content)

    def open(self) -> IO[bytes]:
        return open_bytes(self.path) if self.content is None else io.BytesIO(self.content)

    def open_text(self, encoding: str) -> IO[str]:
        """The file as text with its own line ends."""
        return io.TextIOWrapper(self.open(), encoding=encoding, newline="")


def decoded(source: FileSource, encoding: str | None, read: Callable[[str], Result]) -> tuple[Result, str]:
    """What a function reads with the right encoding, and that encoding: the one told, or the first that fits."""
    if encoding is not None:
        _check_encoding(encoding)
    candidates = (encoding,) if encoding is not None else _candidates(source)
    for candidate in candidates:
        try:
            return read(candidate), candidate
        except UnicodeDecodeError:
            continue
    words = " or ".join(candidates).replace(UTF_8, "UTF-8")
    raise ValueError(
        f"{source.path} is not {words} text; save it as UTF-8, or name its encoding by --encoding (encoding=)."
    )


def _candidates(source: FileSource) -> tuple[str, ...]:
    with source.open() as stream:
        start = stream.read(2)
    return ("utf-16",) if start in UTF_16_MARKS else (UTF_8, WINDOWS)


def _check_encoding(encoding: str) -> None:
    try:
        is_text = codecs.lookup(encoding) is not None and "".encode(encoding) is not None
    except (LookupError, ValueError, TypeError):
        is_text = False
    if not is_text:
        raise ValueError(f"There is no encoding {encoding!r}; utf-8, utf-16, cp1252 and latin-1 are some.")
