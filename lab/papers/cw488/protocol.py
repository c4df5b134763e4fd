"""The criteria and the protocol of CW488's section 5."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lab.experiments.data import DataSet
from lab.experiments.methods import Method
from lab.experiments.relational import RelationalDataSet
from lab.experiments.report.pages import Block
from lab.experiments.summary import Summary
from lab.experiments.trials import Trial, cross_validated
from lab.papers.setting import PaperSetting
from petree.systems import presets

RUNS = 10
FOLDS = 5
# Relational sets of more examples than this are divided once, not ten times.
MANY_EXAMPLES = 2000
# Those of CW488 that have the paper's examples.
RELATIONAL = ("biodegradability", "hiv", "mutagenesis", "gene")
# The six criteria of section 5.3, RAND first, by the presets that stand for them.
CRITERIA = {"RAND": "rand", "MDL": "mdl-p", "BIC": "bic-p", "CHI": "chi", "EBP": "tilde-c4.5", "NOPRUNING": "c4.4"}


class Experiment(NamedTuple):
    """The results of one experiment, and what a page says of them."""

    summary: Summary
    blocks: Sequence[Block]


def methods() -> list[Method]:
    """The six criteria."""
    return [Method(name, presets[preset]()) for name, preset in CRITERIA.items()]


def trials_of(data_sets: Iterable[DataSet], setting: PaperSetting) -> Iterator[Trial]:
    """The paper's protocol, but for the largest relational sets."""
    for data in data_sets:
        yield from cross_validated([data], 1 if is_large(data) else setting.runs(RUNS), FOLDS, setting.seed)


def is_large(data: DataSet) -> bool:
    """Whether a set is so large that it is divided only once."""
    return isinstance(data, RelationalDataSet) and data.n_rows > MANY_EXAMPLES
