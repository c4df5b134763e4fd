"""Large files, cut by pyarrow, beside our own reader: the same tables, notes and sentences."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.files.tables import write
from tests.files.test_nasty import EXPECTED, NASTY

import petree
from petree.files import FileTable, Reading, delimited, read_table

arrow = pytest.importorskip("petree.files.arrow")


def read_by(monkeypatch: pytest.MonkeyPatch, large: int, path: Path, **how: Any) -> Any:
    """All that a file gives, as text, or the sentence that refuses it."""
    monkeypatch.setattr(delimited, "LARGE", large)
    try:
        table = read_table(path, Reading(**how))
    except ValueError as refusal:
        return str(refusal)
    return shown(table)


def shown(table: FileTable) -> tuple[Any, ...]:
    columns = [(values.dtype.kind, [repr(value) for value in values.tolist()]) for values in table.columns]
    assert table.lines is not None
    return table.names, columns, table.lines.tolist(), table.told, table.large, table.unread


@pytest.fixture
def cuts(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether pyarrow cut each file that was read."""
    known: list[bool] = []
    cut = arrow.cut

    def noted(*all_: Any) -> Any:
        columns = cut(*all_)
        known.append(columns is not None)
        return columns

    monkeypatch.setattr(arrow, "cut", noted)
    return known


def test_every_nasty_file(monkeypatch: pytest.MonkeyPatch, cuts: list[bool]) -> None:
    for name, expected in EXPECTED.items():
        how = {key: value for key, value in expected.get("how", {}).items() if key not in ("ignore", "columns")}
        own = read_by(monkeypatch, sys.maxsize, NASTY / name, **how)
        assert read_by(monkeypatch, 0, NASTY / name, **how) == own, name
    assert sum(cuts) >= 30


WORDS = st.sampled_from(
    ["1", "-2.5", "+3", "1e400", "nan(1)", "007", "0", "1,5", "1.234", "1_0", "\uff19", "NA", "?", ""]
)
MOMENTS = st.sampled_from(["2024-01-02", "13.02.2024", "01/02/2024", "12:30", "3 days", "n.a.", "-", str(2**60)])
ODD = st.text(st.sampled_from('a"\n\r, ;\t\u00a0\x1c\x85ß0'), max_size=4)
QUOTING = st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """A table of a few rows as some program writes it, or as a careless person does."""
    cells = draw(st.sampled_from([WORDS, MOMENTS, ODD, st.one_of(WORDS, MOMENTS), st.one_of(WORDS, ODD)]))
    rows = draw(st.lists(st.lists(cells, min_size=2, max_size=2), min_size=1, max_size=6))
    delimiter = draw(st.sampled_from(",;\t|"))
    newline = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    text = io.StringIO(newline="")
    if draw(st.booleans()):
        csv.writer(text, delimiter=delimiter, lineterminator=newline, quoting=draw(QUOTING)).writerows(
            [["a", "b"], *rows]
        )
    else:
        text.write(newline.join(delimiter.join(row) for row in [["a", "b"], *rows]))
    text.write(draw(st.sampled_from(["", newline, newline * 3, "x"])))
    return text.getvalue().encode(draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"])), "replace")


@settings(max_examples=50)
@given(files(), st.sampled_from([1, 7, 2**23]))
@example(b'a,b\n1,"x\ny"\n', 2**23)
@example(b"a,b\n1,2\n\n3,4\n", 1)
@example(b"a,b\n1,2\n3\n", 2**23)
@example(b'a,b\n1, "2"\n', 2**23)
@example(b'a,b\n1,"2"3\n', 2**23)
@example(b"a,b\n1,2\r\r\n3,4\n", 2**23)
@example(b"a,b\n1,\xff\n", 2**23)
@example(b"a,b\n1,\0\n", 2**23)
def test_random_files(tmp_path_factory: pytest.TempPathFactory, content: bytes, block: int) -> None:
    path = write(tmp_path_factory.mktemp("random") / "a.csv", content)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(arrow, "BLOCK", block)
        assert read_by(monkeypatch, 0, path) == read_by(monkeypatch, sys.maxsize, path)


def test_a_file_above_the_bound_is_cut_by_pyarrow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cuts: list[bool]
) -> None:
    random = np.random.default_rng(0)
    rows = [
        f'{a!r},{b},"{c}",2024-01-{d:02},id-{k:05}'
        for k, (a, b, c, d) in enumerate(
            zip(
                random.normal(size=1000).tolist(),
                random.choice(["x", "NA", "y y"], 1000),
                random.integers(0, 3, 1000),
                random.integers(1, 29, 1000),
                strict=True,
            )
        )
    ]
    path = write(tmp_path / "a.csv", "number,word,quoted,day,id\n" + "\n".join(rows))
    n_bytes = path.stat().st_size
    assert read_by(monkeypatch, n_bytes, path) == read_by(monkeypatch, n_bytes + 1, path)
    assert cuts == [True]
    monkeypatch.setattr(delimited, "find_spec", lambda _: None)
    assert list(petree.read(path)) == ["number", "word", "quoted", "day", "id"]
    assert cuts == [True]


def test_ragged_rows_are_told_by_their_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.csv", "a,b\n1,2\n3,4\n5\n")
    assert "Line 4 of" in read_by(monkeypatch, 0, path)


def test_labels_and_told_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.csv", "a,b,c\n1,x,01\nn_a,n_a,2\n3,y,3\n")
    for types in ({"a": "label"}, {"b": "nominal"}, {"c": "number"}, {"a": "date"}):
        how: dict[str, Any] = {"types": types, "missing_values": ["n_a"]}
        assert read_by(monkeypatch, 0, path, **how) == read_by(monkeypatch, sys.maxsize, path, **how)


def test_spaces_are_those_of_python() -> None:
    assert "".join(filter(str.isspace, map(chr, range(sys.maxunicode + 1)))) == arrow.SPACES
