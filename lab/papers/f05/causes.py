"""Why conclusions of F05 may fail here, and the figures that show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lab.experiments.summary import Summary
from lab.papers.f05.controlled import REFERENCE, apart, points
from lab.papers.verdicts import Verdict

# Those that count over all sets.
OF_ALL_SETS = ("c44_best", "c45_record", "mdl_chi_worse", "bic_two_classes", "bic_many_classes", "mdl_classes")
RULE_OF_TRAINS = "The rule by which trains go east is ours, since the paper does not tell its own."
STAND_INS = "soybean stands for diterpenes, which has no free licence."


def explained(found: Mapping[str, Verdict], summary: Summary, merged: Summary, tests: Summary) -> dict[str, Verdict]:
    """The verdicts, those that fail with their cause where one is known."""
    causes: dict[str, Callable[[], str]] = {
        "stopping_faster": lambda: _time(summary),
        **{key: lambda: _absent(summary) for key in OF_ALL_SETS},
        "merged_alike": lambda: _penalties(merged),
        "merged_compete": lambda: STAND_INS,
        "merged_penalties": lambda: STAND_INS,
        "merged_others": lambda: STAND_INS,
        "tests_no_trend": lambda: _thresholds(tests),
        "rows_hiv_alike": _divisions,
        "rows_trains_alike": _divisions,
        "rows_trains": lambda: f"{RULE_OF_TRAINS} {_divisions()}",
        "c45_skew": lambda: _rare_leaves(summary),
    }
    return {
        key: verdict._replace(cause=causes[key]()) if verdict.holds is False and key in causes else verdict
        for key, verdict in found.items()
    }


def _time(summary: Summary) -> str:
    """The factor on each set: where a fit is short, reading the table is most of it."""
    seconds = {name: summary.by_method("seconds")[name] for name in (REFERENCE, "MDLs")}
    factors = dict(zip(summary.data_sets, (seconds[REFERENCE] / seconds["MDLs"]).tolist(), strict=True))
    told = ", ".join(f"{name} {factor:.1f}" for name, factor in factors.items())
    return (
        "Here the search for tests is compiled, and small nodes are finished in one call, so that growing on costs "
        f"little beside reading the data, which all approaches share. C4.4 takes so many times as long as MDLs: {told}."
    )


def _absent(summary: Summary) -> str:
    return (
        f"Of the paper's 12 sets {len(summary.data_sets)} are at hand: asm, where C4.4 loses to all others, and "
        "diterpenes are not, and audiology must have been another set (below)."
    )


def _penalties(merged: Summary) -> str:
    """What separates the four: the kind of penalty, not when it is asked."""
    auc = points(merged)
    pairs = {pair: float(apart(auc, pair).max()) for pair in (("MDLs", "MDLp"), ("BICs", "BICp"), ("MDLs", "BICs"))}
    told = ", ".join(f"{' and '.join(pair)} {value:.1f}" for pair, value in pairs.items())
    return (
        f"{STAND_INS} Points of AUC apart at most: {told}. So what separates them is what MDL asks for the name of a "
        "test, which counts for more in fewer rows."
    )


def _thresholds(tests: Summary) -> str:
    """More thresholds are better tests, too."""
    auc = points(tests)[REFERENCE]
    return (
        "The paper does not tell how it varied the number of tests. Thresholds, which we add, are also better tests: "
        f"C4.4 itself gains {auc[-1] - auc[0]:.1f} points, and gains the more the less it is pruned."
    )


def _rare_leaves(summary: Summary) -> str:
    """Accuracy tells whether leaves answer the rare class with success."""
    if "hiv" not in summary.data_sets:
        return "hiv, of which one class is very rare, is not among these sets."
    right = ", ".join(f"{name} {100 * summary.mean('accuracy', 'hiv', name):.2f}" for name in ("C4.5", "MDLp", "C4.4"))
    return (
        "C4.5 keeps a test where some leaf below it answers the rare class and is mostly right. What the paper's trees "
        "may ask of hiv is not published; they found no such leaves, those here find some. Percent judged rightly: "
        f"{right}."
    )


def _divisions() -> str:
    return (
        "The paper shows curves and does not tell of how many divisions; these are two, and of few rows few are of the "
        "rare class."
    )
