"""Which interval of a column is cut next: CW488 has seven thresholds a column, and does not tell their order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lab.experiments.data import DataSet
from lab.experiments.methods import Method
from lab.experiments.report.pages import Heading, Words
from lab.experiments.report.tables import Table
from lab.experiments.summary import Summary
from lab.papers.cw488.protocol import Experiment, trials_of
from lab.papers.data.preparation import count_tests
from lab.papers.printed import cw488_cells, read
from lab.papers.setting import PaperSetting
from lab.papers.verdicts import beside
from petree.binning import Entropy
from petree.systems import presets


class ByGain(Entropy):
    """The interval whose cut saves most is cut next, whatever is left in it."""

    def urgency(self, counts: NDArray[np.float64], gain: float) -> float:
        return gain


# The order of the presets has the name of their unpruned trees, so that nothing is measured twice.
OWN = "NOPRUNING"
OTHER = "NOPRUNING, most gain first"
BINNINGS: dict[str, Entropy] = {OWN: Entropy(), OTHER: ByGain()}


def order_of_thresholds(setting: PaperSetting, data_sets: Sequence[DataSet]) -> Experiment:
    """Unpruned trees by both orders, on the sets that have numbers."""
    with_numbers = [data for data in data_sets if any(values.dtype.kind != "O" for values in data.columns.values())]
    methods = [Method(OWN, presets["c4.4"]()), Method(OTHER, presets["c4.4"](binning=BINNINGS[OTHER]))]
    summary = setting.summary("cw488", trials_of(with_numbers, setting), methods)
    words = (
        "Seven thresholds are made by cutting one interval of a column after the other. The paper does not tell which "
        "is next: the most impure, as in petree, or the one whose cut saves most bits. Intervals of one class stay "
        "whole, without which annealing has 58 tests. Unpruned trees, ours beside the paper's, decide."
    )
    return Experiment(
        summary, [Heading("The order of the thresholds"), Words(words), order_table(summary, with_numbers)]
    )


def order_table(summary: Summary, data_sets: Sequence[DataSet]) -> Table:
    """Candidate tests and unpruned sizes by both orders, and the logarithms of the ratios of ours to the paper's."""
    tests = {row["data_set"]: row["n_tests"] for row in read("cw488_table1")}
    sizes = cw488_cells("size").of(summary.data_sets)
    ratios = {name: log_ratios(summary, name) for name in BINNINGS}
    rows = []
    for place, data in enumerate(data_sets):
        row = [data.name]
        for name, binning in BINNINGS.items():
            row.append(beside(count_tests(data, binning), tests[data.name], 0))
            row.append(beside(summary.mean("inner_nodes", data.name, name), sizes.value(data.name, OWN), 1))
            row.append(f"{ratios[name][place]:+.3f}")
        rows.append(row)
    means = [["", "", f"{np.abs(ratios[name]).mean():.3f}"] for name in BINNINGS]
    rows.append(["mean, without signs", *(cell for cells in means for cell in cells)])
    heads = [f"{head}, {order} first" for order in ("impure", "gain") for head in ("tests", "inner nodes", "log ratio")]
    return Table("The order of the thresholds", ("data set", *heads), rows, bold=range(len(data_sets), len(rows)))


def log_ratios(summary: Summary, name: str) -> NDArray[np.float64]:
    """Of each set the logarithm of our unpruned size over the paper's."""
    printed = [cw488_cells("size").value(data_set, OWN) for data_set in summary.data_sets]
    return np.log(summary.by_method("inner_nodes")[name] / np.array(printed))
