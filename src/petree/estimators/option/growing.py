"""How the tree of an option tree classifier is grown from its cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petree.bayes import Prior
from petree.binning import resolve_binning
from petree.estimators.learning.cases import Cases
from petree.estimators.option.column_ranks import column_ranks
from petree.growing.option_ground import OptionRules
from petree.growing.options import GrownTree, grow_options
from petree.sources.coding import CodedTable
from petree.sources.quality import Quality
from petree.threads import Threads

if TYPE_CHECKING:
    from petree.estimators.option.classifier import OptionTreeClassifier


def grow(model: OptionTreeClassifier, cases: Cases, prior: Prior, rules: OptionRules, threads: Threads) -> GrownTree:
    """The tree with its options, and how its growing ended."""
    table = cases.table
    coded = CodedTable.of(
        table.columns,
        table.arrays,
        cases.codes,
        cases.weights,
        len(cases.classes),
        resolve_binning(model.binning),
        threads,
    )
    # Where all columns are looked at nothing is drawn.
    ranks = np.arange(len(table.columns)) if rules.max_features is None else column_ranks(cases)
    quality = Quality.of(coded, table.arrays, cases.targets.counts(), prior, model.tests)
    return grow_options(coded, quality, cases.targets, model.tests, rules, ranks, threads)
