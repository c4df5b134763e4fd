"""F05's conclusions from controlled experiments: the number of classes, of candidate tests, and of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from lab.experiments.summary import Summary
from lab.papers.printed import stated
from lab.papers.verdicts import Verdict

REFERENCE = "C4.4"
PENALTIES = ("MDLs", "MDLp", "BICs", "BICp")
STEADY = ("C4.5", "C4.4", "Chi")  # those that the number of classes should not trouble
TOGETHER = ("MDLs", "MDLp", "BICs", "Chi")  # those that stay together as rows are added
# By how many points of AUC approaches that are "very close", or that "hardly" fall, may differ; and what is left of
# trees that hardly shrink.
CLOSE = 2.0
KEPT = 0.9
LEVEL = 0.05
# On trains approaches may differ with so many rows or fewer.
FEW_ROWS = 3000


def points(summary: Summary) -> dict[str, NDArray[np.float64]]:
    """AUC in percent at each step, by approach."""
    return {name: 100 * values for name, values in summary.by_method("auc").items()}


def apart(auc: Mapping[str, NDArray[np.float64]], names: Sequence[str]) -> NDArray[np.float64]:
    """By how many points some approaches differ at most, at each step."""
    return np.ptp([auc[name] for name in names], axis=0)


def merged_verdicts(merged: Summary) -> dict[str, Verdict]:
    """The sets of the summary have more and more classes."""
    auc = points(merged)
    fall = {name: values[0] - values[-1] for name, values in auc.items()}
    kept = {name: float(leaves[-1] / leaves[0]) for name, leaves in merged.by_method("leaves").items()}
    others = max(fall[name] for name in STEADY)
    least = min(kept[name] for name in STEADY)
    told = ", ".join(f"{name} {value:.1f} and {kept[name]:.2f}" for name, value in fall.items())
    widest = float(apart(auc, PENALTIES).max())
    return {
        "merged_penalties": Verdict(
            bool(min(fall[name] for name in PENALTIES) > others and max(kept[name] for name in PENALTIES) < least),
            f"points of AUC lost from the fewest classes to the most, and leaves with the most over those with the "
            f"fewest: {told}",
        ),
        "merged_others": Verdict(
            bool(others < CLOSE and least > KEPT),
            f"at most {others:.1f} points lost; leaves with the most classes over those with the fewest at least "
            f"{least:.2f}",
        ),
        "merged_alike": Verdict(widest <= CLOSE, f"at most {widest:.1f} points of AUC apart"),
        "merged_compete": _compete(merged),
    }


def _compete(merged: Summary) -> Verdict:
    """Each of the four is close to the best of the others with few classes, and behind all of these with more."""
    auc = points(merged)
    few = np.array([_number(name) <= stated("f05")["competitive_classes"] for name in merged.data_sets])
    if few.all() or not few.any():
        return Verdict(None, "needs few and many classes")
    behind = np.array([np.max([auc[one] for one in STEADY], axis=0) - auc[name] for name in PENALTIES])
    ahead = np.min([auc[one] for one in STEADY], axis=0) - np.max([auc[one] for one in PENALTIES], axis=0)
    return Verdict(
        bool(behind[:, few].max() <= CLOSE and (ahead[~few] > 0).all()),
        f"with up to 5 classes at most {behind[:, few].max():.1f} points behind the best; with more at least "
        f"{ahead[~few].min():.1f} behind the worst of {', '.join(STEADY)}",
    )


def _number(name: str) -> int:
    """The number with which the name of a step begins, or ends."""
    return next(int(word) for word in name.replace(",", "").split() if word.isdigit())


def tests_verdicts(tests: Summary) -> dict[str, Verdict]:
    """No approach gains or loses significantly against C4.4 as tests are added."""
    auc = tests.by_method("auc")
    found = {
        name: spearmanr(np.arange(len(values)), values - auc[REFERENCE])
        for name, values in auc.items()
        if name != REFERENCE
    }
    told = ", ".join(f"{name} {one.statistic:+.1f}" for name, one in found.items())
    return {
        "tests_no_trend": Verdict(
            not any(one.pvalue < LEVEL for one in found.values()),
            f"rank correlation of the number of thresholds with the AUC gained over C4.4: {told}",
        )
    }


# -- the number of rows -----------------------------------------------------------------------------------


def rows_verdicts(rows: Mapping[str, Summary]) -> dict[str, Verdict]:
    """Of those of the two sets that are at hand."""
    found = {}
    if "hiv" in rows:
        found["rows_hiv"] = _many_rows(rows["hiv"])
        found["rows_hiv_alike"] = _alike(rows["hiv"], TOGETHER, 0)
    if "trains" in rows:
        found["rows_trains"] = _all_rows(rows["trains"])
        found["rows_trains_alike"] = _alike(rows["trains"], (*TOGETHER, "BICp"), FEW_ROWS)
    return found


def _many_rows(rows: Summary) -> Verdict:
    """With the most rows BICp has larger trees and a higher AUC than the other four."""
    most = rows.data_sets[-1]
    auc, leaves = ({name: rows.mean(key, most, name) for name in rows.methods} for key in ("auc", "leaves"))
    told = ", ".join(f"{name} {leaves[name]:.0f} and {100 * auc[name]:.1f}" for name in ("BICp", *TOGETHER))
    return Verdict(
        all(leaves["BICp"] > leaves[name] and auc["BICp"] > auc[name] for name in TOGETHER),
        f"leaves and AUC on {most}: {told}",
    )


def _alike(rows: Summary, names: Sequence[str], few: int) -> Verdict:
    """Approaches stay close at all numbers of rows above some."""
    widest = dict(zip(rows.data_sets, apart(points(rows), names).tolist(), strict=True))
    told = ", ".join(f"{name} {value:.1f}" for name, value in widest.items())
    return Verdict(
        all(value <= CLOSE for name, value in widest.items() if _number(name) > few), f"points of AUC apart: {told}"
    )


def _all_rows(rows: Summary) -> Verdict:
    """With any number of rows C4.4 has the largest trees and the lowest AUC."""
    place = rows.methods.index(REFERENCE)
    largest = rows.means("leaves").argmax(axis=1) == place
    lowest = rows.means("auc").argmin(axis=1) == place
    return Verdict(
        bool((largest & lowest).all()),
        f"largest with {largest.sum()}, lowest AUC with {lowest.sum()} of {len(largest)} numbers of rows",
    )
