"""Files of codes: one for each part, all its arrays one behind the other, with a checksum kept elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from zlib import crc32

import numpy as np

from petree.partitions.coding.plan import Plan
from petree.partitions.partition import Partition
from petree.writing import write_whole

# Bytes that are summed at a time.
BLOCK = 2**24


@dataclass(frozen=True)
class PartFile:
    """A part in a file of codes; it is compared with its checksum when a process first reads it.

    Parameters
    ----------
    path : Path
    name : str
        What of the user's data it has.
    n_rows, n_narrow, n_wide : int
    has_weights : bool
    checksum : int
        CRC-32 of all bytes.
    """

    path: Path
    name: str
    n_rows: int
    n_narrow: int
    n_wide: int
    has_weights: bool
    checksum: int

    @property
    def n_bytes(self) -> int:
        return self.n_rows * (8 + 8 * self.has_weights + 4 * self.n_wide + 2 + self.n_narrow)

    def is_whole(self) -> bool:
        """Whether the file is there, and what was written."""
        try:
            stat = self.path.stat()
            return stat.st_size == self.n_bytes and _sum_of(self.path, stat.st_mtime_ns) == self.checksum
        except FileNotFoundError:
            return False

    def read(self) -> Partition:
        if not self.is_whole():
            raise ValueError(
                f"{self.path} is not as it was written, the codes of {self.name}; code the data "
                "again: only what lacks is done."
            )
        content = np.memmap(self.path, np.uint8, "r")
        n = self.n_rows
        keys, rest = np.split(content, [8 * n])
        weights, rest = np.split(rest, [8 * n * self.has_weights])
        wide, rest = np.split(rest, [4 * n * self.n_wide])
        classes, narrow = np.split(rest, [2 * n])
        return Partition(
            narrow.reshape(n, self.n_narrow),
            wide.view(np.uint32).reshape(n, self.n_wide),
            classes.view(np.uint16),
            weights.view(np.float64) if self.has_weights else None,
            keys.view(np.uint64),
        )


@lru_cache(maxsize=2**16)
def _sum_of(path: Path, changed: int) -> int:
    """The checksum of a file that was last changed then."""
    total = 0
    with open(path, "rb") as file:
        while block := file.read(BLOCK):
            total = crc32(block, total)
    return total


def write_part(path: Path, name: str, rows: Partition, plan: Plan) -> PartFile:
    """Write the codes of some rows, whole or not at all."""
    arrays = [rows.keys, rows.weights, rows.wide, rows.classes, rows.narrow]
    content = b"".join(array.tobytes() for array in arrays if array is not None)
    write_whole(path, content, f"The codes of {name}")
    return PartFile(path, name, len(rows), plan.n_narrow, plan.n_wide, plan.weights is not None, crc32(content))
