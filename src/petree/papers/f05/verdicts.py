"""The conclusions of F05, each decided by our figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.stats import spearmanr

from petree.evaluation.significance import ROUNDING, TTest, WinsTiesLosses, paired_t_test
from petree.experiments.summary import Summary
from petree.papers.printed import read
from petree.papers.verdicts import Verdict

REFERENCE = "C4.4"
PENALTIES = ("MDLs", "MDLp", "BICs", "BICp")
STEADY = ("C4.5", "C4.4", "Chi")  # those that the number of classes should not trouble
STOPPING = ("MDLs", "MDLp", "BICs", "Chi")  # those that BICp is compared with as rows are added
# The sets on which the paper does not find MDL and Chi trees smaller than all others.
NOT_SMALLER = ("voting", "hiv")
SKEWED = "hiv"
TRAINS = "trains"
# By how many points of AUC approaches that are "close" may differ.
CLOSE = 2.0
# By how many points an AUC that is "very low" is below that of C4.4.
FAR = 5.0


def verdicts(summary: Summary, merged: Summary, tests: Summary, rows: Mapping[str, Summary]) -> dict[str, Verdict]:
    """By the key of the conclusion."""
    found = {**_overall(summary), **_classes(summary), **_merged(merged), **_tests(tests)}
    if SKEWED in summary.data_sets:
        found["c45_skew"] = _skewed(summary)
    if SKEWED in rows:
        found["rows_hiv"] = _many_rows(rows[SKEWED])
    if TRAINS in rows:
        found["rows_trains"] = _all_rows(rows[TRAINS])
    return found


def paired(summary: Summary, measure: str, data_set: str, method: str) -> TTest:
    """The paper's test: plain, paired, over all test sets."""
    return paired_t_test(summary.gains(measure, data_set, method, REFERENCE))


def differs(summary: Summary, measure: str, data_set: str, method: str) -> str:
    """A full dot where a method is significantly better than C4.4, an empty one where it is worse."""
    test = paired(summary, measure, data_set, method)
    return ("●" if test.t > 0 else "○") if test.is_significant() else ""


def record(summary: Summary, method: str, data_sets: Sequence[str]) -> WinsTiesLosses:
    """Significant wins, ties and losses in AUC against C4.4."""
    return WinsTiesLosses.significant([paired(summary, "auc", name, method) for name in data_sets])


def _overall(summary: Summary) -> dict[str, Verdict]:
    means = {name: 100 * auc.mean() for name, auc in summary.by_method("auc").items()}
    best = max(means, key=lambda name: means[name])
    leaves = summary.by_method("leaves")
    smaller = int((leaves["C4.5"] < leaves[REFERENCE]).sum())
    records = {name: record(summary, name, summary.data_sets) for name in ("MDLs", "MDLp", "Chi")}
    small = np.array([leaves[name] for name in records])
    is_smaller = small.max(axis=0) < np.minimum(leaves["C4.4"], leaves["C4.5"])
    others = [name not in NOT_SMALLER for name in summary.data_sets]
    seconds = {name: found.mean() for name, found in summary.by_method("seconds").items()}
    ratio = min(seconds[name] for name in ("C4.4", "C4.5", "MDLp", "BICp")) / max(
        seconds[name] for name in ("MDLs", "BICs", "Chi")
    )
    return {
        "stopping_faster": Verdict(
            bool(ratio > 2), f"the fastest of the others takes {ratio:.2f} times the slowest of MDLs, BICs and Chi"
        ),
        "c44_best": Verdict(
            bool(means[REFERENCE] >= means[best] - CLOSE and means["C4.5"] >= means[REFERENCE] - CLOSE),
            f"mean AUC: C4.4 {means['C4.4']:.1f}, C4.5 {means['C4.5']:.1f}; the best is {best}, {means[best]:.1f}",
        ),
        "c45_smaller": Verdict(
            smaller >= len(summary.data_sets) - 1, f"smaller on {smaller} of {len(summary.data_sets)} sets"
        ),
        "mdl_chi_worse": Verdict(
            all(one.losses > one.wins for one in records.values()),
            "; ".join(f"{name} {one}" for name, one in records.items()),
        ),
        "mdl_chi_smaller": Verdict(
            bool(is_smaller[others].all()), f"all three smaller on {is_smaller.sum()} of {len(is_smaller)} sets"
        ),
    }


def _classes(summary: Summary) -> dict[str, Verdict]:
    has_two = {row["data_set"]: row["n_classes"] == 2 for row in read("f05_sets")}
    many = [name for name in summary.data_sets if not has_two[name]]
    two = [name for name in summary.data_sets if has_two[name]]
    records = {
        (name, kind): record(summary, name, sets)
        for name in ("BICs", "BICp")
        for kind, sets in (("two", two), ("many", many))
    }
    leaves = summary.of_sets(two).by_method("leaves")
    share = max(float((leaves[name] / leaves[REFERENCE]).max()) for name in ("BICs", "BICp"))
    return {
        "bic_two_classes": Verdict(
            all(_holds_its_own(records[name, "two"]) for name in ("BICs", "BICp")) and share < 0.5,
            f"on {', '.join(two)}: BICs {records['BICs', 'two']}, BICp {records['BICp', 'two']}; at most {share:.2f} "
            "of the leaves of C4.4",
        ),
        "bic_many_classes": Verdict(
            all(records[name, "many"].losses > records[name, "many"].wins for name in ("BICs", "BICp")),
            f"BICs {records['BICs', 'many']}, BICp {records['BICp', 'many']}",
        ),
    }


def _holds_its_own(record: WinsTiesLosses) -> bool:
    """No more losses than wins, or than a third of the sets."""
    return record.losses <= max(record.wins, sum(record) / 3)


def _merged(merged: Summary) -> dict[str, Verdict]:
    auc = {name: 100 * values for name, values in merged.by_method("auc").items()}
    fall = {name: values[0] - values[-1] for name, values in auc.items()}
    kept = {name: float(leaves[-1] / leaves[0]) for name, leaves in merged.by_method("leaves").items()}
    others = max(fall[name] for name in STEADY)
    least = min(kept[name] for name in STEADY)
    apart = float(np.ptp([auc[name] for name in PENALTIES], axis=0).max())
    told = ", ".join(f"{name} {value:.1f} and {kept[name]:.2f}" for name, value in fall.items())
    return {
        "merged_penalties": Verdict(
            bool(min(fall[name] for name in PENALTIES) > others and max(kept[name] for name in PENALTIES) < least),
            f"points of AUC lost from 3 to 19 classes, and leaves with 19 over those with 3: {told}",
        ),
        "merged_others": Verdict(
            bool(others < CLOSE and least > 0.9),
            f"at most {others:.1f} points lost; leaves with 19 classes over those with 3 at least {least:.2f}",
        ),
        "merged_alike": Verdict(apart < 2 * CLOSE, f"at most {apart:.1f} points of AUC apart"),
    }


def _tests(tests: Summary) -> dict[str, Verdict]:
    """No approach gains or loses steadily against C4.4 as tests are added."""
    auc = tests.by_method("auc")
    trends = {
        name: float(spearmanr(np.arange(len(values)), values - auc[REFERENCE]).statistic)
        for name, values in auc.items()
        if name != REFERENCE
    }
    steady = [name for name, trend in trends.items() if abs(trend) > 1 - ROUNDING]
    told = ", ".join(f"{name} {trend:+.1f}" for name, trend in trends.items())
    return {
        "tests_no_trend": Verdict(
            not steady, f"rank correlation of the number of thresholds with the AUC gained over C4.4: {told}"
        )
    }


def _skewed(summary: Summary) -> Verdict:
    auc = {name: 100 * summary.mean("auc", SKEWED, name) for name in summary.methods}
    return Verdict(
        min(auc, key=auc.__getitem__) == "C4.5" and auc["C4.5"] < auc[REFERENCE] - FAR,
        f"AUC on {SKEWED}: " + ", ".join(f"{name} {value:.1f}" for name, value in auc.items()),
    )


def _many_rows(rows: Summary) -> Verdict:
    """With the most rows BICp has larger trees and a higher AUC than the other four."""
    most = rows.data_sets[-1]
    auc, leaves = ({name: rows.mean(key, most, name) for name in rows.methods} for key in ("auc", "leaves"))
    told = ", ".join(f"{name} {leaves[name]:.0f} and {100 * auc[name]:.1f}" for name in ("BICp", *STOPPING))
    return Verdict(
        all(leaves["BICp"] > leaves[name] and auc["BICp"] > auc[name] for name in STOPPING),
        f"leaves and AUC on {most}: {told}",
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
