"""The experiment of CW488's section 5.3.1: how tree sizes depend on the skewness of the classes, on a flat stand-in."""

from __future__ import annotations

from functools import partial

from petree.evaluation.pages import Heading, Words
from petree.experiments.data import DataSet
from petree.experiments.tables import measure_table
from petree.experiments.trials import resampled
from petree.reproduction.cw488.protocol import FOLDS, RUNS, Part, methods
from petree.reproduction.datasets import load
from petree.reproduction.sampling import with_share
from petree.reproduction.setting import Setting

DATA_SET, RARE, N_ROWS = "adult", ">50K", 4000
SHARES = (0.5, 0.25, 0.1, 0.036)


def skewness(setting: Setting) -> Part:
    """Samples of one set with different shares of one class, the last that of the paper's hiv."""
    data = load(DATA_SET, prepared=False)
    trials = [
        trial
        for share in SHARES
        for trial in resampled(partial(_sample, data, share, setting.seed), setting.runs(RUNS), FOLDS, setting.seed)
    ]
    summary = setting.summary("cw488-skew", trials, methods())
    words = (
        f"The paper samples hiv (3.6% positives); here it is {DATA_SET}, {N_ROWS} rows of which a given share has the "
        f"class {RARE}, drawn anew in every run."
    )
    tables = [measure_table(summary, measure, "Skewness") for measure in ("inner_nodes", "auc", "log_likelihood")]
    return Part(summary, [Heading("Section 5.3.1: skewness"), Words(words), *tables])


def _sample(data: DataSet, share: float, seed: int, run: int) -> DataSet:
    return with_share(data, RARE, share, N_ROWS, seed + run)
