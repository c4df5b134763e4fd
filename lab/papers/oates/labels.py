"""Footnote 2 of Oates and Jensen: do growing and pruning cases give a node the same class?"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from lab.experiments.data import DataSet
from lab.experiments.report.tables import Table
from lab.experiments.trials import Trial, trials_of
from lab.papers.printed import stated
from lab.statistics.resampling import random_splits
from petree.pruning.engine.counts import predictions
from petree.pruning.engine.sampling import majority
from petree.systems import presets

SPLITS = 10
# Nodes that fewer pruning cases reach are not counted.
FEWEST_CASES = 10


class Labels(NamedTuple):
    """Nodes that were compared, and those of them that have one class."""

    nodes: int
    alike: int

    @property
    def percent(self) -> float:
        return 100 * self.alike / self.nodes if self.nodes else float("nan")

    @classmethod
    def total(cls, found: Iterable[Labels]) -> Labels:
        return cls(*(sum(column) for column in zip(*found, strict=True)))


def compare_labels(trial: Trial) -> Labels:
    """Grow a tree on some rows, unpruned, and send the others down."""
    data = trial.data
    part = trial.part
    model = presets["c4.5"](pruning="none")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # columns without values in one part
        model.fit(data.given(part.learn), data.y[part.learn], classes=data.classes)
    ways = model.decision_path(data.given(part.test))
    codes = np.searchsorted(data.classes, data.y[part.test])
    rows = np.arange(len(part.test))
    truth = csr_array((np.ones(len(rows)), (rows, codes)), shape=(len(rows), data.n_classes))
    counts = (ways.T @ truth).toarray()
    grown = predictions(model.tree_)
    is_counted = counts.sum(axis=1) >= FEWEST_CASES
    is_alike = majority(counts, grown) == grown
    return Labels(int(is_counted.sum()), int((is_counted & is_alike).sum()))


def label_counts(data_sets: Sequence[DataSet], runs: int, seed: int) -> dict[str, Labels]:
    """Over random splits of each data set, two thirds to grow and one third to prune."""
    found = {}
    for data in data_sets:
        parts = random_splits(data.n_rows, round(data.n_rows * 2 / 3), runs, seed)
        found[data.name] = Labels.total(compare_labels(trial) for trial in trials_of(data, parts))
    return found


def labels_table(found: dict[str, Labels]) -> Table:
    rows = [[name, str(labels.nodes), f"{labels.percent:.1f}"] for name, labels in found.items()]
    total = Labels.total(found.values())
    printed = stated("oates")["same_label"]
    percents = [labels.percent for labels in found.values() if labels.nodes]
    rows.append(["mean of the sets", "", f"{np.mean(percents):.1f}"])
    rows.append(["all nodes", str(total.nodes), f"{total.percent:.1f} ({printed:g}, {total.percent - printed:+.1f})"])
    note = f"Nodes that at least {FEWEST_CASES} pruning cases reach; in brackets the paper's, over its 19 sets."
    heads = ("data set", "nodes", "percent with one class")
    return Table(
        "Footnote 2: nodes that growing and pruning cases label alike", heads, rows, note, range(len(found), len(rows))
    )
