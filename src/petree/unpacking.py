"""Files as bytes, unpacked where they are gzipped, but never to many times what they are."""

from __future__ import annotations

import gzip
import io
import zlib
from pathlib import Path
from typing import IO, Any

# A packed file may grow to so many bytes, or to so many times its own size, whichever is more.
ALWAYS_UNPACKED = 64 * 2**20
MOST_GROWTH = 100

BUFFER = 2**17

# How the names of packed files end.
PACKED = ".gz"


def open_bytes(path: Path) -> IO[bytes]:
    """The bytes of a file, unpacked if its name ends in .gz.

    A packed file is unpacked twice, the first time to see how large it gets: that takes little time beside reading it,
    and what is read can be many times as large in memory as it is written.
    """
    if path.is_dir():
        raise ValueError(f"{path} is a folder; give the path of a file in it.")
    if path.suffix.lower() != PACKED:
        return path.open("rb")
    with Unpacked(path) as unpacked:
        piece = bytearray(BUFFER)
        while unpacked.readinto(piece):
            pass
    return io.BufferedReader(Unpacked(path), BUFFER)


class Unpacked(io.RawIOBase):
    """A gzipped file unpacked piece by piece, up to a bound."""

    def __init__(self, path: Path):
        self.inside = gzip.GzipFile(path)
        self.path = path
        self.n_bytes = 0
        self.most_bytes = max(ALWAYS_UNPACKED, MOST_GROWTH * path.stat().st_size)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            n_bytes = self.inside.readinto(buffer)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ValueError(f"{self.path} is not a whole gzip file; pack or copy it again.") from error
        self.n_bytes += n_bytes
        if self.n_bytes > self.most_bytes:
            raise ValueError(
                f"{self.path} unpacks to more than {self.most_bytes // 2**20} MiB, over {MOST_GROWTH} times its own "
                "size; if it should, unpack it yourself and read the file that comes out."
            )
        return n_bytes

    def close(self) -> None:
        self.inside.close()
        super().close()
