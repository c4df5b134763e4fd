"""Tables 1 to 6 and Figure 3 of CW488 beside ours."""

from __future__ import annotations

import itertools
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lab.experiments.data import DataSet
from lab.experiments.methods import Method
from lab.experiments.relational import RelationalDataSet
from lab.experiments.report.measure_tables import summary_rows
from lab.experiments.report.tables import Table
from lab.experiments.summary import Summary
from lab.papers.data.preparation import count_tests
from lab.papers.data.relational_sets import count_root_tests
from lab.papers.printed import Cells, cw488_cells, read
from lab.papers.verdicts import beside


class Measure(NamedTuple):
    """A measure of ours, the paper's name and number of its table, the factor that makes ours the paper's, decimals."""

    own: str
    table: str
    title: str
    factor: float
    decimals: int


MEASURES = {
    "size": Measure("inner_nodes", "2", "Tree size, inner nodes", 1, 1),
    "auc": Measure("auc", "3", "AUC, percent", 100, 1),
    "cll": Measure("log_likelihood", "4", "Negative log likelihood, bits a case", -1, 3),
}
# How near counts as equal: size within 30% or one node (the thresholds of the paper are not fully described).
SIZE_SHARE = 0.3
SIZE_NODES = 1.0
# Ranks as near as this count as a tie.
NEAR = 0.3


def table_1(data_sets: Sequence[DataSet]) -> Table:
    """The data: rows, classes and candidate tests, ours beside the paper's."""
    printed = {row["data_set"]: row for row in read("cw488_table1")}
    rows = []
    for data in data_sets:
        paper = printed[data.name]
        is_flat = not isinstance(data, RelationalDataSet)
        ours = (data.n_rows, data.n_classes, count_tests(data) if is_flat else count_root_tests(data))
        theirs = (paper["rows"], paper["classes"], paper["n_tests"])
        rows.append([data.name, *(beside(own, other, 0) for own, other in zip(ours, theirs, strict=True))])
    n_equal = sum("=" in row[3] for row in rows)
    note = f"=: equal to the paper. The number of tests is equal on {n_equal} of {len(rows)} sets."
    return Table("Table 1: the data sets", ("data set", "rows", "classes", "candidate tests"), rows, note)


def own_cells(summary: Summary, name: str) -> NDArray[np.float64]:
    """Our means in the paper's units, data sets x criteria."""
    return MEASURES[name].factor * summary.means(MEASURES[name].own)


def printed_cells(summary: Summary, name: str) -> Cells:
    """The paper's cells of the same data sets; its criteria stand in the order of ours."""
    return cw488_cells(name).of(summary.data_sets)


def cells_table(summary: Summary, name: str) -> Table:
    """Table 2, 3 or 4."""
    measure = MEASURES[name]
    paper = printed_cells(summary, name)
    ours = own_cells(summary, name)
    reference, *others = summary.methods
    rows = []
    for row, data_set in enumerate(summary.data_sets):
        marks = ["", *(summary.mark(measure.own, data_set, method, reference) for method in others)]
        cells = [
            f"{mark} {beside(ours[row, column], paper.value(data_set, method), measure.decimals)}".strip()
            for column, (method, mark) in enumerate(zip(summary.methods, marks, strict=True))
        ]
        rows.append([data_set, *cells])
    rows.append(_averages(summary, name))
    rows += summary_rows(summary, measure.own)[1:]
    note = f"● significantly better than {reference}, ○ worse (sorted runs, 0.05). The rows below are ours."
    title = f"Table {measure.table}: {measure.title}"
    return Table(title, ("data set", *summary.methods), rows, note, range(len(summary.data_sets), len(rows)))


def _averages(summary: Summary, name: str) -> list[str]:
    paper = printed_cells(summary, name).averages()
    ours = own_cells(summary, name).mean(axis=0)
    decimals = MEASURES[name].decimals
    own = dict(zip(summary.methods, ours.tolist(), strict=True))
    return ["average", *(beside(own[method], paper[method], decimals) for method in summary.methods)]


class Agreement(NamedTuple):
    """How near our cells come to the paper's."""

    auc: float
    cll: float
    sizes: int
    cells: int


def agreement_of(summary: Summary) -> Agreement:
    """Mean absolute differences in AUC and CLL, and in how many cells the sizes are alike."""
    difference = {name: own_cells(summary, name) - printed_cells(summary, name).values for name in MEASURES}
    size = printed_cells(summary, "size").values
    alike = np.abs(difference["size"]) <= np.maximum(SIZE_SHARE * size, SIZE_NODES)
    return Agreement(
        float(np.abs(difference["auc"]).mean()), float(np.abs(difference["cll"]).mean()), int(alike.sum()), alike.size
    )


def agreement(summary: Summary) -> Table:
    found = agreement_of(summary)
    rows = [
        ["mean absolute difference in AUC, points", f"{found.auc:.2f}", "1.5"],
        ["mean absolute difference in CLL, bits", f"{found.cll:.3f}", "0.04"],
        [f"cells of {found.cells} whose size is within 30% or one node", str(found.sizes), "90"],
    ]
    return Table("Agreement with the paper", ("over all cells of the flat sets", "here", "aim"), rows)


def ranks_table(summary: Summary) -> Table:
    """Average ranks beside the paper's, recomputed from its cells on the same sets."""
    rows = []
    for name, measure in MEASURES.items():
        paper = printed_cells(summary, name).average_ranks()
        ours = summary.ranks[measure.own]
        rows.append([measure.title, *(beside(ours[method], paper[method], 2) for method in summary.methods)])
    swapped = [pair for name in MEASURES for pair in swapped_ranks(summary, name)]
    order = f"but for {', '.join(swapped)}" if swapped else "without exception"
    note = (
        "The paper's ranks are recomputed from its printed cells on these sets. Criteria whose ranks there lie more "
        f"than {NEAR} apart stand in the same order here, {order}."
    )
    return Table("Average ranks", ("measure", *summary.methods), rows, note)


def swapped_ranks(summary: Summary, name: str) -> list[str]:
    """Pairs of criteria that the paper ranks clearly apart and that stand in another order here."""
    paper = printed_cells(summary, name).average_ranks()
    ours = summary.ranks[MEASURES[name].own]
    pairs = itertools.permutations(summary.methods, 2)
    return [f"{name} of {a} and {b}" for a, b in pairs if paper[a] < paper[b] - NEAR and ours[a] > ours[b]]


def accuracy_table(summary: Summary) -> Table:
    """Table 5; the paper's row is over its 26 sets."""
    printed = {row["criterion"]: row for row in read("cw488_summary") if row["measure"] == "accuracy"}
    rows = [[f"ours, {len(summary.data_sets)} sets: {row[0]}", *row[1:]] for row in summary_rows(summary, "accuracy")]
    rows.append(
        ["paper, 26 sets: average in percent", *(f"{printed[name]['average']:.1f}" for name in summary.methods)]
    )
    rows.append(["paper, 26 sets: average rank", *(f"{printed[name]['rank']:.2f}" for name in summary.methods)])
    return Table("Table 5: accuracy", ("", *summary.methods), rows)


def seconds_of(method: Method, data: DataSet) -> float:
    """Seconds to learn from a whole data set, once what is compiled is compiled."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        X = data.given(np.arange(data.n_rows))
        data.learner(method.make(0)).fit(X, data.y)
        started = time.perf_counter()
        data.learner(method.make(0)).fit(X, data.y)
        return time.perf_counter() - started


def times_table(seconds: Mapping[str, Sequence[float]], kind: str = "flat", about: str = "") -> Table:
    """Table 6: seconds of RAND, and the others as shares of them, beside the paper's on flat or relational sets."""
    reference, *others = seconds
    printed = {
        (row["statistic"], row["criterion"]): row["value"] for row in read("cw488_times") if row["data_sets"] == kind
    }
    of_reference = np.array(seconds[reference])
    rows = []
    functions: dict[str, Callable[..., Any]] = {"min": np.min, "max": np.max, "average": np.mean}
    for statistic, function in functions.items():
        shares = [float(function(np.array(seconds[name]) / of_reference)) for name in others]
        own = [f"{share:.2f} ({printed[statistic, name]:.2f})" for name, share in zip(others, shares, strict=True)]
        rows.append([statistic, f"{function(of_reference):.3f} s ({printed[statistic, reference]:.1f} s)", *own])
    ratio = printed["average", reference] / of_reference.mean()
    note = (
        f"In brackets the paper's, on a Pentium 4 of 1.7 GHz. One RAND tree takes on average 1/{ratio:.0f} of the "
        f"time it took there. The last row has the means of the shares of the sets.{about}"
    )
    title = f"Table 6: running times, {kind} sets"
    return Table(title, ("", reference, *(f"{name} / {reference}" for name in others)), rows, note)


def figure_3(summary: Summary) -> Table:
    """Which criteria can never leave the smaller tree: asked of every fold."""
    rows = []
    for larger, smaller in never_smaller(summary.methods):
        n_folds, n_against = compare_sizes(summary, larger, smaller)
        rows.append([f"{larger} at least as large as {smaller}", str(n_folds), str(n_against)])
    return Table("Figure 3: sizes in every fold", ("relation", "folds", "folds against it"), rows)


def never_smaller(methods: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of criteria of which the first must leave a tree at least as large as the second."""
    return [("NOPRUNING", name) for name in methods if name != "NOPRUNING"] + [("BIC", "MDL")]


def compare_sizes(summary: Summary, larger: str, smaller: str) -> tuple[int, int]:
    """Number of folds, and of those in which the first tree is smaller than the second."""
    sizes = [
        (summary.folds("inner_nodes", name, larger), summary.folds("inner_nodes", name, smaller))
        for name in summary.data_sets
    ]
    return sum(one.size for one, _ in sizes), int(sum((one < other).sum() for one, other in sizes))
