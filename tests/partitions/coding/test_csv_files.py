"""CSV files of a folder are read as a single one is."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
from pyarrow import compute

from petree import ProbabilityTreeClassifier, code_files, read
from petree.columns import NOMINAL, NUMBER
from petree.files.numerals import COMMA, POINT, Style
from petree.partitions import CodedData
from petree.partitions.reading.pieces import UnreadableError
from petree.partitions.reading.supplying import supply_of

ROWS = 400
GUESSED = "Guessed from the first lines of the files"
WORDS = ("-", "?", "n.a.", "NA")


def write(path: Path, delimiter: str = ",", seed: int = 0, **others: Any) -> Path:
    """A file in which numbers have words among them, and codes begin with a nought."""
    random = np.random.default_rng(seed)
    numbers = random.random(ROWS).round(3).tolist()
    columns: dict[str, Any] = {
        "size": [number if place % 9 else WORDS[place % 4] for place, number in enumerate(numbers)],
        "tone": random.choice(["red", "-", "blue", "?"], ROWS).tolist(),
        "zip": [f"0{code}" for code in random.integers(1000, 1030, ROWS)],
        "y": ["yes" if number > 0.5 else "no" for number in numbers],
        **others,
    }
    lines = [delimiter.join(map(str, row)) for row in [list(columns), *zip(*columns.values(), strict=True)]]
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n")
    return path


def coded(folder: Path, codes: Path) -> tuple[CodedData, list[str]]:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        return code_files(folder, "y", codes), [str(one.message) for one in told]


@pytest.mark.parametrize(
    ("delimiter", "price", "note"),
    [
        (",", "1500", None),
        (";", "1.500,5", "column 'price' holds numbers with a decimal comma: '1.500,5' is 1500.5."),
        ("\t", "1,500.5", "column 'price' holds numbers with signs between thousands: '1,500.5' is 1500.5."),
        ("|", "-", "in column 'price' '-' is read as missing."),
    ],
)
def test_a_folder_is_read_as_one_file(tmp_path: Path, delimiter: str, price: str, note: str | None) -> None:
    prices = [price] * 100 + [str(5 * place) for place in range(ROWS - 100)]
    path = write(tmp_path / "data" / "a.csv", delimiter, price=prices)
    table = read(path)
    data, told = coded(path.parent, tmp_path / "codes")
    kinds = {column.column.name: column.column.kind for column in data.columns}
    assert kinds == {"size": NUMBER, "tone": NOMINAL, "zip": NOMINAL, "price": NUMBER}
    for column in data.columns:
        values = table[column.column.name]
        assert column.has_missing == any(one is None or one != one for one in values.tolist())
    assert data.columns[1].column.categories == ("-", "blue", "red")
    assert told == [f"{GUESSED}: {sentence}" for sentence in table.notes if "'tone'" not in sentence]
    assert note is None or f"{GUESSED}: {note}" in told
    parameters = {"pruning": "bic", "smoothing": "laplace", "split": "gini"}
    one = ProbabilityTreeClassifier(**parameters).fit(table.without("y"), table["y"])
    of_folder = ProbabilityTreeClassifier(**parameters).fit(data)
    np.testing.assert_allclose(of_folder.predict_proba(table.without("y")), one.predict_proba(table.without("y")))
    answers = np.concatenate(list(of_folder.predict_batches(path.parent)))
    np.testing.assert_allclose(answers, one.predict_proba(table.without("y")))


def test_words_among_the_numbers_of_another_file(tmp_path: Path) -> None:
    first = write(tmp_path / "data" / "a.csv", size=[0.5] * ROWS)
    write(tmp_path / "data" / "b.csv", seed=1)
    supply = supply_of(first.parent, {}, tmp_path)
    rows = [batch for piece in supply.pieces for batch in piece.batches(["size"], 10**6)]
    found = np.concatenate([batch.column(0).to_numpy(zero_copy_only=False) for batch in rows])
    np.testing.assert_array_equal(found[ROWS:], read(tmp_path / "data" / "b.csv")["size"])
    assert any("in column 'size'" in note for note in supply.notes)


def test_text_where_numbers_were_expected_is_named(tmp_path: Path) -> None:
    write(tmp_path / "data" / "a.csv", price=["1,000"] * ROWS, delimiter=";")
    later = [*["1,000"] * (ROWS - 1), "dear"]
    write(tmp_path / "data" / "b.csv", price=later, delimiter=";")
    with pytest.raises(ValueError, match=r"Column 'price' holds numbers .*'dear'.* types=\{'price': 'nominal'\}"):
        coded(tmp_path / "data", tmp_path / "codes")


def numbers_of(folder: Path, told: dict[str, str] | None = None, **files: str) -> list[Any]:
    """The values of the column x of files that have these texts."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.csv").write_bytes(text.encode())
    supply = supply_of(folder, told or {}, folder)
    rows = [batch for piece in supply.pieces for batch in piece.batches(["x"], 10**6)]
    return [value for batch in rows for value in batch.column(0).to_pylist()]


def lines(*values: str) -> str:
    """A file of a column x and another one, between semicolons."""
    return "x;z\n" + "".join(f"{value};a\n" for value in values)


@pytest.mark.parametrize(
    ("first", "second", "odd"),
    [
        (("1.5", "-", "2.5"), ("1,5", "2,5"), "1,5"),
        (("1,5",), ("1.5",), "1.5"),
        (("1.5", "-"), ("1,2,3",), "1,2,3"),
        (("1.5", "-"), ("3 5",), "3 5"),
        (("1.5", "-"), ("1,000 000",), "1,000 000"),
        (("1,5", "-"), ("3'5",), "3'5"),
    ],
)
def test_signs_are_no_signs_between_thousands_anywhere(
    tmp_path: Path, first: tuple[str, ...], second: tuple[str, ...], odd: str
) -> None:
    with pytest.raises(
        ValueError, match=rf"Column 'x' holds numbers .*but [\"']{odd}[\"'] in .*b\.csv; say .*'nominal'"
    ):
        numbers_of(tmp_path / "data", a=lines(*first), b=lines(*second))


def test_another_way_to_write_numbers_late_in_a_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"Column 'x' .*'2,5' in .*a\.csv"):
        numbers_of(tmp_path / "data", a=lines("-", *["1.5"] * 250_000, "2,5"))


@pytest.mark.parametrize("n_odd", [1, 5, 11])
@pytest.mark.parametrize(("most", "odd"), [("1.5", "1,5"), ("1,5", "1.5")])
def test_two_ways_to_write_numbers_are_refused(tmp_path: Path, most: str, odd: str, n_odd: int) -> None:
    values = [odd] * n_odd + [most] * (30 - n_odd) + ["-"]
    with pytest.raises(UnreadableError, match=rf"'x' holds .*, but '{odd}' in .*a.csv; .*types=\{{'x': 'nominal'\}}"):
        numbers_of(tmp_path / "data", a=lines(*values))
    assert numbers_of(tmp_path / "data", {"x": "nominal"}, a=lines(*values)) == values
    piece = supply_of(tmp_path / "data", {}, tmp_path).pieces[0]
    assert sum(batch.num_rows for batch in piece.batches(["z"], 10)) == len(values)  # other columns can be read


def test_columns_that_only_later_files_have_are_named(tmp_path: Path) -> None:
    write(tmp_path / "data" / "a.csv")
    write(tmp_path / "data" / "b.csv", age=range(ROWS))
    write(tmp_path / "data" / "c.csv", age=range(ROWS), town=["x"] * ROWS)
    codes, told = coded(tmp_path / "data", tmp_path / "codes")
    assert [column.column.name for column in codes.columns] == ["size", "tone", "zip"]
    assert [one for one in told if "left out" in one] == [
        f"Column {name!r} of {tmp_path / 'data' / file} is left out, since {tmp_path / 'data' / 'a.csv'} lacks it; to "
        "learn from it, write it to all files."
        for name, file in (("age", "b.csv"), ("town", "c.csv"))
    ]


def test_signs_between_thousands_of_another_file(tmp_path: Path) -> None:
    found = numbers_of(tmp_path / "data", a=lines("1.5", "-", "inf"), b=lines("1,000", "1'000'000.5", "+2e3"))
    assert found == [1.5, None, np.inf, 1000, 1000000.5, 2000]


def test_spaces_around_names(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("y, x\na, 1.5\nb, -\n")
    (piece,) = supply_of(tmp_path, {}, tmp_path).pieces
    (batch,) = piece.batches([" x"], 100)
    assert batch.column(0).to_pylist() == [1.5, None]


def as_one(path: Path) -> list[Any]:
    """The column x of a file, as `petree.read` has it."""
    return [None if value != value else value for value in read(path)["x"].tolist()]


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffx;z\n1,5;a\n-;b\n",
        "x,z\n1.5, a\n ?,b\n2.5 ,c\n",
        "x,z\n red,a\nred,b\n ?,c\n",
        "x, z\n1.5,a\n -,b\n",
    ],
)
def test_marks_and_spaces_are_no_part_of_values(tmp_path: Path, text: str) -> None:
    assert numbers_of(tmp_path / "data", a=text) == as_one(tmp_path / "data" / "a.csv")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("1", "2"), ("1,5", "2")),
        ((), ("1,5", "-")),
        ((), ("1.5", "-", "2.5")),
        (("", ""), ("1,5", "2")),
        (("", ""), ("012", "013")),
        (("", "?"), ("1.5", "-")),
    ],
)
def test_another_file_says_how_a_column_is_written(
    tmp_path: Path, first: tuple[str, ...], second: tuple[str, ...]
) -> None:
    folder = tmp_path / "data"
    found = numbers_of(folder, a=lines(*first), b=lines(*second))
    assert found[len(first) :] == as_one(folder / "b.csv")
    assert supply_of(folder, {}, folder).notes


def test_points_and_commas_do_not_become_text(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"Column 'x' holds numbers .*'2,5' in .*b\.csv"):
        numbers_of(tmp_path / "data", a=lines("1.5"), b=lines("2,5"))


@pytest.mark.parametrize("name", ["a", "b"])
def test_a_column_that_read_refuses_is_told(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "data"
    texts = {"a": lines("1.5"), "b": lines("2.5"), name: lines(*["1.5"] * 99, "dear")}
    numbers_of(folder, **texts)
    (note,) = supply_of(folder, {}, folder).notes
    assert f"Column 'x' of {folder / name}.csv holds numbers but for 'dear', first in line 101" in note
    assert not supply_of(folder, {"x": "nominal", "of no file": "nominal"}, folder).notes


def test_dates_with_words_among_them_are_told_to_be_text(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    assert numbers_of(folder, a=lines("2024-01-01", "-")) == ["2024-01-01", "-"]
    assert supply_of(folder, {}, folder).notes == (
        f"{GUESSED}: column 'x' is text: dates are read where all files have ISO dates alone.",
    )


@pytest.mark.parametrize("texts", [("5%", "7%"), (".5e3", "-")])
def test_numbers_that_are_read_in_single_files_alone_are_told_to_be_text(
    tmp_path: Path, texts: tuple[str, str]
) -> None:
    folder = tmp_path / "data"
    assert numbers_of(folder, a=lines(*texts)) == list(texts)
    (note,) = supply_of(folder, {}, folder).notes
    assert note.startswith(f"{GUESSED}: column 'x' is text: its numbers are written in a way, such as with signs of ")


def test_types_of_columns_that_are_not_there(tmp_path: Path) -> None:
    told = {"of no file": "nominal"}
    assert numbers_of(tmp_path / "data", told, a=lines("1"), b=lines("1,5")) == [1, 1.5]


@pytest.mark.parametrize("other", ["x;z\n1;caf\u00e9\n", "x;caf\u00e9\n1;2\n", "x;z;\u00e9\n1;2;3\n"])
@pytest.mark.parametrize("name", ["a", "b"])
def test_text_that_is_not_utf_8_is_named(tmp_path: Path, name: str, other: str) -> None:
    write(tmp_path / "data" / "a.csv", ";").write_text("x;z\n1;a\n")
    write(tmp_path / "data" / "b.csv", ";").write_text("x;z\n1;a\n")
    (tmp_path / "data" / f"{name}.csv").write_bytes(other.encode("cp1252"))
    with pytest.raises(ValueError, match=rf"{name}\.csv (cannot be read: .*UTF8|has names that are not UTF-8)"):
        code_files(tmp_path / "data", "z", tmp_path / "codes")


def test_semicolons_of_files_that_cannot_be_looked_at(tmp_path: Path) -> None:
    assert numbers_of(tmp_path / "head", a="x;z\n") == []
    with pytest.raises(ValueError, match=r"a\.csv.*multiple columns named x"):
        numbers_of(tmp_path / "two", a="x;x\n1;2\n")
    (tmp_path / "windows").mkdir()
    (tmp_path / "windows" / "a.csv").write_bytes("x;z\n1,5;caf\u00e9\n".encode("cp1252"))
    assert numbers_of(tmp_path / "windows") == [1.5]
    (tmp_path / "wide").mkdir()
    (tmp_path / "wide" / "a.csv").write_bytes("x;z\n1;2\n".encode("utf-16"))
    with pytest.raises(ValueError, match=r"a\.csv is UTF-16 text"):
        numbers_of(tmp_path / "wide")
    with pytest.raises(ValueError, match=r"The columns of .*a\.csv are separated by spaces"):
        numbers_of(tmp_path / "spaces", a="x y z\n1  2 a\n3  4 b\n")
    with pytest.raises(ValueError, match=r"a\.csv begins with comments; write it again without them"):
        numbers_of(tmp_path / "comments", a="# words\nx,z\n1,2\n")
    with pytest.raises(ValueError, match=r"a\.csv has no line with the names of its columns; write it again"):
        numbers_of(tmp_path / "rows", a="1,red\n2,red\n")


def test_warnings_show_the_line_that_called(tmp_path: Path) -> None:
    folder = write(tmp_path / "data" / "a.csv").parent
    for call in (
        lambda: code_files(folder, "y", tmp_path / "codes"),
        lambda: ProbabilityTreeClassifier(pruning="bic").fit(folder, "y"),
    ):
        with pytest.warns(UserWarning, match=GUESSED) as told:
            call()
        assert {one.filename for one in told if GUESSED in str(one.message)} == {__file__}


@pytest.mark.parametrize("style", [POINT, COMMA])
def test_both_patterns_of_a_style_are_the_same(style: Style) -> None:
    random = np.random.default_rng(0)
    signs = ["1", "23", "456", "000", ".", ",", "'", " ", "\u00a0", "-", "e5", "E-2"]
    texts = ["".join(random.choice(signs, random.integers(1, 7))) for _ in range(20_000)]
    found = compute.match_substring_regex(pyarrow.array(texts), style.plain_pattern).to_pylist()
    assert found == [style.fits([text]) for text in texts]
    assert 500 < sum(found) < 10_000


def test_thousands_with_points_where_another_column_has_decimal_commas(tmp_path: Path) -> None:
    salaries = [f"{place % 9 + 1}.{place:03d}" for place in range(ROWS)]
    shares = [f"0,{place % 90 + 10}" for place in range(ROWS)]
    path = write(tmp_path / "data" / "a.csv", ";", salary=salaries, share=shares)
    data, told = coded(tmp_path / "data", tmp_path / "codes")
    salary = next(column for column in data.columns if column.column.name == "salary")
    assert read(path)["salary"].min() == 1000
    assert salary.thresholds[0] > 1000
    assert any("column 'salary' holds numbers with a decimal comma" in sentence for sentence in told)


def test_a_column_that_read_leaves_out_is_told(tmp_path: Path) -> None:
    lines = [",size,y", *(f"{place},{place % 7},{'yes' if place % 7 > 3 else 'no'}" for place in range(ROWS))]
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv").write_text("\n".join(lines) + "\n")
    _, told = coded(tmp_path / "data", tmp_path / "codes")
    assert any("column '' is read, where petree.read leaves it out" in sentence for sentence in told)
