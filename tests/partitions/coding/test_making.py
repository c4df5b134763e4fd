"""Data in parts have the codes of the same rows in memory."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow
import pyarrow.dataset
import pytest
from tests.partitions.executor import ByExecutor
from tests.partitions.tables import arrow, frame, in_memory, plain, write_folder

from petree.inputs.identifiers import IdentifierWarning
from petree.partitions import CodedData, Coding, PartitionError, as_coded, code_files, open_codes, use
from petree.partitions.coding import looking, sketches

pytestmark = pytest.mark.filterwarnings("ignore:Column '(id|nothing)'")


def assert_same(codes: CodedData, table: pd.DataFrame, weights: str | None = None) -> None:
    """That codes in parts are those of the table in memory."""
    expected, classes, given = in_memory(table, weights)
    assert list(map(plain, codes.columns)) == list(map(plain, expected.columns))
    rows = codes.whole()
    np.testing.assert_array_equal(rows.narrow, expected.narrow)
    np.testing.assert_array_equal(rows.wide, expected.wide)
    np.testing.assert_array_equal(rows.classes, classes)
    assert codes.classes.tolist() == ["no", "yes"]
    np.testing.assert_array_equal(codes.class_totals, np.bincount(classes, given))
    if given is None:
        assert rows.weights is None
    else:
        np.testing.assert_array_equal(rows.weights, given)


@pytest.mark.parametrize("weights", [None, "w"])
def test_a_folder_has_the_codes_of_the_table(tmp_path: Path, weights: str | None) -> None:
    table = frame()
    folder = write_folder(tmp_path / "data", table, [50, 51, 400])
    codes = code_files(folder, "y", tmp_path / "codes", weights=weights, n_jobs=2)
    assert_same(codes, table, weights)
    assert [part.n_rows for part in pickle.loads(pickle.dumps(codes.parts))] == [part.n_rows for part in codes.parts]
    assert_same(open_codes(tmp_path / "codes"), table, weights)


def test_order_and_parts_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sketches, "MOST_CELLS", 64)
    monkeypatch.setattr(sketches, "RANK_ERROR", 1 / 20)
    table = frame()
    first = code_files(arrow(table), "y", tmp_path / "first")
    mixed = table.sample(frac=1, random_state=0)
    folder = write_folder(tmp_path / "data", mixed, [7, 7, 300], 40)
    second = code_files(folder, "y", tmp_path / "second")
    assert list(map(plain, first.columns)) == list(map(plain, second.columns))
    order = np.argsort(mixed.index)
    np.testing.assert_array_equal(first.whole().narrow, second.whole().narrow[order])
    np.testing.assert_array_equal(first.whole().keys, second.whole().keys[order])


@pytest.mark.parametrize("weights", [None, "w"])
def test_workers_find_the_same_in_the_first_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, weights: str | None
) -> None:
    monkeypatch.setattr(sketches, "MOST_CELLS", 64)
    monkeypatch.setattr(sketches, "RANK_ERROR", 1 / 20)
    folder = write_folder(tmp_path / "data", frame(), [7, 7, 300], 40)
    expected = code_files(folder, "y", tmp_path / "expected", weights=weights)
    with ThreadPoolExecutor(2) as workers, use(ByExecutor(workers)), monkeypatch.context() as patched:
        patched.setattr(looking, "steps", None)  # nothing is looked at here
        found = code_files(folder, "y", tmp_path / "found", weights=weights)
    assert (tmp_path / "expected/plan.json").read_text() == (tmp_path / "found/plan.json").read_text()
    np.testing.assert_array_equal(found.whole().narrow, expected.whole().narrow)
    table = code_files(arrow(frame()), "y", tmp_path / "table", weights=weights)
    with ThreadPoolExecutor(2) as workers, use(ByExecutor(workers)):  # what cannot travel is looked at here
        same = code_files(arrow(frame()), "y", tmp_path / "same", weights=weights)
    assert list(map(plain, same.columns)) == list(map(plain, table.columns))


def test_workers_name_a_file_whose_values_are_odd(tmp_path: Path) -> None:
    table = frame().assign(many=lambda rows: rows["many"].where(rows.index != 400, np.inf))
    folder = write_folder(tmp_path / "data", table, [300])
    with (
        ThreadPoolExecutor(1) as workers,
        use(ByExecutor(workers)),
        pytest.raises(PartitionError, match=r"part-1.parquet: .*Column 'many' holds an infinite value"),
    ):
        code_files(folder, "y", tmp_path / "codes")


def test_equal_rows_have_equal_keys_and_others_not(tmp_path: Path) -> None:
    table = pd.DataFrame({"x": [1, 1, 2, 1], "w": [1.0, 1.0, 1.0, 2.0], "y": ["a", "a", "a", "b"]})
    keys = code_files(arrow(table), "y", tmp_path / "codes", weights="w").whole().keys
    assert keys[0] == keys[1]
    assert len(set(keys.tolist())) == 3


# -- whatever gives rows ---------------------------------------------------------------------------------------


def _lazily(table: pd.DataFrame) -> Iterator[Any]:
    polars = pytest.importorskip("polars")
    yield polars.from_arrow(arrow(table)).lazy()


def _queried(table: pd.DataFrame) -> Iterator[Any]:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        connection.register("data", arrow(table))
        yield connection.sql("select * from data")


def _in_partitions(table: pd.DataFrame) -> Iterator[Any]:
    yield pytest.importorskip("dask.dataframe").from_pandas(table, npartitions=3)


SMALL = ["few", "many", "gaps", "text", "day", "flag", "y"]


@pytest.mark.parametrize("give", [_lazily, _queried, _in_partitions])
def test_frames_of_other_libraries(tmp_path: Path, give: Any) -> None:
    table = frame()[SMALL]
    for data in give(table):
        assert_same(code_files(data, "y", tmp_path / "codes"), table)
    assert not (tmp_path / "codes" / "source.arrow").exists()


def test_batches_of_every_form(tmp_path: Path) -> None:
    table = frame()[SMALL]
    batches = arrow(table).to_batches(max_chunksize=170)
    reader = pyarrow.RecordBatchReader.from_batches(batches[0].schema, iter(batches))
    for place, data in enumerate((batches, iter(batches), lambda: iter(batches), reader, table)):
        assert_same(code_files(data, "y", tmp_path / str(place)), table)


def test_a_dataset_of_hive_folders(tmp_path: Path) -> None:
    table = frame(100)[["few", "y"]]
    (tmp_path / "data").mkdir()
    for year in (2020, 2021):
        write_folder(tmp_path / "data" / f"year={year}", table[table.index % 2 == year - 2020], [])
    codes = code_files(tmp_path / "data", "y", tmp_path / "codes")
    assert [column.column.name for column in codes.columns] == ["few", "year"]
    assert codes.columns[1].thresholds.tolist() == [2021.0]
    dataset = pyarrow.dataset.dataset(tmp_path / "data", partitioning="hive")
    again = code_files(dataset, "y", tmp_path / "again")
    np.testing.assert_array_equal(again.whole().narrow, codes.whole().narrow)


def test_csv_files(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv").write_text("x,zip,y\n1,01,no\n,02,yes\n")
    (tmp_path / "data" / "b.csv").write_text("x,zip,y\n2.5,01,no\n")
    codes = code_files(tmp_path / "data", "y", tmp_path / "codes", types={"zip": "nominal"})
    assert codes.columns[0].thresholds.tolist() == [2.0]
    assert codes.columns[1].column.categories == ("01", "02")
    assert codes.whole().narrow.tolist() == [[0, 0], [2, 1], [1, 0]]


# -- what there is not --------------------------------------------------------------------------------------------


def test_empty_parts(tmp_path: Path) -> None:
    table = frame(90)
    folder = write_folder(tmp_path / "data", table, [0, 40, 40])
    codes = code_files(folder, "y", tmp_path / "codes")
    assert_same(codes, table)


def test_no_rows_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no rows that have a weight"):
        code_files(arrow(frame(5)[:0]), "y", tmp_path / "codes")
    with pytest.raises(ValueError, match="no batches"):
        code_files(iter([]), "y", tmp_path / "codes")


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        codes = code_files(arrow(frame(60)), "y", tmp_path / "codes")
    assert any(isinstance(one.message, IdentifierWarning) and one.message.name == "id" for one in caught)
    assert any("say types={'id': 'nominal'}" in str(one.message) for one in caught)
    assert any("'nothing' has no values" in str(one.message) for one in caught)
    empty = {column.column.name for column in codes.columns if column.n_bins == 0}
    assert empty == {"id", "nothing"}


def test_ids_that_are_told_to_be_nominal_stay(tmp_path: Path) -> None:
    codes = code_files(arrow(frame(60)), "y", tmp_path / "codes", types={"id": "nominal", "few": "nominal"})
    by_name = {column.column.name: column for column in codes.columns}
    assert by_name["id"].n_bins == 60
    assert by_name["few"].column.kind == "nominal"


def test_row_numbers_are_left_out_as_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = frame(400)
    random = np.random.default_rng(0)
    table["number"] = random.permutation(400) + 5
    table["half"] = random.choice(700, 400, replace=False)
    table["twice"] = np.append(np.arange(399), 398)
    table["measured"] = random.integers(0, 600, 400)
    table["fifth"] = np.arange(400) + 0.2
    folder = write_folder(tmp_path / "data", table, [10, 130, 300])
    for most in (2**22, 100):  # all numbers are compared, or a sample of them
        monkeypatch.setattr("petree.partitions.coding.findings.MOST_NUMBERS", most)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            codes = code_files(folder, "y", tmp_path / f"codes {most}")
        named = {one.message.name for one in caught if isinstance(one.message, IdentifierWarning)}
        assert named - {"id"} == {"number", "half"}
        assert any("say types={'number': 'number'}" in str(one.message) for one in caught)
        assert_same(codes, table)
    with pytest.warns(IdentifierWarning, match="'half'"):
        told = code_files(folder, "y", tmp_path / "told", types={"number": "number"})
    assert {one.column.name for one in told.columns if one.is_empty} == {"id", "nothing", "half"}


@pytest.mark.filterwarnings("ignore::petree.inputs.identifiers.IdentifierWarning")
def test_weighted_row_numbers(tmp_path: Path) -> None:
    table = frame(200)
    table["number"] = np.arange(200)
    for name, weights in (("copies", table["w"]), ("fractions", np.tile([0.5, 3.0], 100))):
        table["w"] = weights
        codes = code_files(write_folder(tmp_path / name, table, [90]), "y", tmp_path / f"{name} codes", weights="w")
        assert {one.column.name: one.is_empty for one in codes.columns}["number"] == (name == "fractions")
        assert_same(codes, table, "w")


def test_row_numbers_alone_are_kept(tmp_path: Path) -> None:
    table = pyarrow.table({"number": np.arange(100), "y": ["no", "yes"] * 50})
    codes = code_files(table, "y", tmp_path / "codes")
    assert codes.columns[0].n_bins == 100


@pytest.mark.parametrize(
    ("change", "settings", "sentence"),
    [
        ({}, {"target": "z"}, "no column 'z', which target names"),
        ({}, {"ignore": ["z"]}, "no column 'z', which ignore names"),
        ({}, {"ignore": "few"}, "must be a list"),
        ({}, {"types": {"few": "round"}}, "cannot be of type 'round'"),
        ({}, {"types": {"text": "number"}}, "'text' holds text"),
        ({}, {"memory": "1MB"}, "at least 256MB"),
        ({}, {"memory": "much"}, "memory must be bytes"),
        ({}, {"binning": "entropy"}, "looks at the classes"),
        ({}, {"weights": "y"}, "both the target and the weights"),
        ({}, {"ignore": ["few", "text", "many"]}, "no column to learn from"),
        ({"many": np.inf}, {}, "rows 0 to 59: Column 'many' holds an infinite value"),
        ({"few": 2**60}, {}, "'few' holds whole numbers beyond"),
        ({"y": None}, {}, "target 'y' is missing"),
        ({"many": -1.0}, {"weights": "many"}, "weight 'many' must be finite and not negative"),
    ],
)
def test_bad_input_is_refused(tmp_path: Path, change: dict[str, Any], settings: dict[str, Any], sentence: str) -> None:
    table = frame(60)[["few", "text", "many", "y"]].astype({"y": object})
    for name, value in change.items():
        table.loc[3, name] = value
    with pytest.raises((ValueError, TypeError), match=sentence):
        code_files(arrow(table), **{"target": "y", "folder": tmp_path / "codes", **settings})


def test_a_type_that_is_none(tmp_path: Path) -> None:
    table = pyarrow.table({"x": [[1], [2]], "y": ["a", "b"]})
    with pytest.raises(TypeError, match="Column 'x' is of type list"):
        code_files(table, "y", tmp_path / "codes")
    with pytest.raises(TypeError, match="cannot read data of type int"):
        code_files(3, "y", tmp_path / "other")


# -- for fits -----------------------------------------------------------------------------------------------------


def test_as_coded(tmp_path: Path) -> None:
    table = frame()[SMALL]
    codes = code_files(arrow(table), "y", tmp_path / "codes")
    assert as_coded(codes, "y", Coding()) is codes
    assert_same(as_coded(tmp_path / "codes", "y", Coding()), table)
    made = as_coded(arrow(table), "y", Coding())
    assert_same(made, table)
    folder = made.parts[0].path.parent.parent
    del made
    assert not folder.exists()
