"""Tables by chance, and the files that hold them."""

from __future__ import annotations

import csv
import gzip
import io
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tests.files.tables import plain
from tests.fuzzing.tables_mutation import NASTY, mutated

from petree import inputs
from petree.files import FileTable, read_table

Columns = dict[str, list[Any]]  # numbers or text, None where missing

LETTERS = "abcXY z_é'\",;\t{}%@?\\#-.1\n"
MOST_ROWS = 20


def random_text(chance: Random, most: int = 8, letters: str = LETTERS) -> str:
    return "".join(chance.choice(letters) for _ in range(chance.randint(1, most)))


def random_columns(chance: Random, letters: str = LETTERS) -> Columns:
    """Columns of numbers and of text that no reader can take for numbers or for missing values."""
    n_rows = chance.randint(1, MOST_ROWS)
    names = {f"{random_text(chance, letters=letters).strip()}{j}" for j in range(chance.randint(2, 6))}
    return {
        name: [random_value(chance, is_text=j % 2 == 1, letters=letters) for _ in range(n_rows)]
        for j, name in enumerate(sorted(names))
    }


def random_value(chance: Random, is_text: bool, letters: str) -> Any:
    if chance.random() < 0.1:
        return None
    if is_text:
        return f"v{random_text(chance, letters=letters).strip()}w"
    return chance.choice((float(chance.randint(-9, 9)), chance.gauss(0, 1), chance.gauss(0, 1) * 1e200))


def csv_content(chance: Random, columns: Columns) -> bytes:
    stream = io.StringIO()
    dialect = {"delimiter": chance.choice(",;\t"), "lineterminator": chance.choice(("\n", "\r\n"))}
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL, **dialect)
    writer.writerow(columns)
    writer.writerows(zip(*([shown(value, "") for value in values] for values in columns.values()), strict=True))
    return stream.getvalue().encode()


def shown(value: Any, missing: str) -> str:
    return missing if value is None else value if isinstance(value, str) else repr(value)


def arff_content(chance: Random, columns: Columns) -> bytes:
    lines = [f"@attribute {arff_quoted(name)} {arff_kind(values)}" for name, values in columns.items()]
    rows = zip(*([arff_value(value) for value in values] for values in columns.values()), strict=True)
    space = chance.choice(("", " ", "  "))
    return "\n".join([*lines, "@data", *(f"{space},{space}".join(row) for row in rows), ""]).encode()


def arff_kind(values: list[Any]) -> str:
    words = sorted({value for value in values if isinstance(value, str)})
    return f"{{{','.join(map(arff_quoted, words))}}}" if words else "numeric"


def arff_value(value: Any) -> str:
    return arff_quoted(value) if isinstance(value, str) else shown(value, "?")


def arff_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def parquet_content(_: Random, columns: Columns) -> bytes:
    import pyarrow
    from pyarrow import parquet

    stream = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), stream)
    return stream.getvalue()


def odd_parquet(chance: Random) -> bytes:
    """Columns of types that not every reader expects."""
    import pyarrow
    from pyarrow import parquet

    odd = [
        pyarrow.array([1, 2**62, None]),
        pyarrow.array([2**64 - 1, 1, None], pyarrow.uint64()),
        pyarrow.array([1, 2, None], pyarrow.int8()).dictionary_encode(),
        pyarrow.array([Decimal("1e30"), Decimal(2), None]),
        pyarrow.array([Decimal("1.5"), Decimal(2), None]),
        pyarrow.array([1.0, float("inf"), None], pyarrow.float32()),
        pyarrow.array([b"\xff", b"a", None]),
        pyarrow.array(["a", "\0", None]).dictionary_encode(),
        pyarrow.array(["a", None, "b" * 1000], pyarrow.large_string()),
        pyarrow.array([[1], [], None]),
        pyarrow.array([date(2020, 1, 1), None, None]),
        pyarrow.array([{"a": 1}, None, None]),
        pyarrow.nulls(3),
    ]
    chosen = chance.sample(odd, chance.randint(1, 3))
    names = chance.choices(("a", "b", "c", "d", "", "é"), k=len(chosen))
    stream = io.BytesIO()
    parquet.write_table(pyarrow.table(chosen, names=names), stream)
    return stream.getvalue()


CONTENTS = {"csv": csv_content, "arff": arff_content, "parquet": parquet_content}


def read_all(path: Path) -> FileTable:
    """From the file to typed columns; `TypeError` may tell of columns that `inputs` does not take."""
    table = read_table(path)
    inputs.table_of(table.select(table.names))
    return table


class FileCases:
    """Files of one format: whole ones, which are read as they were written, damaged ones, and heaps of bytes."""

    def __init__(self, suffix: str, folder: Path):
        self.suffix, self.folder = suffix, folder

    def __call__(self, chance: Random) -> None:
        columns = random_columns(chance, LETTERS.replace("\n", "") if self.suffix == "arff" else LETTERS)
        content = CONTENTS[self.suffix](chance, columns)
        if chance.random() < 0.1:
            self.check_whole(content, columns)
            return
        if self.suffix == "parquet" and chance.random() < 0.3:
            self.read(odd_parquet(chance), self.suffix)
            return
        is_heap = chance.random() < 0.2 and self.suffix != "parquet"
        content = b"".join(chance.choices(NASTY, k=chance.randint(0, 60))) if is_heap else mutated(chance, content)
        if chance.random() < 0.1 and self.suffix != "parquet":
            packed = gzip.compress(content, mtime=0)
            self.read(mutated(chance, packed) if chance.random() < 0.5 else packed, f"{self.suffix}.gz")
        else:
            self.read(content, self.suffix)

    def check_whole(self, content: bytes, columns: Columns) -> None:
        try:
            found = plain(self.read(content, self.suffix))
        except (ValueError, TypeError) as error:
            raise AssertionError(f"a whole file is refused: {error}") from error
        if found != columns:
            raise AssertionError(f"read {found}, written {columns}")

    def read(self, content: bytes, suffix: str) -> FileTable:
        path = self.folder / f"case.{suffix}"
        path.write_bytes(content)
        return read_all(path)


@cache
def has_pyarrow() -> bool:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return False
    return True
