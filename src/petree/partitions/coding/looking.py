"""The values of columns, shown to what looks at them: here piece after piece, or each piece by one of the workers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from petree.partitions.coding.findings import Looks
from petree.partitions.coding.settings import Coding
from petree.partitions.coding.values import numbers_of
from petree.partitions.engines.base import Part, Working, parts_of
from petree.partitions.engines.choosing import chosen
from petree.partitions.engines.dask import LEAST_ROWS
from petree.partitions.partition import Partition
from petree.partitions.reading.pieces import Piece, RecordBatch, Supply
from petree.progress import steps
from petree.threads import Threads

# Memory of a value while it is looked at.
VALUE_BYTES = 64
FEWEST_ROWS = 2**12
MOST_ROWS = 2**20

Found = TypeVar("Found", bound=Looks)


def look_at(supply: Supply, coding: Coding, found: Sequence[Found]) -> Sequence[Found]:
    """What is found when all values were looked at: columns side by side in threads, or pieces by workers."""
    names = [one.name for one in found]
    needed = names if coding.weights is None else [*names, coding.weights]
    looking = LookAt(tuple(found), needed, coding.weights, rows_at_once(len(needed), coding.n_bytes))
    who = chosen()
    if who.workers is not None and all(piece.can_travel for piece in supply.pieces):
        parts = parts_of([PieceReader(piece) for piece in supply.pieces])
        return who.engine(coding.threads).reduce(looking, parts)
    for piece in steps("looking at the data", supply.pieces):
        looking.show(piece, found, coding.threads)
    return found


@dataclass(frozen=True)
class LookAt(Generic[Found]):
    """A task: what is found in a piece, by those who have seen nothing yet."""

    is_joined_here: ClassVar[bool] = False

    found: tuple[Found, ...]
    needed: Sequence[str]
    weights: str | None
    n_rows: int

    def __call__(self, part: Part, working: Working) -> tuple[Found, ...]:
        assert isinstance(part.reader, PieceReader)
        found = deepcopy(self.found)
        self.show(part.reader.piece, found, Threads(1))
        return found

    def join(self, one: tuple[Found, ...], other: tuple[Found, ...]) -> tuple[Found, ...]:
        return tuple(first.merged(second) for first, second in zip(one, other, strict=True))

    def show(self, piece: Piece, found: Sequence[Found], threads: Threads) -> None:
        """Show all values of a piece."""
        for batch in piece.batches(self.needed, self.n_rows):
            with of_piece(piece):
                self._show(*weighed(batch, self.weights), found, threads)

    def _show(
        self, batch: RecordBatch, weights: NDArray[np.float64] | None, found: Sequence[Found], threads: Threads
    ) -> None:
        def show(one: Found) -> None:
            one.add(batch.column(one.name), weights)

        if batch.num_rows:
            threads.run(show, [(one,) for one in found])


@dataclass(frozen=True)
class PieceReader:
    """A piece where engines expect the reader of a part.

    How many rows it has nobody knows yet; pieces count alike, and each is enough for a task.
    """

    piece: Piece
    n_rows: int = LEAST_ROWS

    @property
    def name(self) -> str:
        return self.piece.name

    def read(self) -> Partition:
        raise TypeError(f"{self.name} is not coded yet.")


def rows_at_once(n_columns: int, n_bytes: int) -> int:
    """Rows whose values a quarter of the memory holds."""
    return int(np.clip(n_bytes // 4 // (VALUE_BYTES * n_columns), FEWEST_ROWS, MOST_ROWS))


@contextmanager
def of_piece(piece: Piece) -> Iterator[None]:
    """Name the piece in what is wrong with its values."""
    try:
        yield
    except (ValueError, TypeError) as error:
        raise type(error)(f"{piece.name}: {error}") from error


def weighed(batch: RecordBatch, name: str | None) -> tuple[RecordBatch, NDArray[np.float64] | None]:
    """The rows that have a weight, and the weights."""
    if name is None:
        return batch, None
    weights = numbers_of(name, batch.column(name))
    is_bad = ~(np.isfinite(weights) & (weights >= 0))
    if is_bad.any():
        row = int(np.argmax(is_bad))
        raise ValueError(f"The weight {name!r} must be finite and not negative, but there is {weights[row]}.")
    if weights.all():
        return batch, weights
    import pyarrow

    return batch.filter(pyarrow.array(weights > 0)), weights[weights > 0]
