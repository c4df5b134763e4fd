"""The conclusions of F05, each decided by our figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from lab.experiments.summary import Summary
from lab.papers.f05.causes import explained
from lab.papers.f05.controlled import merged_verdicts, rows_verdicts, tests_verdicts
from lab.papers.printed import read, stated
from lab.papers.verdicts import Verdict
from lab.statistics.significance import TTest, WinsTiesLosses, paired_t_test

REFERENCE = "C4.4"
STOPPING = ("MDLs", "BICs", "Chi")  # those that stop while growing
SMALL = ("MDLs", "MDLp", "Chi")  # those whose trees are small
# The sets on which the paper does not find MDL and Chi trees smaller than all others, nor C4.5 trees smaller than C4.4.
NOT_SMALLER = ("voting", "hiv")
NOT_PRUNED = ("audiology",)
SKEWED = "hiv"
# By how many points of AUC approaches that are "almost as good" may differ, and how far below C4.4 is "very low".
CLOSE = 2.0
FAR = 10.0
# How many times as many losses as wins are "clearly" worse: the paper says so of 3 wins and 6 losses.
CLEARLY = 2
# A share of the leaves that makes trees "much smaller".
MUCH_SMALLER = 0.5


def verdicts(summary: Summary, merged: Summary, tests: Summary, rows: Mapping[str, Summary]) -> dict[str, Verdict]:
    """By the key of the conclusion."""
    found = {
        **_overall(summary),
        **_sizes(summary),
        **_classes(summary),
        **merged_verdicts(merged),
        **tests_verdicts(tests),
        **rows_verdicts(rows),
    }
    if SKEWED in summary.data_sets:
        found["c45_skew"] = _skewed(summary)
    return explained(found, summary, merged, tests)


def paired(summary: Summary, measure: str, data_set: str, method: str, against: str = REFERENCE) -> TTest:
    """The paper's test: plain, paired, over all test sets."""
    return paired_t_test(summary.gains(measure, data_set, method, against))


def differs(summary: Summary, measure: str, data_set: str, method: str) -> str:
    """A full dot where a method is significantly better than C4.4, an empty one where it is worse."""
    test = paired(summary, measure, data_set, method)
    return ("●" if test.t > 0 else "○") if test.is_significant() else ""


def record(summary: Summary, method: str, data_sets: Sequence[str]) -> WinsTiesLosses:
    """Significant wins, ties and losses in AUC against C4.4."""
    return WinsTiesLosses.significant([paired(summary, "auc", name, method) for name in data_sets])


def halves(summary: Summary) -> dict[str, list[str]]:
    """The sets of two classes, of more, and all."""
    has_two = {row["data_set"]: row["n_classes"] == 2 for row in read("f05_sets")}
    return {
        "two-class": [name for name in summary.data_sets if has_two[name]],
        "multi-class": [name for name in summary.data_sets if not has_two[name]],
        "all": list(summary.data_sets),
    }


# -- all sets ---------------------------------------------------------------------------------------------


def _overall(summary: Summary) -> dict[str, Verdict]:
    means = {name: 100 * float(auc.mean()) for name, auc in summary.by_method("auc").items()}
    first, second = sorted(means, key=means.__getitem__, reverse=True)[:2]
    records = {name: record(summary, name, summary.data_sets) for name in ("C4.5", *SMALL)}
    seconds = {name: found.mean() for name, found in summary.by_method("seconds").items()}
    slowest = max(seconds[name] for name in STOPPING)
    ratio = min(found for name, found in seconds.items() if name not in STOPPING) / slowest
    least = stated("f05")["faster_least"]
    return {
        "stopping_faster": Verdict(
            bool(ratio >= least),
            f"the fastest of the others takes {ratio:.2f} times the slowest of {', '.join(STOPPING)} (paper: at least "
            f"{least:g})",
        ),
        "c44_best": Verdict(
            (first, second) == (REFERENCE, "C4.5") and means["C4.5"] >= means[REFERENCE] - CLOSE,
            f"mean AUC: C4.4 {means['C4.4']:.1f}, C4.5 {means['C4.5']:.1f}; the best are {first}, {means[first]:.1f}, "
            f"and {second}, {means[second]:.1f}",
        ),
        "c45_record": Verdict(
            abs(records["C4.5"].wins - records["C4.5"].losses) <= 1, f"significant w/t/l {records['C4.5']}"
        ),
        "mdl_chi_worse": Verdict(
            all(_is_clearly_worse(records[name]) for name in SMALL),
            "; ".join(f"{name} {records[name]}" for name in SMALL),
        ),
    }


def _is_clearly_worse(one: WinsTiesLosses) -> bool:
    return one.losses > one.wins and one.losses >= CLEARLY * one.wins


def _sizes(summary: Summary) -> dict[str, Verdict]:
    """Where trees are significantly smaller than those of others."""
    pruned = _smaller_everywhere(summary, ("C4.5",), (REFERENCE,))
    small = _smaller_everywhere(summary, SMALL, (REFERENCE, "C4.5"))
    n_sets = len(summary.data_sets)
    return {
        "c45_smaller": Verdict(
            all(name in pruned for name in summary.data_sets if name not in NOT_PRUNED),
            f"significantly smaller on {len(pruned)} of {n_sets} sets",
        ),
        "mdl_chi_smaller": Verdict(
            all(name in small for name in summary.data_sets if name not in NOT_SMALLER),
            f"all three significantly smaller than both on {len(small)} of {n_sets} sets; not on: "
            + (", ".join(name for name in summary.data_sets if name not in small) or "none"),
        ),
    }


def _smaller_everywhere(summary: Summary, those: Sequence[str], others: Sequence[str]) -> list[str]:
    """The sets on which each of some approaches has significantly smaller trees than each of the others."""

    def is_smaller(data_set: str, one: str, other: str) -> bool:
        test = paired(summary, "leaves", data_set, one, other)
        return test.t > 0 and test.is_significant()

    pairs = list(product(those, others))
    return [name for name in summary.data_sets if all(is_smaller(name, *pair) for pair in pairs)]


# -- two classes and more ---------------------------------------------------------------------------------


def _classes(summary: Summary) -> dict[str, Verdict]:
    sets = halves(summary)
    records = {
        (name, half): record(summary, name, sets[half])
        for name in ("BICs", "BICp", "MDLp")
        for half in ("two-class", "multi-class")
    }
    two, many = ({name: records[name, half] for name in ("BICs", "BICp")} for half in ("two-class", "multi-class"))
    shares = {half: _largest_share(summary, sets[half]) for half in ("two-class", "multi-class")}
    mdl = [records["MDLp", half] for half in ("two-class", "multi-class")]
    return {
        "bic_two_classes": Verdict(
            all(one.losses <= one.wins for one in two.values()) and shares["two-class"] < MUCH_SMALLER,
            f"on {', '.join(sets['two-class'])}: {_listed(two)}; at most {shares['two-class']:.2f} of the leaves of "
            "C4.4",
        ),
        "bic_many_classes": Verdict(
            all(map(_is_clearly_worse, many.values())) and shares["multi-class"] < MUCH_SMALLER,
            f"{_listed(many)}; at most {shares['multi-class']:.2f} of the leaves of C4.4",
        ),
        "mdl_classes": Verdict(
            _balance(mdl[1]) < _balance(mdl[0]), f"MDLp {mdl[0]} with two classes, {mdl[1]} with more"
        ),
    }


def _listed(records: Mapping[str, WinsTiesLosses]) -> str:
    return ", ".join(f"{name} {one}" for name, one in records.items())


def _balance(one: WinsTiesLosses) -> float:
    """Wins less losses, as a share of the sets."""
    return (one.wins - one.losses) / max(sum(one), 1)


def _largest_share(summary: Summary, data_sets: Sequence[str]) -> float:
    """The leaves of BIC over those of C4.4, where that is most."""
    leaves = summary.of_sets(data_sets).by_method("leaves")
    return max(float(np.max(leaves[name] / leaves[REFERENCE], initial=0.0)) for name in ("BICs", "BICp"))


def _skewed(summary: Summary) -> Verdict:
    auc = {name: 100 * summary.mean("auc", SKEWED, name) for name in summary.methods}
    return Verdict(
        min(auc, key=auc.__getitem__) == "C4.5" and auc["C4.5"] < auc[REFERENCE] - FAR,
        f"AUC on {SKEWED}: " + ", ".join(f"{name} {value:.1f}" for name, value in auc.items()),
    )
