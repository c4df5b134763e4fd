"""The papers' data sets by name, from the folder that PETREE_DATA names or, without it, from OpenML.

======= ==================================================================================================
CW488   The 20 sets of the upper half of Table 1 of Fierens et al. (2007), in its order.
FERRI   Those of Tables 1 and 2 of Ferri, Flach and Hernandez-Orallo (2003), in their order, less PIMA-ABALONE.
F05     The flat sets of Table 1 of Fierens et al. (2005), less asm; load them with ``prepared=False``.
OATES   Oates and Jensen (1999) used 19 sets that they name elsewhere, of which our text tells one, tic-tac-toe.
        These are 19 sets of that time, known by their files, in their place.
======= ==================================================================================================

Tests compare them with what the papers print. Two files, ``catalogue.csv`` and ``names.csv``,
say which table is meant by which name, and which number it has at OpenML: what comes from there must have the
expected number of rows, of classes, and of rows of the rarest class. Of OpenML's pen digits, whose 10992 rows begin
with the 7494 of UCI's training file, CW488's "pen digits" are the first 7494.
"""

from __future__ import annotations

import csv
import json
import os
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

import numpy as np

from lab.experiments.data import DataSet
from lab.papers.data import openml, preparation, variants
from petree.files import FileTable, Reading, read_table
from petree.parts import unknown_name

VARIABLE = "PETREE_DATA"
TARGET = "class"
# The words of the files for what is missing.
MISSING = ("", "?", "NA", "NaN", "nan", "null", "None")


@dataclass(frozen=True)
class Entry:
    """A table of the catalogue.

    Parameters
    ----------
    file : str
        Its name among the files.
    rows, classes, rarest : int
        How many rows and classes it has, and how many rows the rarest class has.
    openml : int or None
        Its number there.
    missing : str or None
        The value that stands for a missing one, where that is a value like any other.
    dropped : tuple of str
        Columns of OpenML's table that are not among ours.
    """

    file: str
    rows: int
    classes: int
    rarest: int
    openml: int | None
    missing: str | None
    dropped: tuple[str, ...]


@dataclass(frozen=True)
class Name:
    """What a paper calls a data set; `file` is empty where there is none, and `note` says what is to be known."""

    paper: str
    data_set: str
    file: str
    note: str


def _read_csv(name: str) -> list[dict[str, str]]:
    text = (files("lab.papers.data") / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def _to_entry(row: dict[str, str]) -> Entry:
    rows, classes, rarest = (int(row[key]) for key in ("rows", "classes", "rarest"))
    number = int(row["openml"]) if row["openml"] else None
    dropped = tuple(row["dropped"].split(";")) if row["dropped"] else ()
    return Entry(row["file"], rows, classes, rarest, number, row["missing"] or None, dropped)


CATALOGUE = {row["file"]: _to_entry(row) for row in _read_csv("catalogue.csv")}
NAMES = tuple(Name(**row) for row in _read_csv("names.csv"))


def _of(paper: str) -> tuple[str, ...]:
    return tuple(name.data_set for name in NAMES if name.paper == paper and name.file)


CW488, FERRI, F05, OATES = (_of(paper) for paper in ("cw488", "ferri", "f05", "oates"))

PREPARATIONS = {"cw488": preparation.prepare, "ferri": variants.prepare, "buntine": variants.prepare}
# Where several papers use a name, the first of the file is meant.
KNOWN = {file: Name("", file, file, "") for file in CATALOGUE} | {name.data_set: name for name in reversed(NAMES)}


def load(name: str, prepared: bool = True) -> DataSet:
    """A data set by the name it has in a paper, or by the name of its file.

    Parameters
    ----------
    name : str
        Such as "australian credit" (CW488), "YEAST2C" (Ferri et al.) or "german_credit" (a file).
    prepared : bool
        As the paper of that name prepared it: `lab.papers.data.preparation` and
        `lab.papers.data.variants` say how. Otherwise, and where only a file has the name, as it is.

    Returns
    -------
    DataSet
        It has the name that was asked for.
    """
    if name not in KNOWN:
        raise ValueError(unknown_name("data set", name, list(KNOWN)))
    known = KNOWN[name]
    if not known.file:
        raise ValueError(f"The data set {name!r} is not to be had: {known.note}.")
    data = replace(_read(CATALOGUE[known.file]), name=name)
    return PREPARATIONS[known.paper](data) if prepared and known.paper in PREPARATIONS else data


def _read(entry: Entry) -> DataSet:
    return _from_folder(Path(place), entry) if (place := os.environ.get(VARIABLE)) else _from_openml(entry)


# -- the folder ------------------------------------------------------------------------------------------


def _from_folder(place: Path, entry: Entry) -> DataSet:
    kinds_file = place / "tabular" / "types.json"
    path = place / "tabular" / f"{entry.file}.csv.gz"
    for needed in (kinds_file, path):
        if not needed.is_file():
            raise FileNotFoundError(
                f"There is no {needed}; {VARIABLE} must name a folder that holds tabular/types.json and the tables as "
                "tabular/NAME.csv.gz, or must not be set, so that OpenML is asked."
            )
    kinds: dict[str, str] = json.loads(kinds_file.read_text(encoding="utf-8"))[entry.file]
    types = {name: "nominal" if kind == "nominal" else "number" for name, kind in kinds.items()}
    table = read_table(path, Reading(types, MISSING))
    return _to_data_set(entry.file, table, TARGET, ())


# -- OpenML ----------------------------------------------------------------------------------------------


def _from_openml(entry: Entry) -> DataSet:
    if entry.openml is None:
        raise FileNotFoundError(
            f"The data set {entry.file!r} is not known to be at OpenML; set {VARIABLE} to a folder that holds "
            f"tabular/types.json and tabular/{entry.file}.csv.gz."
        )
    published = openml.fetch(entry.openml, entry.file)
    dropped = (*published.ignored, *entry.dropped)
    data = _to_data_set(entry.file, read_table(published.path), published.target, dropped)
    data = data.take(np.arange(min(entry.rows, data.n_rows)))
    _check(data, entry)
    return data if entry.missing is None else preparation.fill_nominal(data, entry.missing)


def _check(data: DataSet, entry: Entry) -> None:
    found = (data.n_rows, data.n_classes, int(np.unique(data.y, return_counts=True)[1].min()))
    if found != (entry.rows, entry.classes, entry.rarest):
        raise ValueError(
            f"OpenML's data id {entry.openml} is not the data set {entry.file!r}: it has {found[0]} rows, {found[1]} "
            f"classes and {found[2]} rows of the rarest class where {entry.rows}, {entry.classes} and {entry.rarest} "
            f"are expected; set {VARIABLE} to a folder that holds the papers' data sets."
        )


def _to_data_set(name: str, table: FileTable, target: str, dropped: tuple[str, ...]) -> DataSet:
    columns = table.select(column for column in table.names if column not in (target, *dropped))
    return DataSet(name, columns, preparation.as_nominal(table.column(target)))
