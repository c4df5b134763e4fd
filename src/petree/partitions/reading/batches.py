"""Rows that are in memory, in the partitions of a Dask frame, or that come once: these go to a file of Arrow first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias
from zlib import crc32

import pyarrow
from pyarrow import ipc

from petree.caching import cached_property
from petree.partitions.reading.pieces import (
    PIECE_ROWS,
    SPOOL,
    Piece,
    RecordBatch,
    Schema,
    Supply,
    naming,
    pieces_of_rows,
)
from petree.writing import told_as

ArrowTable: TypeAlias = Any  # a pyarrow.Table
DaskFrame: TypeAlias = Any  # a dask.dataframe.DataFrame


def _divided(batch: RecordBatch, n_rows: int) -> Iterator[RecordBatch]:
    for start in range(0, batch.num_rows, n_rows):
        yield batch.slice(start, n_rows)


# -- in memory -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TablePiece:
    """Rows in memory."""

    table: ArrowTable
    name: str
    can_travel: bool = False

    def fingerprint(self) -> list[Any]:
        return self._sums

    @cached_property
    def _sums(self) -> list[Any]:
        sums = [crc32(batch.serialize()) for batch in self.table.combine_chunks().to_batches()]
        return [self.table.num_rows, sums]

    def batches(self, columns: Sequence[str], n_rows: int) -> Iterator[RecordBatch]:
        return iter(self.table.select(list(columns)).to_batches(n_rows))


def supply_of_table(table: ArrowTable) -> Supply:
    """A table in memory."""
    pieces = [
        TablePiece(table.slice(start, PIECE_ROWS), f"rows {start} to {min(start + PIECE_ROWS, table.num_rows) - 1}")
        for start in range(0, table.num_rows, PIECE_ROWS)
    ]
    return Supply(tuple(pieces), table.schema)


# -- rows that come once -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SpoolPiece:
    """Some batches of a file of Arrow."""

    path: Path
    name: str
    first: int
    behind: int
    sums: tuple[int, ...]
    can_travel: bool = False

    def fingerprint(self) -> list[Any]:
        return [self.first, *self.sums]

    def batches(self, columns: Sequence[str], n_rows: int) -> Iterator[RecordBatch]:
        with naming(str(self.path)), pyarrow.memory_map(str(self.path)) as file:
            reader = ipc.open_file(file)
            for place in range(self.first, self.behind):
                yield from _divided(reader.get_batch(place).select(list(columns)), n_rows)


def spooled(batches: Iterable[RecordBatch], folder: Path) -> Supply:
    """Batches that can be had but once, in a file of Arrow, since two passes are needed."""
    path = folder / SPOOL
    sums: list[int] = []
    n_rows: list[int] = []
    writer = None
    writing = partial(told_as, "What comes but once", path)
    with pyarrow.OSFile(str(path), "wb") as file:
        for batch in batches:
            if writer is None:
                schema: Schema = batch.schema
                writer = ipc.new_file(file, schema)
            _check_schema(batch, schema, len(sums))
            with writing():
                writer.write_batch(batch)
            sums.append(crc32(batch.serialize()))
            n_rows.append(batch.num_rows)
        if writer is None:
            raise ValueError("There are no batches of rows, so that not even the columns are known.")
        with writing():
            writer.close()
    pieces = [
        SpoolPiece(path, f"batches {first} to {behind - 1}", first, behind, tuple(sums[first:behind]))
        for first, behind in pieces_of_rows(n_rows)
    ]
    return Supply(tuple(pieces), schema)


def _check_schema(batch: RecordBatch, schema: Schema, place: int) -> None:
    if batch.schema.equals(schema):
        return
    odd = [name for name in schema.names if name not in batch.schema.names or batch.field(name) != schema.field(name)]
    what = f"another column {odd[0]!r}" if odd else "more columns"
    raise ValueError(f"Batch {place} has {what} than the first one; all batches need the same columns and types.")


# -- Dask ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DaskPiece:
    """A partition of a Dask frame."""

    delayed: Any
    schema: Schema
    name: str
    can_travel: bool = False

    def fingerprint(self) -> list[Any]:
        return [str(self.delayed.key)]

    def batches(self, columns: Sequence[str], n_rows: int) -> Iterator[RecordBatch]:
        with naming(self.name):
            frame = self.delayed.compute()
            fields = [self.schema.field(name) for name in columns]
            table = pyarrow.Table.from_pandas(frame[list(columns)], pyarrow.schema(fields), preserve_index=False)
            yield from table.to_batches(n_rows)


def supply_of_dask(frame: DaskFrame) -> Supply:
    """The partitions of a Dask frame."""
    schema = pyarrow.Schema.from_pandas(frame._meta_nonempty, preserve_index=False).remove_metadata()
    pieces: list[Piece] = [
        DaskPiece(delayed, schema, f"partition {place}") for place, delayed in enumerate(frame.to_delayed())
    ]
    return Supply(tuple(pieces), schema)
