"""Five models whose reports are looked at: by the tests, in a browser, and for the pictures in the documentation.

They need the data sets of the papers, in the folder that PETREE_DATA names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import numpy as np

from lab.experiments.data import DataSet
from lab.papers.data import datasets, relational_data
from petree import OptionTreeClassifier, ProbabilityTreeClassifier, RelationalTreeClassifier, make_report
from petree.report import Report

N_CLASSES = 20


def adult() -> Report:
    """48,842 rows; a third of them is left out, to try the model on."""
    return _tried(ProbabilityTreeClassifier(random_state=0), _adult())


def voting() -> Report:
    """A tree with options."""
    return _tried(OptionTreeClassifier(random_state=0), datasets.load("voting"))


def mutagenesis() -> Report:
    """A tree of related tables."""
    database = relational_data.load("mutagenesis")
    keys = np.asarray(database.keys("molecule"))
    labels = database.labels("molecule.class")
    model = RelationalTreeClassifier(database, "molecule.class", random_state=0).fit(keys[::2])
    return make_report(model, keys[1::2], labels[1::2])


def letters() -> Report:
    """20 classes."""
    data = datasets.load("letter")
    some = data.take(np.flatnonzero(np.isin(data.y, data.classes[:N_CLASSES])))
    return _tried(ProbabilityTreeClassifier(max_leaf_nodes=120, random_state=0), some)


def large() -> Report:
    """More than 400 leaves."""
    data = _adult()
    model = ProbabilityTreeClassifier(pruning="none", min_samples_leaf=70).fit(data.columns, data.y)
    return make_report(model, data.columns, data.y)


@cache
def _adult() -> DataSet:
    """Read once, for two reports."""
    return datasets.load("adult")


def _tried(model: ProbabilityTreeClassifier | OptionTreeClassifier, data: DataSet) -> Report:
    """The report of a model that learned from two thirds of the rows, tried on the others."""
    rows = np.random.default_rng(0).permutation(data.n_rows)
    cut = 2 * data.n_rows // 3
    model.fit(data.given(rows[:cut]), data.y[rows[:cut]])
    return make_report(model, data.given(rows[cut:]), data.y[rows[cut:]])


REPORTS: Mapping[str, Callable[[], Report]] = {
    "adult": adult,
    "voting": voting,
    "mutagenesis": mutagenesis,
    "letters": letters,
    "large": large,
}
