"""The criteria and the protocol of CW488's section 5."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from petree.evaluation.pages import Block
from petree.experiments.methods import Method
from petree.experiments.summary import Summary
from petree.systems import presets

RUNS, FOLDS = 10, 5
# The six criteria of section 5.3, RAND first, by the presets that stand for them.
CRITERIA = {"RAND": "rand", "MDL": "mdl-p", "BIC": "bic-p", "CHI": "chi", "EBP": "tilde-c4.5", "NOPRUNING": "c4.4"}


class Part(NamedTuple):
    """The results of one experiment, and what a page says of them."""

    summary: Summary
    blocks: Sequence[Block]


def methods() -> list[Method]:
    """The six criteria on trees with CW488's seven thresholds a number."""
    return [Method(name, presets[preset](binning="entropy")) for name, preset in CRITERIA.items()]
