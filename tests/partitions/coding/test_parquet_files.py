"""Parquet files whose names or texts are damaged are refused by file and column."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.dataset
import pyarrow.parquet
import pytest

import petree
from petree import ProbabilityTreeClassifier, code_files
from petree.partitions.partition import CodedData

NAMES = ["x", "t", "y"]
ROWS = 40
CLASSES = ["no", "yes"] * (ROWS // 2)


def not_utf_8() -> Any:
    """Texts of which one is no text."""
    texts = pyarrow.array([b"a"] * (ROWS - 1) + [b"\xff\xfe"])
    return pyarrow.Array.from_buffers(pyarrow.string(), ROWS, texts.buffers())


def write(path: Path, texts: Any, names: list[str]) -> Path:
    path.parent.mkdir(exist_ok=True)
    numbers = pyarrow.array([row / 2 for row in range(ROWS)])
    pyarrow.parquet.write_table(pyarrow.table([numbers, texts, pyarrow.array(CLASSES)], names=names), path)
    return path


def coded(path: Path, **settings: Any) -> CodedData:
    return code_files(path, "y", path.parent / "codes", **settings)


def test_text_that_is_not_utf_8_is_refused_by_file_and_column(tmp_path: Path) -> None:
    write(tmp_path / "data" / "a.parquet", pyarrow.array(CLASSES), NAMES)
    file = write(tmp_path / "data" / "b.parquet", not_utf_8(), NAMES)
    with pytest.raises(ValueError, match=r"b\.parquet: Column 't' holds text that is not UTF-8, such as .*xff"):
        coded(file.parent)
    assert coded(file.parent, ignore=["t"]).n_rows == 2 * ROWS
    with pytest.raises(ValueError, match=r"Column 't' of .*b\.parquet cannot be read"):
        petree.read(file)
    table = pyarrow.parquet.read_table(file)
    with pytest.raises(ValueError, match="Column 't' holds text that is not UTF-8"):
        ProbabilityTreeClassifier().fit(table.drop_columns("y"), CLASSES)


@pytest.mark.parametrize("file", ["a", "b"])
def test_names_that_occur_twice_are_refused_by_file_and_name(tmp_path: Path, file: str) -> None:
    for name in ("a", "b"):
        names = ["x", "x", "y"] if name == file else ["x", "x2", "y"]
        write(tmp_path / "data" / f"{name}.parquet", pyarrow.array(range(ROWS)), names)
    with pytest.raises(ValueError, match=rf"{file}\.parquet has two columns named 'x'; rename one of them"):
        coded(tmp_path / "data")
    with pytest.raises(ValueError, match=rf"{file}\.parquet has two columns named 'x'; rename one of them"):
        petree.read(tmp_path / "data" / f"{file}.parquet")
