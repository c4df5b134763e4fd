"""Data sets that papers made of others: rows left out, classes joined, another column as the class.

Those of Ferri, Flach and Hernandez-Orallo (2003) are inferred from the sizes, numbers of attributes and shares of the
rarest class in their Tables 1 and 2. In seven of their sets rows with a missing number were left out, while a missing
nominal value was a value of its own; all others kept their missing values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from lab.experiments.data import DataSet
from lab.papers.data.preparation import as_nominal, complete_rows, fill_nominal

Step: TypeAlias = Callable[[DataSet], DataSet]


# -- the steps -------------------------------------------------------------------------------------------


def complete_numbers(data: DataSet) -> DataSet:
    """Without rows that lack a number; a missing nominal value becomes the value "?"."""
    numbers = [name for name, values in data.columns.items() if values.dtype.kind != "O"]
    return fill_nominal(complete_rows(data, numbers), "?")


def without_columns(data: DataSet, *names: str) -> DataSet:
    left_out = {find_column(data, name) for name in names}
    return replace(data, columns={name: values for name, values in data.columns.items() if name not in left_out})


def nominal_columns(data: DataSet, *names: str) -> DataSet:
    """These numbers as nominal columns."""
    chosen = {name: as_nominal(data.columns[name]) for name in (find_column(data, name) for name in names)}
    return replace(data, columns=data.columns | chosen)


def nominal_but(data: DataSet, *names: str) -> DataSet:
    """All numbers but these as nominal columns."""
    kept = {find_column(data, name) for name in names}
    return nominal_columns(data, *(name for name in data.columns if name not in kept))


def numeric_columns(data: DataSet, *names: str) -> DataSet:
    """These nominal columns, whose values are numbers, as numbers."""
    chosen = {name: data.columns[name].astype(np.float64) for name in (find_column(data, name) for name in names)}
    return replace(data, columns=data.columns | chosen)


def without_classes(data: DataSet, *labels: str) -> DataSet:
    """Without the rows of these classes."""
    return data.take(np.flatnonzero(~np.isin(data.y, labels)))


def join_classes(data: DataSet, joined: Mapping[str, str], rest: str | None = None) -> DataSet:
    """Other names for some classes, equal names to join them; `rest` is the name of all others, their own if None."""
    names = np.array([joined.get(label, rest or label) for label in data.classes.tolist()], object)
    return replace(data, y=names[np.searchsorted(data.classes, data.y)])


def class_from_column(data: DataSet, name: str, old_class: str) -> DataSet:
    """A nominal column as the class, and the class, whose labels are numbers, as a column."""
    chosen = find_column(data, name)
    rest = {own: values for own, values in data.columns.items() if own != chosen}
    return replace(data, columns={old_class: data.y.astype(np.float64)} | rest, y=data.columns[chosen])


def find_column(data: DataSet, name: str) -> str:
    """The data set's own spelling of a column: OpenML writes "_" where UCI has a blank."""
    own = {column.replace("_", " "): column for column in data.columns}
    if (plain := name.replace("_", " ")) not in own:
        raise ValueError(f"The data set {data.name!r} has no column {name!r}; it has {', '.join(data.columns)}.")
    return own[plain]


# -- the variants ----------------------------------------------------------------------------------------

# The hormone TBG is missing nearly everywhere. Where the paper has as many attributes as the file it must be one of the
# nominal ones, or no row would be left; elsewhere the paper has two attributes less.
TBG_NOMINAL: tuple[Step, ...] = (lambda data: nominal_columns(data, "TBG"), complete_numbers)
WITHOUT_TBG: tuple[Step, ...] = (lambda data: without_columns(data, "TBG", "TBG measured"), complete_numbers)

VARIANTS: dict[str, tuple[Step, ...]] = {
    "TIC-TAC": (lambda data: without_columns(data, "bottom-left-square"),),
    "BREAST-WPBC": (complete_numbers,),
    "HEPATITIS": (complete_numbers,),
    "THYROID-HYPO": TBG_NOMINAL,
    "THYROID-SICK-EU": TBG_NOMINAL,
    "YEAST2C": (lambda data: join_classes(data, {"CYT": "CYT"}, rest="other"),),
    "CYL-BANDS": (complete_numbers,),
    "SICK": WITHOUT_TBG,
    "LYMPH_2C": (lambda data: without_classes(data, "normal", "fibrosis"),),
    "HYPOTHYROID_3C": (*WITHOUT_TBG, lambda data: without_classes(data, "secondary_hypothyroid")),
    "DERMATOLOGY": (lambda data: nominal_but(data, "Age"),),
    "NURSERY4C": (lambda data: without_classes(data, "recommend"),),
    "TAE": (lambda data: numeric_columns(data, "Course_instructor", "Course"),),
    "HEART-DIS-ALL": (lambda data: nominal_columns(data, "ca"),),
    "ECOLI4C": (lambda data: join_classes(data, {"omL": "om", "imL": "im", "imS": "im", "imU": "im"}),),
    "AUTOS-DRVWHLs": (lambda data: class_from_column(data, "drive-wheels", "symboling"),),
    "voting less physician-fee-freeze": (lambda data: without_columns(data, "physician-fee-freeze"),),
}


def prepare(data: DataSet) -> DataSet:
    """The variant that has the name of this set; the set itself where a paper took it as it is."""
    for step in VARIANTS.get(data.name, ()):
        data = step(data)
    return data
