"""Rows of Parquet files, a page of each column at a time: to read whole row groups takes memory without a bound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import pyarrow
import pyarrow.dataset
from pyarrow import parquet

from petree.partitions.reading.pieces import RecordBatch, Schema

Fragment: TypeAlias = Any  # a pyarrow.dataset.ParquetFileFragment

# Bytes of each column that are read at a time.
BUFFER = 2**18
# Rows that show how long a row is, and bytes of a value that are ordinary: of longer ones fewer rows are taken.
FIRST_ROWS = 2**10
USUAL_BYTES = 16


def batches_of_groups(
    fragment: Fragment, schema: Schema, columns: Sequence[str], groups: Sequence[int], n_rows: int
) -> Iterator[RecordBatch]:
    """Some columns of some row groups as the schema has them, so many rows at a time at most."""
    known = pyarrow.dataset.get_partition_keys(fragment.partition_expression)
    wanted = pyarrow.schema([schema.field(name) for name in columns])
    dictionaries = list(fragment.format.read_options.dictionary_columns)
    with (
        fragment.filesystem.open_input_file(fragment.path) as file,
        parquet.ParquetFile(file, read_dictionary=dictionaries, buffer_size=BUFFER, pre_buffer=False) as opened,
    ):
        own = [name for name in columns if name not in known and name in opened.schema_arrow.names]
        read = own or opened.schema_arrow.names[:1]  # rows are counted by some column
        first = next(opened.iter_batches(FIRST_ROWS, list(groups), read), None)
        for batch in opened.iter_batches(_fewer(n_rows, first), list(groups), read):
            yield _conformed(batch, wanted, known)


def _fewer(n_rows: int, first: RecordBatch | None) -> int:
    """So many rows as are not larger together than this number of ordinary ones."""
    if first is None or not first.num_rows:
        return n_rows
    usual = USUAL_BYTES * first.num_columns * first.num_rows
    return max(int(n_rows * min(usual / max(first.nbytes, 1), 1)), 1)


def _conformed(batch: RecordBatch, wanted: Schema, known: dict[str, Any]) -> RecordBatch:
    """The columns of a batch in other types, and those that the names of folders say."""
    arrays = []
    for field in wanted:
        if field.name in known:
            array = pyarrow.repeat(known[field.name], batch.num_rows)
        elif field.name in batch.schema.names:
            array = batch.column(field.name)
        else:
            array = pyarrow.nulls(batch.num_rows)
        arrays.append(array if array.type == field.type else array.cast(field.type))
    return pyarrow.record_batch(arrays, schema=wanted)
