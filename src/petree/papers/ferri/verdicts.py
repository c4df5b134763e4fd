"""The conclusions of Ferri, Flach and Hernandez-Orallo, each decided by our figures.

Differences are of geometric means over all sets, in percent points.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from petree.experiments.summary import Summary
from petree.papers.ferri.protocol import (
    AUC,
    CLASSICAL,
    CLASSICAL_PRUNINGS,
    READINGS,
    SPLITS,
    groups,
    method_name,
    percents,
)
from petree.papers.ferri.pruning import NEEDED, card_curves
from petree.papers.ferri.significance import LEVEL, count_marks, printed_marks, wins
from petree.papers.ferri.tables import TABLE_8, smoothing_cells
from petree.papers.printed import Cells, ferri_cells
from petree.papers.verdicts import Verdict

# Points: what "virtually the same" may mean, where the paper's own means differ by 0.1; "hardly", and "alike".
SAME = 0.15
HARDLY = 0.5
ALIKE = 1.0
# The paper's K up to which pruning is mild, and its largest; trees of half the leaves are "much smaller".
MILD_K = 4
STRONG_K = 16
MUCH_SMALLER = 0.5


def verdicts(summary: Summary) -> dict[str, Verdict]:
    """By the key of the conclusion."""
    return {
        "laplace_over_none": _laplace(summary),
        "m_estimate_like_laplace": _m_estimate(summary),
        "m_branch_over_m_estimate": _m_branch(summary),
        **_splits(summary),
        "pruning_hurts_smoothed": _pruning_smoothed(summary),
        "pruning_helps_unsmoothed": _pruning_unsmoothed(summary),
        "card_per_class_mild": _mild_cards(summary),
        "card_per_class_accuracy": _accuracy_of_cards(summary),
        "steps_add_up": _steps(summary),
    }


# -- smoothing --------------------------------------------------------------------------------------------


def _gains(summary: Summary, one: str, other: str) -> dict[str, float]:
    """By how many points of AUC one smoothing is better than another, for each group of sets."""
    return {group: _gain(smoothing_cells(members), one, other) for group, members in groups(summary).items()}


def _printed_gains(summary: Summary, one: str, other: str) -> dict[str, float]:
    """The same of the paper's cells."""
    members = {group: ferri_cells().of(found.data_sets) for group, found in groups(summary).items()}
    return {group: _gain(cells, one, other) for group, cells in members.items()}


def _gain(cells: Cells, one: str, other: str) -> float:
    means = cells.geometric_means()
    return means[one] - means[other]


def _laplace(summary: Summary) -> Verdict:
    gains = _gains(summary, "laplace", "none")
    if not {"two-class", "multi-class"} <= set(gains):
        return Verdict(None, "needs sets of two and of more classes")
    holds = gains["two-class"] > gains["multi-class"] > 0
    printed = _printed_gains(summary, "laplace", "none")
    return Verdict(holds, f"gain in points: {_listed(gains)} (paper: {_listed(printed)})")


def _m_estimate(summary: Summary) -> Verdict:
    gains = _gains(summary, "m_estimate", "laplace")
    return Verdict(all(abs(gain) <= SAME for gain in gains.values()), f"gain in points: {_listed(gains, 2)}")


def _m_branch(summary: Summary) -> Verdict:
    gain = _gains(summary, "m_branch", "m_estimate")["all"]
    record = wins(summary, AUC, method_name("C4.5", "m_branch"), method_name("C4.5", "m_estimate"))
    printed = _printed_gains(summary, "m_branch", "m_estimate")["all"]
    marks = count_marks(printed_marks(summary.data_sets))
    holds = gain > 0 and record.wins > record.losses
    return Verdict(holds, f"{gain:+.1f} points (paper {printed:+.1f}); significant w/t/l {record} (paper {marks})")


# -- splitting criteria ------------------------------------------------------------------------------------


def _splits(summary: Summary) -> dict[str, Verdict]:
    auc, accuracy = (
        {split: percents(summary, measure).geometric_means()[method_name(split)] for split in SPLITS}
        for measure in (AUC, "accuracy")
    )
    spreads = [max(means.values()) - min(means.values()) for means in (auc, accuracy)]
    classical = [{split: means[split] for split in CLASSICAL} for means in (auc, accuracy)]
    told = f"AUC: {_means(auc)}; accuracy: {_means(accuracy)}"
    return {
        "splits_alike": Verdict(
            max(spreads) <= ALIKE, f"they lie {spreads[0]:.1f} points of AUC and {spreads[1]:.1f} of accuracy apart"
        ),
        "msee_best": Verdict(_best(auc) == _best(accuracy) == "MSEE", told),
        "dkm_best_classical": Verdict(
            all(_best(means) == "DKM" for means in classical),
            f"AUC: {_means(classical[0])}; accuracy: {_means(classical[1])}",
        ),
        "mauc_over_c45": Verdict(
            auc["MAUC"] > max(auc["C4.5"], auc["MGINI"]),
            _means({name: auc[name] for name in ("MAUC", "C4.5", "MGINI")}),
        ),
    }


def _best(means: dict[str, float]) -> str:
    return max(means, key=lambda name: means[name])


# -- pruning ----------------------------------------------------------------------------------------------


def _pruning_smoothed(summary: Summary) -> Verdict:
    changes = {
        f"{pruning} of {smoothing}": _change(summary, smoothing, pruning)
        for pruning in CLASSICAL_PRUNINGS
        for smoothing in ("laplace", "m_branch")
    }
    return Verdict(max(changes.values()) < 0, f"change in points: {_listed(changes, 2)}")


def _change(summary: Summary, smoothing: str, pruning: str) -> float:
    """Points of AUC that pruning brings."""
    means = percents(summary).geometric_means()
    return means[method_name("C4.5", smoothing, pruning)] - means[method_name("C4.5", smoothing)]


def _pruning_unsmoothed(summary: Summary) -> Verdict:
    """Some cases are more than chance would give: at 0.1 that is one set in twenty on the winning side."""
    whole = method_name("C4.5", "none")
    n_sets = len(summary.data_sets)
    records = {
        pruning: wins(summary, AUC, method_name("C4.5", "none", pruning), whole) for pruning in CLASSICAL_PRUNINGS
    }
    holds = max(record.wins for record in records.values()) > LEVEL / 2 * n_sets
    told = ", ".join(f"{pruning} {record}" for pruning, record in records.items())
    return Verdict(holds, f"significant w/t/l of pruned over unpruned: {told}")


def _mild_cards(summary: Summary) -> Verdict:
    """The AUC hardly falls, and few leaves are left, in one of the two readings of the misprinted definition."""
    holds = False
    told = []
    curves = card_curves(summary)
    for reading, scale in READINGS.items():
        place = NEEDED.index(MILD_K / scale)
        fall = max(_falls(curves["AUC, percent"])[: place + 1])
        share = curves["leaves"][place] / curves["leaves"][0]
        holds = holds or (fall <= HARDLY and share <= MUCH_SMALLER)
        told.append(f"{reading}: {fall:.1f} points lost at most, {100 * share:.0f}% of the leaves left at K = {MILD_K}")
    return Verdict(holds, "; ".join(told))


def _accuracy_of_cards(summary: Summary) -> Verdict:
    """The accuracy hardly falls up to K = 4, and does for the largest K, in one of the two readings."""
    holds = False
    told = []
    falls = _falls(card_curves(summary)["accuracy, percent"])
    for reading, scale in READINGS.items():
        mild, strong = (falls[: NEEDED.index(k / scale) + 1] for k in (MILD_K, STRONG_K))
        holds = holds or max(mild) <= HARDLY < strong[-1]
        told.append(f"{reading}: {max(mild):.1f} points lost up to K = {MILD_K}, {strong[-1]:.1f} at K = {STRONG_K}")
    return Verdict(holds, "; ".join(told))


def _falls(curve: Sequence[float]) -> list[float]:
    """By how much each value lies below the first."""
    return [curve[0] - value for value in curve]


def _steps(summary: Summary) -> Verdict:
    means = percents(summary).geometric_means()
    steps = [means[name] for name in TABLE_8.values()]
    told = " < ".join(f"{name} {means[name]:.1f}" for name in TABLE_8.values())
    holds = all(after > before for before, after in pairwise(steps))
    return Verdict(holds, told if holds else told.replace("<", "|"))


# -- words ------------------------------------------------------------------------------------------------


def _listed(gains: dict[str, float], decimals: int = 1) -> str:
    return ", ".join(f"{name} {gain:+.{decimals}f}" for name, gain in gains.items())


def _means(means: dict[str, float]) -> str:
    return ", ".join(f"{name} {mean:.1f}" for name, mean in means.items())
