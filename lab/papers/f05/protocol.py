"""The approaches and the protocol of F05's section 3."""

from __future__ import annotations

from collections.abc import Iterator

from lab.experiments.data import DataSet
from lab.experiments.methods import Method
from lab.experiments.relational import RelationalDataSet
from lab.experiments.trials import Trial, cross_validated
from lab.papers.setting import PaperSetting
from petree.binning import Entropy
from petree.systems import presets

# The approaches of the paper's section 2, C4.4 first, by the presets that stand for them.
APPROACHES = {
    "C4.4": "c4.4",
    "C4.5": "tilde-c4.5",
    "MDLs": "mdl-s",
    "MDLp": "mdl-p",
    "BICs": "bic-s",
    "BICp": "bic-p",
    "Chi": "chi-2005",
}
RELATIONAL = ("biodegradability", "carcinogenesis", "hiv", "mutagenesis", "trains")
SMALL = 500  # sets of fewer rows are divided 5 x 3-fold, the others 10-fold
LARGE = 20_000  # relational sets of more examples are divided once into three parts, to take minutes and not hours


def methods(max_thresholds: int | None = None) -> list[Method]:
    """The approaches; with another number of thresholds a column where one is given."""
    changed = {} if max_thresholds is None else {"binning": Entropy(max_thresholds)}
    return [Method(name, presets[preset](**changed)) for name, preset in APPROACHES.items()]


def trials_of(data: DataSet, setting: PaperSetting) -> Iterator[Trial]:
    """The paper's protocol, but for the largest relational sets."""
    runs, folds = (5, 3) if data.n_rows < SMALL else (1, 10)
    if isinstance(data, RelationalDataSet) and data.n_rows > LARGE:
        folds = 3
    return cross_validated([data], setting.runs(runs), folds, setting.seed)
