"""Files as bytes, unpacked where they are gzipped, but never to many times what they are."""

from __future__ import annotations

import gzip
import io
import zlib
from pathlib import Path
from typing import IO, Any

# A packed file may grow to so many bytes, or to so many times its own size, whichever is more.
ALWAYS_UNPACKED = 64 * 2**20
MOST_GROWTH = 200

BUFFER = 2**17


def open_bytes(path: Path) -> IO[bytes]:
    """The bytes of a file, unpacked if its name ends in .gz."""
    if path.is_dir():
        raise ValueError(f"{path} is a folder; give the path of a file in it.")
    stream = path.open("rb")
    if path.suffix.lower() != ".gz":
        return stream
    return io.BufferedReader(Unpacked(stream, path), BUFFER)


class Unpacked(io.RawIOBase):
    """A gzipped file unpacked piece by piece, up to a bound."""

    def __init__(self, packed: IO[bytes], path: Path):
        self.packed, self.path, self.n_bytes = packed, path, 0
        self.inside = gzip.GzipFile(fileobj=packed)
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
        self.packed.close()
        super().close()
