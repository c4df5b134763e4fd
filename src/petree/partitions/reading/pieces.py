"""Pieces of a data set: each can be read by itself, in any order, as often as needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from petree.caching import cached_property
from petree.words import did_you_mean, visible

Schema: TypeAlias = Any  # a pyarrow.Schema
RecordBatch: TypeAlias = Any  # a pyarrow.RecordBatch

# Rows of a piece, where a file or a table can be divided.
PIECE_ROWS = 2**20
# The metadata of a field of numbers: the decimal sign of the texts that they are read from.
DECIMAL = b"decimal"
# The file of rows that can be had but once.
SPOOL = "source.arrow"


class UnreadableError(ValueError):
    """A piece could not be read; the sentence names it."""


class Piece(Protocol):
    """Some rows of a data set; picklable."""

    @property
    def name(self) -> str:
        """The file and what of it, for sentences."""

    @property
    def can_travel(self) -> bool:
        """Whether other processes that see the same files can read it."""

    def fingerprint(self) -> list[Any]:
        """What changes when the rows do, as JSON."""

    def batches(self, columns: Sequence[str], n_rows: int) -> Iterator[RecordBatch]:
        """The rows, so many at a time at most."""


@dataclass(frozen=True)
class Supply:
    """A data set as pieces of the same columns; `notes` say what was guessed of text."""

    pieces: tuple[Piece, ...]
    schema: Schema
    notes: tuple[str, ...] = ()

    @cached_property
    def fingerprints(self) -> tuple[list[Any], ...]:
        """Those of all pieces, as they are when they are first asked for."""
        return tuple(piece.fingerprint() for piece in self.pieces)

    def check(self, name: str, what: str) -> None:
        """Refuse a name that no column has."""
        if name not in self.schema.names:
            listed = ", ".join(map(visible, self.schema.names))
            hint = did_you_mean(name, self.schema.names)
            raise ValueError(f"The data have no column {name!r}, which {what} names{hint}; their columns are {listed}.")


def shown(error: BaseException) -> str:
    """What a library says, in one line."""
    return " ".join(str(error).split()).rstrip(".")


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Name the piece in whatever goes wrong while it is read."""
    import pyarrow

    try:
        yield
    except (pyarrow.ArrowException, OSError) as error:
        raise UnreadableError(f"{name} cannot be read: {shown(error)}; write it again, or take it away.") from error
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{name} has names that are not UTF-8 text; write it again, or take it away.") from error


def pieces_of_rows(n_rows: Sequence[int]) -> list[tuple[int, int]]:
    """Neighbouring groups of rows put together to at most `PIECE_ROWS`: where each begins and ends."""
    bounds: list[tuple[int, int]] = []
    first = 0
    n_together = 0
    for place, n in enumerate(n_rows):
        if n_together and n_together + n > PIECE_ROWS:
            bounds.append((first, place))
            first = place
            n_together = 0
        n_together += n
    return [*bounds, (first, len(n_rows))] if len(n_rows) else bounds
