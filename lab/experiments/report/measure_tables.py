"""Tables of results, in the form of CW488's Tables 2 to 4: data sets by methods, with marks and a summary below."""

from __future__ import annotations

from lab.experiments.measuring import LEAST_PROBABILITY
from lab.experiments.report.tables import Table
from lab.experiments.summary import Summary
from petree.metrics.roc import WEIGHTED_AUC_TITLE

# What tables call a measure, and its number of decimals.
TITLES: dict[str, tuple[str, int]] = {
    "auc": (WEIGHTED_AUC_TITLE, 3),
    "log_likelihood": ("Log likelihood, bits a case", 3),
    "brier": ("Brier score", 3),
    "accuracy": ("Accuracy", 3),
    "hand_till_auc": ("AUC by Hand and Till", 3),
    "calibration_error": ("Calibration error", 3),
    "expected_accuracy": ("Accuracy that the method expects", 3),
    "impossible": ("Share of cases whose class was held impossible", 4),
    "inner_nodes": ("Inner nodes", 1),
    "leaves": ("Leaves", 1),
    "seconds": ("Seconds of a fit", 3),
    "pairwise_auc": ("AUC of pairs of classes", 3),
    "leaf_accuracy": ("Accuracy of the leaves' majorities", 3),
}
NOTES = {
    "auc": "The AUC of each class against the others, weighted by the shares of the classes.",
    "log_likelihood": f"Mean base-2 logarithm of the probability of the true class; the nearer to 0 the better. "
    f"Probabilities below {LEAST_PROBABILITY:g} count as that.",
    "brier": "Squared errors summed over the classes; less is better.",
    "seconds": "Medians over the fits, each in one process.",
}


def measure_table(summary: Summary, measure: str, about: str = "") -> Table:
    """Means of a measure; the first method is the one that the others are compared with.

    Parameters
    ----------
    summary : Summary
    measure : str
    about : str
        What the title says before the measure.
    """
    title, decimals = TITLES[measure]
    title = f"{about}: {title}" if about else title
    reference, *others = summary.methods
    rows = []
    for name in summary.data_sets:
        marks = ["", *(summary.mark(measure, name, method, reference) for method in others)]
        values = [summary.mean(measure, name, method) for method in summary.methods]
        cells = [f"{number(value, decimals)} {mark}".strip() for value, mark in zip(values, marks, strict=True)]
        rows.append([name, *cells])
    n_sets = len(rows)
    if n_sets > 1:
        rows += summary_rows(summary, measure)
    return Table(title, ("data set", *summary.methods), rows, _note(measure, reference), range(n_sets, len(rows)))


def summary_rows(summary: Summary, measure: str) -> list[list[str]]:
    """Mean over the data sets, wins, ties and losses against the first method, and average rank."""
    reference, *others = summary.methods
    decimals = TITLES[measure][1]
    rows = [["average", *(number(mean, decimals) for mean in summary.means(measure).mean(axis=0))]]
    if measure in summary.ranks:
        direct = [str(summary.direct(measure, method, reference)) for method in others]
        significant = [str(summary.significant(measure, method, reference)) for method in others]
        rows.append(["wins/ties/losses", "", *direct])
        rows.append(["significant w/t/l", "", *significant])
        rows.append(["average rank", *(f"{rank:.2f}" for rank in summary.ranks[measure].values())])
    return rows


def number(value: float, decimals: int) -> str:
    return "-" if value != value else f"{value:.{decimals}f}"


def _note(measure: str, reference: str) -> str:
    marks = f"● significantly better than {reference}, ○ worse, at 0.05 over sorted runs."
    return f"{NOTES[measure]} {marks}" if measure in NOTES else marks
