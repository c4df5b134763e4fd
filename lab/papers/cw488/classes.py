"""Section 5.3.4 and Figure 4 of CW488: the influence of the number of classes, on a flat stand-in.

The paper's set has 23 classes, of which 3 are frequent, and so has this sample of letters. Penalties grow with the
number of classes, so that a set of fewer classes could not decide.
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
from lab.papers.data.sampling import frequent_classes, with_sizes
from lab.papers.printed import read, stated
from lab.papers.setting import PaperSetting

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DATA_SET = "letter"
CLASSES = (3, 4, 6, 10, 15, 23)
# Number of classes whose rows are all taken in the paper.
FREQUENT = 3


def number_of_classes(setting: PaperSetting) -> Experiment:
    """The paper's protocol: the most frequent classes, the same number of rows, new samples in every run."""
    data = load(DATA_SET, prepared=False)
    sizes = class_sizes()
    n_rows = sum(sizes[: CLASSES[0]])
    trials = [trial for number in CLASSES for trial in _trials(setting, data, number, n_rows)]
    summary = setting.summary("cw488-classes", trials, methods())
    words = (
        f"The paper uses diterpenes, which has no free licence. Here it is {DATA_SET}: {len(sizes)} letters, of which "
        f"the first {CLASSES[0]} have {n_rows} of {sum(sizes)} rows, as in the paper; the others have equal shares of "
        f"the rest. As in the paper {n_rows} rows of the {CLASSES[0]} to {CLASSES[-1]} most frequent classes are drawn "
        "in every run."
    )
    blocks: list[Block] = [Heading("Figure 4: the number of classes"), Words(words), *tables(summary)]
    if setting.pictures:
        blocks.append(Picture("cw488-classes.png", "The number of classes", _figure(summary)))
    return Experiment(summary, blocks)


def class_sizes() -> list[int]:
    """Number of rows of each class, most frequent first: what the paper prints of diterpenes, in equal shares."""
    [printed] = [row for row in read("cw488_table1") if row["data_set"] == "diterpenes"]
    n_frequent = int(stated("cw488")["diterpenes_examples"])
    n_rare = printed["rows"] - n_frequent
    return [*_equal_shares(n_frequent, FREQUENT), *_equal_shares(n_rare, printed["classes"] - FREQUENT)]


def _equal_shares(total: int, n_shares: int) -> list[int]:
    return [total // n_shares + (number < total % n_shares) for number in range(n_shares)]


def _trials(setting: PaperSetting, data: DataSet, n_classes: int, n_rows: int) -> Iterator[Trial]:
    make = partial(_sample, data, n_classes, n_rows, setting.seed)
    return resampled(make, setting.runs(RUNS), FOLDS, setting.seed)


def _sample(data: DataSet, n_classes: int, n_rows: int, seed: int, run: int) -> DataSet:
    sizes = dict(zip(data.classes, class_sizes(), strict=False))
    return frequent_classes(with_sizes(data, sizes, seed + run), n_classes, n_rows, seed + run)


def relative(summary: Summary) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """CLL relative to RAND's, above 1 where it is worse."""
    means = summary.means("log_likelihood")
    return means / means[:, :1]


def tables(summary: Summary) -> list[Table]:
    heads = ("classes", *summary.methods)
    named = {"inner nodes": (summary.means("inner_nodes"), 1), "AUC": (summary.means("auc"), 3)}
    named["log likelihood relative to RAND's"] = (relative(summary), 3)
    return [
        Table(
            f"Number of classes: {title}",
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
