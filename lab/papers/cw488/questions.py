"""What the conclusions of CW488 ask of our results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lab.experiments.summary import Summary
from lab.papers.printed import read
from lab.papers.verdicts import Verdict

MANY_CLASSES = 5  # "few" in the paper are two to four
# Shares of the data sets that "few" and "rarely" may mean: the paper says so of 1 to 3, and of 1 and 2 of 26.
FEW = 0.2
RARELY = 0.1
# The paper's set of which one class is very rare.
SKEWED = "hiv"


class Found(NamedTuple):
    """What the experiments of the paper's section 5 gave: all criteria, both ways of pruning, and the curves."""

    post: Summary
    when: Summary
    curves: Sequence[Summary]
    classes: Summary
    skew: Sequence[Summary]


def has_few_classes(post: Summary) -> NDArray[np.bool_]:
    printed = {row["data_set"]: row["n_classes"] for row in read("cw488_results")}
    return np.array([printed[name] < MANY_CLASSES for name in post.data_sets])


def differs(post: Summary, measure: str, data_set: str, method: str) -> bool:
    """Whether a criterion differs significantly from RAND."""
    return post.test(measure, data_set, method, "RAND").is_significant()


def is_worse(post: Summary, measure: str, data_set: str, method: str) -> bool:
    """Whether a criterion is significantly worse than RAND."""
    return differs(post, measure, data_set, method) and post.test(measure, data_set, method, "RAND").t < 0


def first(ranks: dict[str, float], name: str) -> Verdict:
    """Whether a criterion has the best average rank."""
    best = min(ranks, key=lambda one: ranks[one])
    return Verdict(best == name, f"rank {ranks[name]:.2f}; the best is {best}, {ranks[best]:.2f}")


def last(ranks: dict[str, float], name: str) -> Verdict:
    """Whether a criterion has the worst average rank."""
    worst = max(ranks, key=lambda one: ranks[one])
    return Verdict(worst == name, f"rank {ranks[name]:.2f}; the worst is {worst}, {ranks[worst]:.2f}")


def listed(numbers: Mapping[str, float], decimals: int = 0) -> str:
    return ", ".join(f"{name} {number:.{decimals}f}" for name, number in numbers.items())


def geometric_mean(values: NDArray[np.float64]) -> float:
    return float(np.exp(np.log(values).mean()))


def of_names(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"
