"""Our data sets beside what the papers print of theirs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from petree.experiments.data import DataSet
from petree.papers.data.datasets import CW488, FERRI, NAMES, load
from petree.papers.data.preparation import count_tests
from petree.papers.printed import read


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

    def __str__(self) -> str:
        differing = [f"{key} {self.ours[key]:g}, printed {self.printed[key]:g}" for key in self.differences]
        return f"{self.data_set}: {'; '.join(differing) or 'as printed'}.{' ' * bool(self.note)}{self.note}"


def check_cw488() -> list[Check]:
    """Rows, classes, share of the rarest of two classes (percent), and candidate tests: Table 1 of CW488."""
    return [_check(name, "cw488_table1", _cw488_numbers(load(name))) for name in CW488]


def _cw488_numbers(data: DataSet) -> dict[str, float]:
    return {
        "rows": data.n_rows,
        "classes": data.n_classes,
        "minority": round(_rarest_percent(data), 1),
        "n_tests": count_tests(data),
    }


def check_ferri() -> list[Check]:
    """Rows, classes, attributes and share of the rarest class (percent): Tables 1 and 2 of Ferri et al."""
    return [_check(name, "ferri_sets", _ferri_numbers(load(name))) for name in FERRI]


def _ferri_numbers(data: DataSet) -> dict[str, float]:
    n_nominal = sum(values.dtype.kind == "O" for values in data.columns.values())
    return {
        "n_rows": data.n_rows,
        "n_classes": data.n_classes,
        "n_nominal": n_nominal,
        "n_numeric": len(data.columns) - n_nominal,
        "percent_of_rarest_class": round(_rarest_percent(data), 2),
    }


def _rarest_percent(data: DataSet) -> float:
    return 100 * int(np.unique(data.y, return_counts=True)[1].min()) / data.n_rows


def _check(name: str, table: str, ours: dict[str, float]) -> Check:
    printed = next(row for row in read(table) if row["data_set"] == name)
    note = next((known.note for known in NAMES if known.data_set == name), "")
    return Check(name, ours, {key: printed[key] for key in ours if printed[key] is not None}, note)
