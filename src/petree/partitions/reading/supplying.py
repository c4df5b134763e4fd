"""Whatever users hand over as data of any size, as pieces."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from petree.partitions.reading.pieces import RecordBatch, Supply

# Rows of the batches that are asked of polars.
BATCH_ROWS = 2**17


def supply_of(data: Any, told: Mapping[str, str], folder: Path) -> Supply:
    """Data as pieces; those that come but once are written to `folder` first.

    Parameters
    ----------
    data : path, pyarrow Dataset or Table, data frame, lazy frame, Dask frame, DuckDB relation, or batches
        A folder or file of Parquet or CSV; batches as a list, an iterable, or a callable that returns one.
    told : dict
        The types that users say, by the names of columns.
    folder : path
    """
    try:
        import pyarrow
        import pyarrow.dataset
    except ImportError as error:
        raise ImportError(
            "Data in parts, and tables of which y names the column of classes, are read by pyarrow: pip install "
            "'petree[parquet]', or pass a table in memory and the classes themselves."
        ) from error
    from petree.partitions.reading import batches, datasets

    if isinstance(data, str | os.PathLike):
        return datasets.supply_of_path(Path(data), told)
    if isinstance(data, pyarrow.dataset.Dataset):
        return datasets.supply_of_dataset(data, told)
    if isinstance(data, pyarrow.Table | pyarrow.RecordBatch):
        whole = data if isinstance(data, pyarrow.Table) else pyarrow.Table.from_batches([data])
        return batches.supply_of_table(whole)
    if isinstance(data, list | tuple) and len(data):
        return batches.supply_of_table(pyarrow.Table.from_batches(list(_batches(data))))
    if _is_from(data, "dask"):
        return batches.supply_of_dask(data)
    if (frame := _as_arrow(data)) is not None:
        return batches.supply_of_table(frame)
    return batches.spooled(_batches(data), folder)


def stream_of(data: Any, columns: Sequence[str], told: Mapping[str, str], n_rows: int) -> Iterator[RecordBatch]:
    """Some columns of data of any size, once, so many rows at a time at most."""
    is_lazy = not isinstance(data, str | os.PathLike) and not _can_be_read_twice(data)
    if is_lazy:
        for batch in _batches(data):
            for start in range(0, batch.num_rows, n_rows):
                yield batch.select(list(columns)).slice(start, n_rows)
        return
    supply = supply_of(data, told, Path())
    for name in columns:
        supply.check(name, "the model")
    for piece in supply.pieces:
        yield from (batch for batch in piece.batches(columns, n_rows) if batch.num_rows)


def _can_be_read_twice(data: Any) -> bool:
    """Whether pieces can be made of data without a file."""
    import pyarrow
    import pyarrow.dataset

    is_arrow = isinstance(data, pyarrow.dataset.Dataset | pyarrow.Table | pyarrow.RecordBatch)
    return is_arrow or isinstance(data, list | tuple) or _is_from(data, "dask") or _as_arrow(data) is not None


def _is_from(data: Any, library: str) -> bool:
    return type(data).__module__.partition(".")[0] in (library, f"_{library}")


def _as_arrow(data: Any) -> Any | None:
    """A data frame in memory as a table of Arrow; None where it is none."""
    import narwhals.stable.v2 as nw

    frame = nw.from_native(data, pass_through=True)
    return frame.to_arrow() if isinstance(frame, nw.DataFrame) else None


def _batches(data: Any) -> Iterator[RecordBatch]:
    """Record batches of a lazy frame of polars, a relation of DuckDB, or whatever gives batches."""
    import pyarrow

    if _is_from(data, "polars"):
        for frame in data.collect_batches(chunk_size=BATCH_ROWS, maintain_order=True):
            yield from _plain(frame.to_arrow()).to_batches()
        return
    if _is_from(data, "duckdb"):
        yield from pyarrow.RecordBatchReader.from_stream(data)
        return
    given: Iterable[Any] = data() if callable(data) else data
    if not isinstance(given, Iterable) or isinstance(given, Mapping | str | bytes):
        raise TypeError(
            f"petree cannot read data of type {type(data).__name__}; pass a folder, a pyarrow dataset, a data frame, a "
            "query, or record batches."
        )
    for one in given:
        if isinstance(one, pyarrow.Table):
            yield from one.to_batches()
        elif isinstance(one, pyarrow.RecordBatch):
            yield one
        else:
            raise TypeError(f"Batches must be record batches of pyarrow, got a {type(one).__name__}.")


def _plain(table: Any) -> Any:
    """A table whose categories are text: each batch of polars has a dictionary of its own."""
    import pyarrow

    def plain(field: Any) -> Any:
        is_dictionary = pyarrow.types.is_dictionary(field.type) and not field.type.ordered
        return field.with_type(pyarrow.large_string()) if is_dictionary else field

    return table.cast(pyarrow.schema([plain(field) for field in table.schema]))
