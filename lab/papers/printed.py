"""The numbers that the papers print, and the papers' own summaries recomputed from them.

Papers: cw488 (Fierens et al. 2007), f05 (Fierens et al. 2005), ferri (Ferri, Flach and Hernandez-Orallo 2003), oates
(Oates and Jensen 1999), buntine (Buntine 1992). `read` gives the rows of one table; criteria, approaches, methods and
data sets have the names that the papers use.

=================  =====================================================================================================
cw488_results      Tables 2 to 4: size (internal nodes), auc (percent), cll (negative, bits); mark: significantly better
                   or worse than RAND
cw488_summary      their last four rows, and Table 5 (accuracy in percent); wins, ties and losses are against RAND
cw488_times        Table 6: seconds of RAND, and times of the others as shares of these
ferri_sets         Tables 1 and 2
ferri_smoothing    Tables 3 to 6, C4.5's splits: auc (percent) and its standard deviation; mark: m_branch significantly
                   better or worse than m_estimate. Tables 3 and 5, and 4 and 6, print the same m-estimates
ferri_means        the means of Tables 3 to 6, and Tables 7 and 8
f05_sets           Table 1
f05_results        Table 2: auc (percent) and number of leaves, with standard deviations. Which of them differ
                   significantly was shown by type faces and is not kept here; how many do stands in `wins`
buntine_results    Table 1: error in percent, and what the column "MSE" says. The text calls it half-Brier, but it can
                   only be the whole Brier score: a tenth for each of the ten digits of LED has half a score of .45, and
                   the column says .51 to .59 where two answers in three are right
wins               significant wins, ties and losses for groups of data sets (ferri, f05)
stated             numbers that stand in the text alone
conclusions        what each paper concludes, in short sentences
=================  =====================================================================================================

A column `note` says what is missing or wrong in print.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.statistics.ranks import average_ranks
from lab.statistics.significance import WinsTiesLosses


def read(name: str) -> list[dict[str, Any]]:
    """The rows of one printed table.

    Parameters
    ----------
    name : str
        One of the tables above.

    Returns
    -------
    list of dict
        Columns of numbers hold int or float, and None where nothing is printed; other columns hold text.

    Examples
    --------
    >>> from lab.papers.printed import read
    >>> list(read("cw488_results")[2].values())
    ['australian credit', 2, 'size', 'BIC', 10.3, 'worse']
    """
    path = files("lab.papers") / "numbers" / f"{name}.csv"
    if not path.is_file():
        raise ValueError(f"There is no printed table {name!r}; lab.papers.printed lists those there are.")
    head, *rows = csv.reader(path.read_text(encoding="utf-8").splitlines())
    columns = [_to_numbers(column) for column in zip(*rows, strict=True)]
    return [dict(zip(head, row, strict=True)) for row in zip(*columns, strict=True)]


def _to_numbers(column: Sequence[str]) -> list[Any]:
    """A column as int or float, None where empty; as it is where a value is no number."""
    for kind in (int, float):
        try:
            numbers = [kind(value) if value else None for value in column]
        except ValueError:
            continue
        return numbers if any(column) else list(column)
    return list(column)


@dataclass(frozen=True)
class Cells:
    """A printed table: one row per data set, one column per method.

    Parameters
    ----------
    data_sets, methods : tuple of str
    values : array (data sets, methods)
    higher_is_better : bool
    """

    data_sets: tuple[str, ...]
    methods: tuple[str, ...]
    values: NDArray[np.float64]
    higher_is_better: bool

    def of(self, data_sets: Sequence[str]) -> Cells:
        """The rows of these data sets, in the order given."""
        rows = [_place(name, self.data_sets) for name in data_sets]
        return Cells(tuple(data_sets), self.methods, self.values[rows], self.higher_is_better)

    def value(self, data_set: str, method: str) -> float:
        return float(self.values[_place(data_set, self.data_sets), _place(method, self.methods)])

    def averages(self) -> dict[str, float]:
        """Arithmetic mean of each method over the data sets."""
        return self._by_method(self.values.mean(axis=0))

    def geometric_means(self) -> dict[str, float]:
        return self._by_method(np.exp(np.log(self.values).mean(axis=0)))

    def average_ranks(self) -> dict[str, float]:
        """Mean over the data sets of each method's rank, 1 for the best; equal values share the mean of their ranks."""
        return self._by_method(average_ranks(self.values, self.higher_is_better))

    def wins(self, method: str, against: str) -> WinsTiesLosses:
        """Data sets on which one method is better than another, equal as printed, and worse."""
        gains = self.values[:, _place(method, self.methods)] - self.values[:, _place(against, self.methods)]
        return WinsTiesLosses.direct(gains if self.higher_is_better else -gains)

    def _by_method(self, numbers: NDArray[np.float64]) -> dict[str, float]:
        return dict(zip(self.methods, numbers.tolist(), strict=True))


def _place(name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise ValueError(f"The printed table has no {name!r}; it has {', '.join(names)}.")
    return names.index(name)


def cw488_cells(measure: str) -> Cells:
    """Table 2 ("size"), 3 ("auc") or 4 ("cll") of CW488.

    Examples
    --------
    >>> from lab.papers.printed import cw488_cells
    >>> {name: round(rank, 2) for name, rank in cw488_cells("size").average_ranks().items()}
    {'RAND': 3.29, 'MDL': 1.02, 'BIC': 2.94, 'CHI': 3.15, 'EBP': 4.65, 'NOPRUNING': 5.94}
    """
    return _to_cells(_of("cw488_results", "measure", measure), "criterion", "value", measure == "auc")


def f05_cells(measure: str) -> Cells:
    """Table 2 of F05, its upper ("auc") or lower half ("leaves")."""
    return _to_cells(_of("f05_results", "measure", measure), "approach", "value", measure == "auc")


def ferri_cells() -> Cells:
    """AUC of the four smoothings, Tables 3 to 6 of Ferri et al.; the sets have the names of their Tables 1 and 2."""
    names = {row["number"]: row["data_set"] for row in read("ferri_sets")}
    rows = [row | {"data_set": names[row["number"]]} for row in read("ferri_smoothing")]
    return _to_cells(rows, "smoothing", "auc", higher_is_better=True)


def _to_cells(rows: list[dict[str, Any]], method: str, value: str, higher_is_better: bool) -> Cells:
    """Rows of one value each as a table."""
    printed = {(row["data_set"], row[method]): row[value] for row in rows}
    data_sets, methods = (tuple(dict.fromkeys(names)) for names in zip(*printed, strict=True))
    values = np.array([[printed[name, one] for one in methods] for name in data_sets], np.float64)
    return Cells(data_sets, methods, values, higher_is_better)


def stated(paper: str) -> dict[str, float]:
    """Numbers that stand in the text of a paper, by key; `read("stated")` says what they mean."""
    return {row["key"]: row["value"] for row in _of("stated", "paper", paper)}


@dataclass(frozen=True)
class Conclusion:
    """One thing that a paper concludes."""

    key: str
    section: str
    statement: str


def conclusions(paper: str) -> list[Conclusion]:
    """What a paper concludes, in the order of its text.

    Examples
    --------
    >>> from lab.papers.printed import conclusions
    >>> conclusions("ferri")[1].statement
    'The best m-estimate has virtually the AUC of Laplace smoothing.'
    """
    rows = _of("conclusions", "paper", paper)
    return [Conclusion(row["key"], row["section"], row["statement"]) for row in rows]


def _of(name: str, column: str, value: str) -> list[dict[str, Any]]:
    """The rows of a printed table that have this value in a column."""
    rows = read(name)
    _place(value, list(dict.fromkeys(row[column] for row in rows)))
    return [row for row in rows if row[column] == value]
