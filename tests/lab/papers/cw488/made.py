"""Results of CW488's other experiments, with the numbers of its text or like those that it tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike
from tests.lab.experiments.made import made_summary
from tests.lab.papers.cw488.printed_summary import CRITERIA, SPREAD

from lab.experiments.summary import Summary
from lab.papers.cw488.when import CRITERIA as TWICE
from lab.papers.printed import stated

# -- section 5.2: the numbers of the text, over as many sets -------------------------------------------------

STATED, N_SETS = stated("cw488"), 26
LARGER = {name: int(STATED[f"larger_when_post_{name}"]) for name in TWICE}
SLOWER = {name: STATED[f"slower_when_post_{name}"] for name in TWICE}


SETS = ("hiv", *(f"set {number}" for number in range(1, N_SETS)))


def made_when(
    larger: Mapping[str, int] = LARGER,
    better: Sequence[str] = ("hiv",),
    worse: Sequence[str] = (),
    smaller: Sequence[str] = (),
    slower: Mapping[str, float] = SLOWER,
    slightly: float = 0.001,
) -> Summary:
    """On the first so many sets trees are larger after growing; on some all have a better AUC and CLL, or RAND's a
    worse one or smaller trees; on the others AUC is slightly better, not significantly.
    """
    flat = np.ones((2, 5))
    values: dict[tuple[str, str], dict[str, ArrayLike]] = {}
    for number, data_set in enumerate(SETS):
        for name in TWICE:
            before = {"inner_nodes": 10 * flat, "auc": 0.5 * flat, "log_likelihood": -flat, "seconds": flat}
            values[data_set, f"{name} pre"] = before
            gain = 0.1 * (data_set in better) - 0.1 * (name == "RAND" and data_set in worse)
            less = 2 * (name == "RAND" and data_set in smaller)
            values[data_set, name] = {
                "inner_nodes": (10 + (number < larger[name]) - less) * flat,
                "auc": 0.5 * flat + (gain or slightly + 0.01 * SPREAD),
                "log_likelihood": gain - flat,
                "seconds": slower[name] * flat,
            }
    return made_summary(values)


def made_curve(data_set: str, gains: Mapping[str, Sequence[float]]) -> Summary:
    """So much more log likelihood after growing with more and more rows; no more where nothing is told."""
    n_sizes = len(next(iter(gains.values())))
    values: dict[tuple[str, str], dict[str, ArrayLike]] = {}
    for place in range(n_sizes):
        for name in TWICE:
            gain = gains[name][place] if name in gains else 0.0
            values[f"{data_set}, {2**place} rows", name] = {"log_likelihood": [[-1 + gain] * 2]}
            values[f"{data_set}, {2**place} rows", f"{name} pre"] = {"log_likelihood": [[-1.0] * 2]}
    return made_summary(values)


UP_AND_DOWN = (0.1, 0.3, 0.0, 0.2, 0.1, 0.15)
UP = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
DOWN = UP[::-1]

# -- sections 5.3.4 and 5.3.1: numbers like those that the text tells ------------------------------------------

Row = Mapping[str, Mapping[str, Sequence[float]]]
# By number of classes: about 100 nodes unpruned, and two of MDL and BIC in the end.
CLASSES: Row = {
    "inner_nodes": {
        "RAND": (30, 31, 30),
        "MDL": (10, 5, 2),
        "BIC": (12, 6, 2),
        "CHI": (25, 20, 12),
        "EBP": (60, 58, 60),
        "NOPRUNING": (70, 100, 101),
    },
    "auc": {
        "RAND": (0.9, 0.87, 0.85),
        "MDL": (0.88, 0.8, 0.7),
        "BIC": (0.89, 0.8, 0.71),
        "CHI": (0.9, 0.865, 0.84),
        "EBP": (0.9, 0.87, 0.85),
        "NOPRUNING": (0.9, 0.87, 0.85),
    },
    "log_likelihood": {
        "RAND": (-1, -1.5, -2),
        "MDL": (-1.1, -1.8, -2.3),
        "BIC": (-1.1, -1.8, -2.3),
        "CHI": (-1.04, -1.53, -1.98),
        "EBP": (-1.05, -1.58, -2.1),
        "NOPRUNING": (-1.1, -1.8, -2.6),
    },
}
# With equal classes, with fewer of one, and with one very rare.
SKEW: Row = {
    "inner_nodes": {
        "RAND": (20, 15, 8),
        "MDL": (6, 4, 1),
        "BIC": (25, 15, 9),
        "CHI": (22, 14, 7),
        "EBP": (60, 20, 2),
        "NOPRUNING": (200, 120, 90),
    }
}


def made_rows(means: Row) -> Summary:
    """Three samples, and the means of each criterion on them."""
    values: dict[tuple[str, str], dict[str, ArrayLike]] = {}
    for place, sample in enumerate(("first", "second", "third")):
        for criterion in CRITERIA:
            found = {measure: [[by_name[criterion][place]] * 2] for measure, by_name in means.items()}
            values[sample, criterion] = dict(found)
    return made_summary(values)


def changed(means: Row, measure: str, **criteria: Sequence[float]) -> Summary:
    return made_rows({**means, measure: {**means[measure], **criteria}})
