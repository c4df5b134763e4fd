"""Folders and files of Parquet and CSV, read by pyarrow.dataset; a piece is some row groups, or a CSV file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow
import pyarrow.dataset
import pyarrow.parquet
from pyarrow import types

from petree.files.table import check_distinct
from petree.partitions.reading.csv_files import TOLD_TYPES, CsvReading, csv_reading, first_with_rows
from petree.partitions.reading.pieces import Piece, RecordBatch, Schema, Supply, naming, pieces_of_rows
from petree.partitions.reading.row_groups import batches_of_groups

Dataset: TypeAlias = Any  # a pyarrow.dataset.Dataset
Fragment: TypeAlias = Any  # a pyarrow.dataset.Fragment
ArrowType: TypeAlias = Any

CSV_ENDS = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz")
PARQUET_ENDS = (".parquet", ".pq")
# Batches that pyarrow reads ahead.
READAHEAD = 1


@dataclass(frozen=True)
class FilePiece:
    """Rows of a file."""

    fragment: Fragment
    schema: Schema
    name: str
    groups: tuple[int, ...] = ()
    can_travel: bool = True
    reading: CsvReading | None = None

    def fingerprint(self) -> list[Any]:
        path = self.fragment.path
        info = self.fragment.filesystem.get_file_info(path)
        how = [] if self.reading is None else self.reading.fingerprint()
        return [path, info.size, info.mtime_ns, list(self.groups), *how]

    def batches(self, columns: Sequence[str], n_rows: int) -> Iterator[RecordBatch]:
        with naming(self.name):
            if self.groups:
                yield from batches_of_groups(self.fragment, self.schema, columns, self.groups, n_rows)
                return
            for batch in self.fragment.to_batches(
                schema=self.schema,
                columns=list(columns),
                batch_size=n_rows,
                batch_readahead=READAHEAD,
                fragment_readahead=1,
            ):
                yield batch if self.reading is None else self.reading.converted(batch, self.name)


def supply_of_path(path: Path, told: Mapping[str, str]) -> Supply:
    """All Parquet or all CSV files of a folder, in the order of their names, or one file."""
    if not path.exists():
        raise FileNotFoundError(f"There is no folder or file {path}.")
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if _is_data(path, file))
    ends = {_kind(file) for file in files}
    if len(ends) != 1 or None in ends:
        raise ValueError(
            f"{path} must hold Parquet files or CSV files (*.parquet, *.csv), and one of both kinds alone."
        )
    is_csv = ends == {"csv"}
    names = [str(file) for file in files]
    options = {} if path.is_file() else {"partitioning": "hive", "partition_base_dir": str(path)}

    def dataset_of(form: Any) -> Dataset:
        with naming(str(path)):
            try:
                return pyarrow.dataset.dataset(names, format=form, **options)
            except pyarrow.ArrowInvalid:
                if not is_csv:  # pyarrow does not name a column that occurs twice
                    check_distinct(pyarrow.parquet.read_schema(names[0]).names, files[0])
                raise

    if not is_csv:
        dataset = dataset_of("parquet")
        return _with_notes(supply_of_dataset(dataset, told), _left_out(dataset))
    first = first_with_rows(files)
    reading = csv_reading(files[first], told)
    dataset = dataset_of(reading.format)
    others = _saying_more(dataset, first)
    for file, before in others:
        reading = reading.along_with(csv_reading(Path(file), told), before)
    dataset = dataset_of(reading.format) if others else dataset
    guessed = [f"Guessed from the first lines of the files: {sentence}" for _, sentence in reading.notes]
    return _with_notes(supply_of_dataset(dataset, told, reading), [*guessed, *_left_out(dataset)])


def _with_notes(supply: Supply, notes: Iterable[str]) -> Supply:
    return replace(supply, notes=tuple(notes))


def _left_out(dataset: Dataset) -> Iterator[str]:
    """Sentences on columns of later files that are not read, since the first file lacks them."""
    first, *others = dataset.get_fragments()
    told = set(dataset.schema.names)
    for fragment in others:
        for name in _physical(fragment).names:
            if name not in told:
                told.add(name)
                yield (
                    f"Column {name!r} of {fragment.path} is left out, since {first.path} lacks it; to learn from it, "
                    "write it to all files."
                )


def _saying_more(dataset: Dataset, first: int) -> list[tuple[str, dict[str, ArrowType]]]:
    """Files after the first one with rows that have text among its numbers, or something in columns that were empty.

    Each comes with the types of all columns in the files before it.
    """
    found = []
    before: dict[str, ArrowType] = {}
    for place, fragment in enumerate(dataset.get_fragments()):
        own = {field.name: field.type for field in _physical(fragment)}
        before = {name: pyarrow.null() for name in own} | before
        if place > first and any(_says_more(before[name], kind) for name, kind in own.items()):
            found.append((fragment.path, before))
        before = before | {name: kind for name, kind in own.items() if types.is_null(before[name])}
    return found


def _says_more(before: ArrowType, kind: ArrowType) -> bool:
    is_new = types.is_null(before) and not types.is_null(kind)
    return is_new or (_is_number(before) and _is_text(kind))


def _is_data(folder: Path, file: Path) -> bool:
    parts = file.relative_to(folder).parts
    return file.is_file() and not any(part.startswith((".", "_")) for part in parts)


def _kind(file: Path) -> str | None:
    name = file.name.lower()
    return "csv" if name.endswith(CSV_ENDS) else "parquet" if name.endswith(PARQUET_ENDS) else None


def supply_of_dataset(dataset: Dataset, told: Mapping[str, str], reading: CsvReading | None = None) -> Supply:
    """The pieces of a data set of files; a file that lacks a column or has another type in it is refused by name."""
    fragments = list(dataset.get_fragments())
    if not fragments:
        raise ValueError("The data set has no files.")
    if not isinstance(dataset, pyarrow.dataset.FileSystemDataset):
        raise TypeError(f"petree reads data sets of files, not a {type(dataset).__name__}; pass its batches instead.")
    is_csv = not isinstance(fragments[0], pyarrow.dataset.ParquetFileFragment)
    told_types = {name: TOLD_TYPES[kind] for name, kind in told.items() if is_csv} if reading is None else reading.types
    schema = _common_schema(dataset, fragments, told_types)
    if reading is not None:
        csv_pieces = [FilePiece(fragment, schema, fragment.path, reading=reading) for fragment in fragments]
        return Supply(tuple(csv_pieces), reading.schema(schema))
    pieces = [piece for fragment in fragments for piece in _pieces_of(fragment, schema)]
    return Supply(tuple(pieces), schema)


def _pieces_of(fragment: Fragment, schema: Schema) -> list[Piece]:
    name = fragment.path
    if not isinstance(fragment, pyarrow.dataset.ParquetFileFragment):
        return [FilePiece(fragment, schema, name)]
    with naming(name):
        n_rows = [group.num_rows for group in fragment.row_groups]
    bounds = pieces_of_rows(n_rows)
    if len(bounds) == 1:
        return [FilePiece(fragment, schema, name, tuple(range(len(n_rows))))]
    return [
        FilePiece(
            fragment.subset(row_group_ids=list(range(*bound))), schema, _of_groups(name, bound), tuple(range(*bound))
        )
        for bound in bounds
    ]


def _of_groups(name: str, bound: tuple[int, int]) -> str:
    first, behind = bound
    return f"{name} (row group {first})" if behind == first + 1 else f"{name} (row groups {first} to {behind - 1})"


# -- the same columns in all files ---------------------------------------------------------------------------------


def _common_schema(dataset: Dataset, fragments: Sequence[Fragment], told: Mapping[str, ArrowType]) -> Schema:
    is_csv = not isinstance(fragments[0], pyarrow.dataset.ParquetFileFragment)
    kinds = {field.name: field.type for field in dataset.schema}
    first = fragments[0]
    in_files = set(_physical(first).names)
    for fragment in fragments[1:]:
        own = _physical(fragment)
        for name in kinds:
            if name in in_files and name not in own.names:
                raise ValueError(
                    f"{fragment.path} has no column {name!r}, which {first.path} has; write the file again, or take it "
                    "away."
                )
            if name in own.names:
                kinds[name] = _common_type(name, kinds[name], own.field(name).type, fragment.path, is_csv)
    if is_csv:  # bytes that are no text are refused where they are read, by the name of their file
        kinds = {name: pyarrow.string() if types.is_binary(kind) else kind for name, kind in kinds.items()}
    kinds |= {name: kind for name, kind in told.items() if name in kinds}
    return pyarrow.schema(list(kinds.items()))


def _physical(fragment: Fragment) -> Schema:
    with naming(fragment.path):
        schema = fragment.physical_schema
        names = list(schema.names)  # decoded only now, and may not be text
    check_distinct(names, Path(fragment.path))
    return schema


def _common_type(name: str, one: ArrowType, other: ArrowType, path: str, is_csv: bool) -> ArrowType:
    """A type that holds the values of both; of CSV files, whose types are guessed, text holds everything."""
    if one == other or types.is_null(other):
        return one
    if types.is_null(one):
        return other
    if _is_number(one) and _is_number(other):
        both_whole = types.is_integer(one) and types.is_integer(other)
        return pyarrow.int64() if both_whole else pyarrow.float64()
    if _is_text(one) and _is_text(other):
        return pyarrow.string()
    if is_csv:
        return pyarrow.string()
    raise ValueError(
        f"Column {name!r} of {path} is of type {other}, but in files before it of type {one}; write the file again, or "
        "take it away."
    )


def _is_number(kind: ArrowType) -> bool:
    return bool(types.is_integer(kind) or types.is_floating(kind))


def _is_text(kind: ArrowType) -> bool:
    if types.is_dictionary(kind):
        return not kind.ordered and _is_text(kind.value_type)
    return bool(types.is_string(kind) or types.is_large_string(kind))
