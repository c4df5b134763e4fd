"""Section 5.3.4 and Figure 4 of CW488: the influence of the number of classes, on a flat stand-in.

The paper's set has a few frequent classes and many rare ones, which come in last; so has yeast. Of letters, which are
all as frequent, trees must grow with every class, and no criterion could keep its size; but there are as many of them
as the paper has classes, and they show what penalties do then.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from lab.experiments.data import DataSet
from lab.experiments.report.figures import panels
from lab.experiments.report.pages import Block, Heading, Picture, Words
from lab.experiments.report.tables import Table
from lab.experiments.summary import Summary
from lab.experiments.trials import Trial, resampled
from lab.papers.cw488.protocol import FOLDS, RUNS, Experiment, methods
from lab.papers.data.datasets import load
from lab.papers.data.sampling import frequent_classes
from lab.papers.printed import stated
from lab.papers.setting import PaperSetting

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DATA_SET = "yeast"
CLASSES = (3, 4, 5, 6, 8, 10)
LETTERS = "letter"
NUMBERS_OF_LETTERS = (3, 10, 23)


def number_of_classes(setting: PaperSetting) -> Experiment:
    """The paper's protocol: the most frequent classes, the same number of rows, new samples in every run."""
    data = load(DATA_SET, prepared=True)
    n_rows = rows_of_frequent(data, CLASSES[0])
    trials = [trial for number in CLASSES for trial in _trials(setting, data, number, n_rows, RUNS)]
    summary = setting.summary("cw488-classes", trials, methods())
    words = (
        f"The paper uses diterpenes, which has no free licence. Here it is {DATA_SET}, which has as skewed classes: "
        f"the {CLASSES[0]} most frequent have {n_rows} of its {data.n_rows} rows. As in the paper so many are drawn in "
        f"every run, of the {CLASSES[0]} to {CLASSES[-1]} most frequent classes; the paper goes on to 23."
    )
    blocks: list[Block] = [Heading("Figure 4: the number of classes"), Words(words), *tables(summary)]
    if setting.pictures:
        blocks.append(Picture("cw488-classes.png", "The number of classes", _figure(summary)))
    return Experiment(summary, blocks)


def numbers_of_letters(setting: PaperSetting) -> Experiment:
    """The same of letters, once."""
    data = load(LETTERS, prepared=False)
    n_rows = int(stated("cw488")["diterpenes_examples"])
    trials = [trial for number in NUMBERS_OF_LETTERS for trial in _trials(setting, data, number, n_rows, 1)]
    summary = setting.summary("cw488-letters", trials, methods())
    words = f"As many classes as in the paper, but equally frequent: {LETTERS}, {n_rows} rows as there, one run."
    return Experiment(summary, [Words(words), *tables(summary, "Number of letters")])


def _trials(setting: PaperSetting, data: DataSet, n_classes: int, n_rows: int, runs: int) -> Iterator[Trial]:
    make = partial(_sample, data, n_classes, n_rows, setting.seed)
    return resampled(make, setting.runs(runs), FOLDS, setting.seed)


def rows_of_frequent(data: DataSet, n_classes: int) -> int:
    """Number of rows of the most frequent classes."""
    counts = np.unique(data.y, return_counts=True)[1]
    return int(np.sort(counts)[-n_classes:].sum())


def _sample(data: DataSet, n_classes: int, n_rows: int, seed: int, run: int) -> DataSet:
    return frequent_classes(data, n_classes, n_rows, seed + run)


def relative(summary: Summary) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """CLL relative to RAND's, above 1 where it is worse."""
    means = summary.means("log_likelihood")
    return means / means[:, :1]


def tables(summary: Summary, of: str = "Number of classes") -> list[Table]:
    heads = ("classes", *summary.methods)
    named = {"inner nodes": (summary.means("inner_nodes"), 1), "AUC": (summary.means("auc"), 3)}
    named["log likelihood relative to RAND's"] = (relative(summary), 3)
    return [
        Table(
            f"{of}: {title}",
            heads,
            [
                [name, *(f"{value:.{decimals}f}" for value in row)]
                for name, row in zip(summary.data_sets, values, strict=True)
            ],
        )
        for title, (values, decimals) in named.items()
    ]


def _figure(summary: Summary) -> Figure:
    sizes = summary.by_method("inner_nodes")
    del sizes["NOPRUNING"]  # as in the paper, whose trees would dwarf the others
    likelihoods = dict(zip(summary.methods, relative(summary).T, strict=True))
    measures = {"inner nodes": sizes, "AUC": summary.by_method("auc"), "relative CLL": likelihoods}
    return panels(CLASSES, measures, "number of classes")
