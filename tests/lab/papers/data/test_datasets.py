"""Data sets by name: from a folder, from OpenML, and those that are not to be had."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from tests.lab.papers.data.openml_answers import Server
from tests.lab.papers.marks import needs_data

from lab.papers.data import datasets
from lab.papers.data.datasets import CATALOGUE, CW488, F05, FERRI, NAMES, OATES, Entry, load
from lab.papers.printed import read


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one small table in the place of german credit."""
    tables = tmp_path / "tabular"
    tables.mkdir()
    content = "duration,telephone,class\n1.5,1,good\n,2,bad\n3,,good\n4,1,bad\n"
    (tables / "german_credit.csv.gz").write_bytes(gzip.compress(content.encode()))
    kinds = {"duration": "numeric", "telephone": "nominal", "class": "nominal"}
    (tables / "types.json").write_text(json.dumps({"german_credit": kinds}))
    monkeypatch.setenv("PETREE_DATA", str(tmp_path))
    return tables


# -- names -----------------------------------------------------------------------------------------------


def test_names_are_those_of_the_papers() -> None:
    assert list(CW488) == [row["data_set"] for row in read("cw488_table1")][:20]
    assert list(FERRI) == [row["data_set"] for row in read("ferri_sets") if row["data_set"] != "PIMA-ABALONE"]
    assert list(F05) == [
        row["data_set"] for row in read("f05_sets") if row["kind"] == "flat" and row["data_set"] != "asm"
    ]
    assert (len(CW488), len(FERRI), len(F05), len(OATES)) == (20, 49, 5, 19)
    assert "tic_tac_toe" in OATES


def test_every_name_has_a_table_of_the_catalogue_or_a_reason() -> None:
    assert all(name.file in CATALOGUE if name.file else name.note for name in NAMES)


def test_numbers_of_openml() -> None:
    """Some that everybody knows; no number stands for two tables but where two are made of one."""
    known = {"iris": 61, "chess_kr_vs_kp": 3, "annealing": 2, "german_credit": 31, "pima_diabetes": 37, "vehicle": 54}
    assert {file: CATALOGUE[file].openml for file in known} == known
    numbers = [entry.openml for entry in CATALOGUE.values() if entry.openml]
    assert {number for number in numbers if numbers.count(number) > 1} == {2, 32, 56}


def test_an_unknown_name_is_answered_with_a_near_one() -> None:
    with pytest.raises(ValueError, match=r"Unknown data set 'german credits'; .*Did you mean 'german credit'\?"):
        load("german credits")


@pytest.mark.parametrize("name", ["PIMA-ABALONE", "asm", "pole"])
def test_a_set_that_is_not_to_be_had(name: str) -> None:
    with pytest.raises(ValueError, match=f"The data set '{name}' is not to be had: .*[^.]\\.$"):
        load(name)


# -- the folder ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["german_credit", "german credit"])
def test_a_table_of_the_folder(folder: Path, name: str) -> None:
    data = load(name, prepared=False)
    assert data.name == name
    np.testing.assert_array_equal(data.columns["duration"], [1.5, np.nan, 3, 4])
    assert data.columns["telephone"].tolist() == ["1", "2", None, "1"]
    assert data.y.tolist() == ["good", "bad", "good", "bad"]


def test_a_file_name_alone_is_not_prepared(folder: Path) -> None:
    assert load("german_credit").digest == load("german_credit", prepared=False).digest


@pytest.mark.parametrize(("name", "file"), [("vehicle", r"vehicle\.csv\.gz"), ("german credit", r"types\.json")])
def test_a_folder_without_the_table(folder: Path, name: str, file: str) -> None:
    if name == "german credit":
        (folder / "types.json").unlink()
    with pytest.raises(FileNotFoundError, match=f"There is no .*{file}; PETREE_DATA must name a folder"):
        load(name)


# -- OpenML ----------------------------------------------------------------------------------------------


def catalogue(monkeypatch: pytest.MonkeyPatch, **other: object) -> None:
    """The made table of OpenML in the place of glass."""
    entry = {"file": "glass", "rows": 4, "classes": 2, "rarest": 1, "openml": 7, "missing": None, "dropped": ()}
    monkeypatch.setitem(CATALOGUE, "glass", Entry(**{**entry, **other}))  # type: ignore[arg-type]


def test_a_table_of_openml(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.publish()
    catalogue(monkeypatch)
    data = load("glass")
    assert list(data.columns) == ["size", "colour"]
    np.testing.assert_array_equal(data.columns["size"], [1.5, np.nan, 2, 3])
    assert data.columns["colour"].tolist() == ["red", "dark blue", None, "red"]
    assert data.y.tolist() == ["yes", "no", "no", "no"]


def test_first_rows_missing_values_and_dropped_columns(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.publish()
    catalogue(monkeypatch, rows=3, missing="u", dropped=("size",))
    data = load("glass")
    assert {name: values.tolist() for name, values in data.columns.items()} == {"colour": ["red", "dark blue", "u"]}
    assert data.y.tolist() == ["yes", "no", "no"]


@pytest.mark.parametrize("wrong", [{"rows": 5}, {"classes": 3}, {"rarest": 2}])
def test_another_table_than_expected_is_refused(
    server: Server, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, int]
) -> None:
    server.publish()
    catalogue(monkeypatch, **wrong)
    with pytest.raises(ValueError, match="data id 7 is not the data set 'glass': it has 4 rows, 2 classes and 1 rows"):
        load("glass")


def test_a_class_of_numbers_becomes_text(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    arff = b"@relation a\n@attribute size real\n@attribute x real\n@data\n1,2\n2,3\n"
    server.publish(arff=arff, default_target_attribute="size", md5_checksum=None)
    catalogue(monkeypatch, rows=2)
    assert load("glass").y.tolist() == ["1", "2"]


def test_a_set_that_openml_does_not_have(server: Server) -> None:
    with pytest.raises(FileNotFoundError, match=r"'liver_bupa' is not known .*; set PETREE_DATA .*liver_bupa\.csv\.gz"):
        load("LIVER-BUPA")


# -- the papers' data ------------------------------------------------------------------------------------


@needs_data
def test_the_catalogue_says_what_the_tables_are() -> None:
    for file, entry in CATALOGUE.items():
        if entry.rows < 3000:  # the others take seconds to read
            data = load(file, prepared=False)
            rarest = int(np.unique(data.y, return_counts=True)[1].min())
            assert (data.n_rows, data.n_classes, rarest) == (entry.rows, entry.classes, entry.rarest), file


@needs_data
def test_nominal_columns_of_digits_stay_text() -> None:
    assert set(load("MONKS1").columns["a1"]) == {"1", "2", "3"}


@needs_data
def test_the_first_rows_of_pen_digits_are_the_training_rows() -> None:
    """What is done with OpenML's table, which is the one of this file."""
    whole, training = load("pendigits"), load("pendigits_train")
    assert datasets.CATALOGUE["pendigits"].openml == datasets.CATALOGUE["pendigits_train"].openml
    first, other = (np.column_stack([*data.columns.values(), data.y.astype(float)]) for data in (whole, training))
    assert sorted(map(tuple, first[:7494].tolist())) == sorted(map(tuple, other.tolist()))
