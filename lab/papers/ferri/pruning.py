"""Section 5 of Ferri, Flach and Hernandez-Orallo: classical pruning of smoothed trees, and CardPerClass pruning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lab.experiments.report.figures import panels
from lab.experiments.report.pages import Block, Heading, Picture
from lab.experiments.report.tables import Table
from lab.experiments.summary import Summary
from lab.papers.ferri.protocol import (
    ACCURACY,
    AUC,
    CARDS,
    CASES_PER_CLASS,
    CLASSICAL_PRUNINGS,
    PRUNED_SMOOTHINGS,
    READING,
    READINGS,
    groups,
    leaves,
    method_name,
    percents,
)
from lab.papers.ferri.significance import wins
from lab.papers.printed import read

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NO_NUMBERS = "The paper gives no numbers."
NEEDED = (0.0, *CASES_PER_CLASS)


def section(summary: Summary, pictures: bool) -> Iterator[Block]:
    yield Heading("Section 5: pruning")
    yield pruning_table(summary)
    yield cards_table(summary)
    yield readings_table(summary)
    if pictures:
        yield Picture("ferri-figure-1.png", "Figure 1: CardPerClass pruning, geometric means", _figure(summary))


def pruning_table(summary: Summary) -> Table:
    """What classical pruning does to the AUC of trees with and without smoothing."""
    auc = percents(summary).geometric_means()
    size = leaves(summary)
    rows = []
    for smoothing in PRUNED_SMOOTHINGS:
        whole = method_name("C4.5", smoothing)
        rows.append([f"{smoothing}: unpruned", f"{auc[whole]:.1f}", "", "", f"{size[whole]:.1f}"])
        for pruning in CLASSICAL_PRUNINGS:
            name = method_name("C4.5", smoothing, pruning)
            change = f"{auc[name] - auc[whole]:+.2f}"
            record = str(wins(summary, AUC, name, whole))
            rows.append([f"{smoothing}: {pruning}", f"{auc[name]:.1f}", change, record, f"{size[name]:.1f}"])
    heads = ("smoothing: pruning", "AUC, percent", "change by pruning", "significant w/t/l", "leaves")
    note = f"{NO_NUMBERS} C4.5's splits; geometric means; w/t/l against the unpruned tree, at 0.1."
    return Table("Classical pruning", heads, rows, note)


def cards_table(summary: Summary) -> Table:
    """The numbers behind Figure 1."""
    curves = card_curves(summary)
    rows = []
    for place, cases in enumerate(NEEDED):
        scales = [f"{scale * cases:g}" for scale in READINGS.values()]
        rows.append([f"{cases:g}", *scales, *(f"{values[place]:.1f}" for values in curves.values())])
    heads = ("cases needed per class", *(f"K of {reading}" for reading in READINGS), *curves)
    note = (
        f"{NO_NUMBERS} The definition is misprinted and has two readings; the conclusions are decided by {READING}. "
        "MSEE's splits, m-branch; geometric means."
    )
    return Table("Figure 1: CardPerClass pruning", heads, rows, note)


def readings_table(summary: Summary) -> Table:
    """What CardPerClass pruning of K = 1 changes, in the paper's tables and in each reading of its definition."""
    printed = {
        (row["table"], row["data_sets"], row["measure"]): row["value"]
        for row in read("ferri_means")
        if row["split"] == "MSEE" and row["smoothing"] == "m_branch"
    }
    rows = []
    for group, members in groups(summary).items():
        curves = card_curves(members)
        for measure, values in {"accuracy": curves["accuracy, percent"], "auc": curves["AUC, percent"]}.items():
            paper = printed[8, group, measure] - printed[7, group, measure]
            ours = [values[position_of(1, reading)] - values[0] for reading in READINGS]
            rows.append([f"{group}: {measure}", f"{paper:+.1f}", *(f"{change:+.1f}" for change in ours)])
    heads = ("data sets and measure", "paper, Table 8 less Table 7", *READINGS)
    note = "Percentage points. MSEE's splits, m-branch, K = 1; geometric means."
    return Table("Which reading of CardPerClass", heads, rows, note)


def position_of(k: float, reading: str = READING) -> int:
    """Return the position of a K of the paper on the curves."""
    return NEEDED.index(k / READINGS[reading])


def card_curves(summary: Summary) -> dict[str, list[float]]:
    """Geometric means of accuracy, AUC and leaves by the cases that are needed per class."""
    names = [method_name("MSEE", pruning=card) for card in ("", *CARDS)]
    means = {
        "accuracy, percent": percents(summary, ACCURACY).geometric_means(),
        "AUC, percent": percents(summary).geometric_means(),
        "leaves": leaves(summary),
    }
    return {measure: [found[name] for name in names] for measure, found in means.items()}


def _figure(summary: Summary) -> Figure:
    curves = {measure: {"MSEE, m_branch": values} for measure, values in card_curves(summary).items()}
    return panels(NEEDED, curves, "cases needed per class")
