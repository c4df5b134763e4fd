"""Our data sets beside what Ferri, Flach and Hernandez-Orallo print of theirs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lab.experiments.data import DataSet
from lab.papers.data.datasets import FERRI, NAMES, load
from lab.papers.printed import read


@dataclass(frozen=True)
class Check:
    """Some numbers of a data set, ours and those that are printed.

    Parameters
    ----------
    data_set : str
    ours, printed : dict of str to number
        By what they count; `printed` has those that the paper gives.
    note : str
        What is known of the differences.
    """

    data_set: str
    ours: dict[str, float]
    printed: dict[str, float]
    note: str = ""

    @property
    def differences(self) -> dict[str, float]:
        """Ours less what is printed, where the two are not equal."""
        return {key: self.ours[key] - value for key, value in self.printed.items() if self.ours[key] != value}


def check_ferri() -> list[Check]:
    """Rows, classes, attributes and share of the rarest class (percent): Tables 1 and 2 of Ferri et al."""
    return [_check(name, _numbers(load(name))) for name in FERRI]


def _numbers(data: DataSet) -> dict[str, float]:
    n_rarest = int(np.unique(data.y, return_counts=True)[1].min())
    n_nominal = sum(values.dtype.kind == "O" for values in data.columns.values())
    return {
        "n_rows": data.n_rows,
        "n_classes": data.n_classes,
        "n_nominal": n_nominal,
        "n_numeric": len(data.columns) - n_nominal,
        "percent_of_rarest_class": round(100 * n_rarest / data.n_rows, 2),
    }


def _check(name: str, ours: dict[str, float]) -> Check:
    printed = next(row for row in read("ferri_sets") if row["data_set"] == name)
    note = next((known.note for known in NAMES if known.data_set == name), "")
    return Check(name, ours, {key: printed[key] for key in ours if printed[key] is not None}, note)
