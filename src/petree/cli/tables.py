"""The tables of a folder some rows at a time, and answers written as they come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import chain
from os.path import realpath
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from petree.cli.messages import put
from petree.writing import check_output, csv_text, replaced

if TYPE_CHECKING:
    from petree.files import FileTable

# A name and the values of some rows.
WrittenColumn: TypeAlias = tuple[str, Sequence[Any]]
BATCH_ROWS = 65_536
# What a column of a text file may be told to be; moments are known by how they are written.
TOLD = ("number", "nominal")
# How the names of files of answers end.
PARQUET = (".parquet", ".pq")
LINES = (".csv", ".txt", "")


def check_answers(out: Path | None, *inputs: Path) -> None:
    """Refuse a file for answers that cannot be written, that is read, or that would be of another format."""
    if out is None:
        return
    check_output(out, *inputs)
    if out.suffix.lower() not in (*PARQUET, *LINES):
        raise ValueError(
            f"{out} is of no format that predictions have; name a file like answers.csv or answers.parquet."
        )
    for folder in inputs:
        if folder.is_dir() and Path(realpath(folder)) in Path(realpath(out)).parents:
            raise ValueError(f"{out} lies in {folder}, of which all files are read; write it elsewhere.")


def tables_of(folder: Path, types: Mapping[str, str]) -> Iterator[FileTable]:
    """Some rows of the files of a folder at a time; `types` has what columns of text files are."""
    import pyarrow

    from petree.files.parquet import from_arrow
    from petree.partitions.reading.supplying import supply_of
    from petree.progress import steps

    supply = supply_of(folder, {name: kind for name, kind in types.items() if kind in TOLD}, folder)
    for piece in steps("files", supply.pieces):
        for batch in piece.batches(supply.schema.names, BATCH_ROWS):
            if batch.num_rows:
                yield from_arrow(Path(piece.name), pyarrow.Table.from_batches([batch]))


@contextmanager
def writer_to(out: Path | None) -> Iterator[_Lines | _Parquet]:
    """A writer to the screen, or to a file that is replaced at the end; Parquet if its name ends so."""
    if out is None:
        yield _Lines(None)
        return
    with replaced(out, "The predictions") as temporary:
        if out.suffix.lower() in PARQUET:
            with closing(_Parquet(temporary)) as writer:
                yield writer
        else:
            with open(temporary, "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
                yield _Lines(file)


class _Lines:
    """Lines of CSV, the names in the first one."""

    def __init__(self, file: IO[str] | None) -> None:
        self.file = file
        self.is_begun = False

    def write(self, columns: Sequence[WrittenColumn]) -> None:
        head = [] if self.is_begun else [[name for name, _ in columns]]
        self.is_begun = True
        text = csv_text(chain(head, zip(*(values for _, values in columns), strict=True)))
        if self.file is None:
            put(text, None, "The predictions")
        else:
            self.file.write(text)


class _Parquet:
    """A file of Parquet, with the types of the first rows."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.writer: Any = None

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()

    def write(self, columns: Sequence[WrittenColumn]) -> None:
        import pyarrow
        from pyarrow import parquet

        if self.writer is None:
            self.writer = parquet.ParquetWriter(self.path, pyarrow.table(dict(columns)).schema)
        self.writer.write_table(pyarrow.table(dict(columns), self.writer.schema))
