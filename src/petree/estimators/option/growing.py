"""How the tree of an option tree classifier is grown from its cases."""

from __future__ import annotations

import numpy as np

from petree.bayes import Prior
from petree.estimators.learning.cases import Cases
from petree.estimators.option.column_ranks import column_ranks
from petree.growing.option_ground import OptionRules
from petree.growing.options import GrownTree, grow_options
from petree.sources.coding import Binning, CodedTable
from petree.sources.quality import Quality
from petree.threads import Threads


def grow(cases: Cases, prior: Prior, rules: OptionRules, tests: str, binning: Binning, threads: Threads) -> GrownTree:
    """The tree with its options, and how its growing ended."""
    table = cases.table
    n_classes = len(cases.classes)
    shared = cases.coded()
    coded = shared or CodedTable.of(
        table.columns, table.arrays, cases.codes, cases.weights, n_classes, binning, threads
    )
    # Where all columns are looked at nothing is drawn.
    ranks = np.arange(len(table.columns)) if rules.max_features is None else column_ranks(cases)
    quality = Quality.of(coded, table.arrays if shared is None else (), cases.targets.counts(), prior, tests)
    return grow_options(coded, quality, cases.targets, tests, rules, ranks, threads)
