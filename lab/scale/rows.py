"""Rows of the benchmark of scale, in files of codes; workers read them and import no more than that takes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from petree.columns import Column
from petree.partitions.partition import CodedData, Partition
from petree.sources.coding import BinnedColumn

N_COLUMNS = 20
N_BINS = 255
ROWS_PER_PART = 500_000


@dataclass(frozen=True)
class PartOnDisk:
    """Codes, classes and keys of some rows, in files of their own."""

    folder: Path
    number: int
    n_rows: int
    has_weights: bool = False

    @property
    def name(self) -> str:
        return f"{self.folder}/{self.number}"

    def read(self) -> Partition:
        narrow, classes, keys = (
            np.load(self.folder / f"{self.number}-{what}.npy", mmap_mode="r") for what in ("narrow", "classes", "keys")
        )
        return Partition(narrow, np.empty((self.n_rows, 0), np.uint32), classes, None, keys)


def write(folder: Path, n_rows: int, rows_per_part: int = ROWS_PER_PART) -> None:
    """Make the rows and write them, part by part."""
    for number, first in enumerate(range(0, n_rows, rows_per_part)):
        n_part = min(rows_per_part, n_rows - first)
        narrow, classes = make_rows(number, n_part)
        np.save(folder / f"{number}-narrow.npy", narrow)
        np.save(folder / f"{number}-classes.npy", classes)
        numbers = np.arange(first, first + n_part, dtype=np.uint64)
        # times an odd number, so that all are different
        np.save(folder / f"{number}-keys.npy", numbers * np.uint64(0x9E3779B97F4A7C15))


def make_rows(seed: int, n_rows: int) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
    random = np.random.default_rng(seed)
    narrow = random.integers(0, N_BINS, (n_rows, N_COLUMNS), np.uint8)
    chance = 1 / (1 + np.exp((narrow[:, 0] - 128.0) / 30 + (narrow[:, 1] > 100) - narrow[:, 2] / 200))
    return narrow, (random.random(n_rows) < chance).astype(np.uint16)


def held_out() -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
    """Rows that nobody learns from."""
    return make_rows(10**6, 100_000)


def read(folder: Path, n_rows: int, rows_per_part: int = ROWS_PER_PART) -> CodedData:
    cuts = np.arange(1, N_BINS, dtype=np.float64)
    columns = tuple(BinnedColumn(Column(f"x{j}"), cuts, N_BINS, False, False) for j in range(N_COLUMNS))
    firsts = range(0, n_rows, rows_per_part)
    parts = tuple(PartOnDisk(folder, number, min(rows_per_part, n_rows - first)) for number, first in enumerate(firsts))
    totals = sum(np.bincount(part.read().classes, minlength=2) for part in parts)
    return CodedData(columns, np.arange(2), np.asarray(totals, np.float64), parts)
