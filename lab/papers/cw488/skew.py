"""The experiment of CW488's section 5.3.1: how tree sizes depend on the skewness of the classes."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from lab.experiments.data import DataSet
from lab.experiments.report.measure_tables import measure_table
from lab.experiments.report.pages import Heading, Words
from lab.experiments.trials import resampled
from lab.papers.cw488.protocol import FOLDS, RUNS, Experiment, methods
from lab.papers.data.datasets import load
from lab.papers.data.sampling import with_share
from lab.papers.setting import PaperSetting

SHARES = (0.5, 0.25, 0.1, 0.036)


class Sampled(NamedTuple):
    """A set, the class whose share varies, the rows of a sample, and the runs."""

    data_set: str
    rare: str
    n_rows: int
    runs: int


FLAT = Sampled("adult", ">50K", 4000, RUNS)
# The paper's set; half of the largest samples are nearly all of its rare class.
HIV = Sampled("hiv", "active", 2800, 1)


def skewness(setting: PaperSetting, hiv: DataSet | None) -> list[Experiment]:
    """Samples of a flat set, and of the paper's own where it is at hand, with different shares of one class."""
    sets = [(FLAT, load(FLAT.data_set, prepared=False))] + ([] if hiv is None else [(HIV, hiv)])
    return [_of_set(setting, sampled, data) for sampled, data in sets]


def _of_set(setting: PaperSetting, sampled: Sampled, data: DataSet) -> Experiment:
    make = partial(_sample, data, sampled, setting.seed)
    runs = setting.runs(sampled.runs)
    trials = [trial for share in SHARES for trial in resampled(partial(make, share), runs, FOLDS, setting.seed)]
    summary = setting.summary("cw488-skew", trials, methods())
    words = (
        f"The paper samples hiv (3.6% positives), and does not tell how; here it is {sampled.data_set}, "
        f"{sampled.n_rows} rows of which a given share has the class {sampled.rare}, drawn anew in every run "
        f"({runs} x {FOLDS}-fold)."
    )
    title = f"Skewness, {sampled.data_set}"
    tables = [measure_table(summary, measure, title) for measure in ("inner_nodes", "auc", "log_likelihood")]
    return Experiment(summary, [Heading(f"Section 5.3.1: skewness of {sampled.data_set}"), Words(words), *tables])


def _sample(data: DataSet, sampled: Sampled, seed: int, share: float, run: int) -> DataSet:
    return with_share(data, sampled.rare, share, sampled.n_rows, seed + run)
