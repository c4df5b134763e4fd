"""Reading costs what the file is large: work is counted, or compared between sizes with much room."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from tests.files.tables import write

from petree import inputs, unpacking
from petree.files import FileTable, read_table
from petree.files.arff import _fields
from petree.files.table import check_names

# Of four times the size: linear work takes 4 times as long, quadratic work 16 times.
FOUR_TIMES = 4
MOST_RATIO = 10


def wide_csv(n_columns: int) -> str:
    return "\n".join(",".join(f"{prefix}{j}" for j in range(n_columns)) for prefix in ("c", "1"))


def wide_arff(n_columns: int) -> str:
    head = "".join(f"@attribute c{j} numeric\n" for j in range(n_columns))
    return f"{head}@data\n{','.join(map(str, range(n_columns)))}\n"


class Counted(str):
    """A name that counts how often it is compared."""

    times = 0

    def __eq__(self, other: object) -> bool:
        Counted.times += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_names_are_not_compared_with_all_others(tmp_path: Path) -> None:
    names = [Counted(f"c{j}") for j in range(1000)]
    Counted.times = 0
    check_names(names, tmp_path)
    table = FileTable(tmp_path, list(names), [np.zeros(1)] * len(names))
    table.select(names)
    inputs.check_unique(names)
    with pytest.raises(ValueError, match="'c999' occurs more than once"):
        inputs.check_unique([*names, Counted("c999")])
    assert Counted.times < 10 * len(names)


def best_of_three(work: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


@pytest.mark.parametrize(("name", "content"), [("a.csv", wide_csv), ("a.arff", wide_arff)])
def test_many_columns(tmp_path: Path, name: str, content: Callable[[int], str]) -> None:
    small = write(tmp_path / f"small-{name}", content(1000))
    large = write(tmp_path / f"large-{name}", content(1000 * FOUR_TIMES))
    assert best_of_three(lambda: read_table(large)) < MOST_RATIO * best_of_three(lambda: read_table(small))


@pytest.mark.parametrize("pattern", ["'a',{}x", "'{}", "'a'{}x,", "\"{}',", "{}'"], ids=repr)
@pytest.mark.parametrize("filling", [" ", "\\'", "',", "' "], ids=repr)
def test_quotes_and_spaces_of_arff(pattern: str, filling: str) -> None:
    lines = [pattern.format(filling * 2500 * times) for times in (1, FOUR_TIMES)]
    small, large = (best_of_three(lambda line=line: _fields(line)) for line in lines)
    assert large < MOST_RATIO * small + 0.01


def test_a_small_file_that_unpacks_to_much_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "ALWAYS_UNPACKED", 2**18)
    monkeypatch.setattr(unpacking, "MOST_GROWTH", 20)
    monkeypatch.setattr("petree.files.first_lines.beginning.text_lines", lambda *_: pytest.fail("it is read"))
    read = []
    readinto = unpacking.Unpacked.readinto
    monkeypatch.setattr(unpacking.Unpacked, "readinto", lambda *all_: read.append(readinto(*all_)) or read[-1])
    path = write(tmp_path / "a.csv.gz", gzip.compress(b"a,b\n" + b"1,2\n" * 500_000))
    with pytest.raises(
        ValueError, match=r"a\.csv\.gz unpacks to more than \d+ MiB, over 20 times its own size; .*yourself"
    ):
        read_table(path)
    assert sum(read) <= max(2**18, 20 * path.stat().st_size) + unpacking.BUFFER


def test_what_packs_well_is_read_below_the_bound(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv.gz", gzip.compress(b"a,b\n" + b"1,2\n" * 30_000))
    assert path.stat().st_size * unpacking.MOST_GROWTH < 120_000
    assert read_table(path).n_rows == 30_000


def test_a_small_parquet_file_of_very_many_rows_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(sys.modules["petree.files.parquet"], "ALWAYS_READ", 2**20)
    parquet.write_table(pyarrow.table({"a": pyarrow.repeat(1, 10_000_000)}), tmp_path / "a.parquet")
    sentence = (
        r"a\.parquet holds 10000000 rows of 1 columns, over 1000 times .*, write it as a folder of several files\.$"
    )
    with pytest.raises(ValueError, match=sentence):
        read_table(tmp_path / "a.parquet")
