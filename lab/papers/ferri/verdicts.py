"""The conclusions of Ferri, Flach and Hernandez-Orallo, each decided by our figures.

Differences are of geometric means over all sets, in percent points.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lab.experiments.summary import Summary
from lab.papers.ferri.causes import explained
from lab.papers.ferri.protocol import (
    ACCURACY,
    AUC,
    CLASSICAL,
    CLASSICAL_PRUNINGS,
    PRUNED_SMOOTHINGS,
    READING,
    SPLITS,
    groups,
    method_name,
    percents,
)
from lab.papers.ferri.pruning import card_curves, position_of
from lab.papers.ferri.significance import LEVEL, count_marks, printed_marks, wins
from lab.papers.ferri.tables import MEASURES, TABLE_8, smoothing_cells
from lab.papers.printed import Cells, ferri_cells, stated
from lab.papers.verdicts import Verdict
from lab.statistics.significance import WinsTiesLosses, paired_t_test

# Points: what "virtually the same" may mean, where the paper's own means differ by 0.1, and "hardly".
SAME = 0.15
HARDLY = 0.5
# The paper's K up to which pruning is mild, and its largest; trees of half the leaves are "much smaller".
MILD_K = 4
STRONG_K = 16
MUCH_SMALLER = 0.5


def verdicts(summary: Summary) -> dict[str, Verdict]:
    """By the key of the conclusion."""
    found = {
        "laplace_over_none": _smoothed(summary),
        "m_estimate_like_laplace": _m_estimate(summary),
        "m_branch_over_m_estimate": _m_branch(summary),
        **_splits(summary),
        "msee_over_c45": _msee(summary),
        "mauc_over_c45": _mauc(summary),
        "pruning_hurts_smoothed": _pruning_smoothed(summary),
        "pruning_helps_unsmoothed": _pruning_unsmoothed(summary),
        "pruning_and_smoothing": _pruning_and_smoothing(summary),
        "card_per_class_mild": _mild_cards(summary),
        "card_per_class_accuracy": _accuracy_of_cards(summary),
        "steps_add_up": _steps(summary),
        "steps_win": _steps_win(summary),
    }
    return explained(summary, found)


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


def _smoothed(summary: Summary) -> Verdict:
    """Both smoothings gain more than hardly anything in either group, and more where there are two classes."""
    gains = {one: _gains(summary, one, "none") for one in ("laplace", "m_estimate")}
    if not {"two-class", "multi-class"} <= set(gains["laplace"]):
        return Verdict(None, "needs sets of two and of more classes")
    holds = all(found["two-class"] > found["multi-class"] > HARDLY for found in gains.values())
    printed = _printed_gains(summary, "laplace", "none")
    told = "; ".join(f"{one} {_listed(found)}" for one, found in gains.items())
    return Verdict(holds, f"gain in points: {told} (paper: {_listed(printed)})")


def _m_estimate(summary: Summary) -> Verdict:
    gains = _gains(summary, "m_estimate", "laplace")
    return Verdict(all(abs(gain) <= SAME for gain in gains.values()), f"gain in points: {_listed(gains, 2)}")


def _m_branch(summary: Summary) -> Verdict:
    """In every group of sets."""
    gains = _gains(summary, "m_branch", "m_estimate")
    records = _records(summary, AUC, method_name("C4.5", "m_branch"), method_name("C4.5", "m_estimate"))
    printed = _printed_gains(summary, "m_branch", "m_estimate")["all"]
    marks = count_marks(printed_marks(summary.data_sets))
    holds = min(gains.values()) > 0 and _are_won(records)
    return Verdict(
        holds,
        f"gain in points: {_listed(gains)} (paper: all {printed:+.1f}); significant w/t/l {_told(records)} (paper: all "
        f"{marks})",
    )


def _records(summary: Summary, measure: str, one: str, other: str) -> dict[str, WinsTiesLosses]:
    """Significant wins, ties and losses in each group of sets."""
    return {group: wins(members, measure, one, other) for group, members in groups(summary).items()}


def _are_won(records: dict[str, WinsTiesLosses]) -> bool:
    return all(record.wins > record.losses for record in records.values())


def _told(records: dict[str, WinsTiesLosses]) -> str:
    return ", ".join(f"{group} {record}" for group, record in records.items())


# -- splitting criteria ------------------------------------------------------------------------------------


def _splits(summary: Summary) -> dict[str, Verdict]:
    auc, accuracy = (_means_of_splits(summary, measure) for measure in (AUC, ACCURACY))
    spreads = [max(means.values()) - min(means.values()) for means in (auc, accuracy)]
    classical = [{split: means[split] for split in CLASSICAL} for means in (auc, accuracy)]
    return {
        "splits_alike": Verdict(
            max(spreads) <= HARDLY, f"they lie {spreads[0]:.1f} points of AUC and {spreads[1]:.1f} of accuracy apart"
        ),
        "msee_best": Verdict(
            _best(auc) == _best(accuracy) == "MSEE", f"AUC: {_means(auc)}; accuracy: {_means(accuracy)}"
        ),
        "dkm_best_classical": Verdict(
            all(_best(means) == "DKM" for means in classical),
            f"AUC: {_means(classical[0])}; accuracy: {_means(classical[1])}",
        ),
    }


def _means_of_splits(summary: Summary, measure: str) -> dict[str, float]:
    means = percents(summary, measure).geometric_means()
    return {split: means[method_name(split)] for split in SPLITS}


def _msee(summary: Summary) -> Verdict:
    """More significant wins than losses by either measure in every group of sets."""
    records = {
        f"{name}, {group}": record
        for name, measure in MEASURES.items()
        for group, record in _records(summary, measure, method_name("MSEE"), method_name("C4.5")).items()
    }
    return Verdict(_are_won(records), f"significant w/t/l: {_told(records)}")


def _mauc(summary: Summary) -> Verdict:
    """Ahead of both, by less than m-branch gains in the paper, and not significantly over the sets."""
    printed = stated("ferri")
    slight = printed["auc_m_branch"] - printed["auc_m_estimate"]
    auc = _means_of_splits(summary, AUC)
    gains = {other: auc["MAUC"] - auc[other] for other in ("C4.5", "MGINI")}
    cells = summary.by_method(AUC)
    tests = {other: paired_t_test(cells[method_name("MAUC")] - cells[method_name(other)]) for other in gains}
    holds = all(0 < gain < slight for gain in gains.values()) and not any(
        test.is_significant(LEVEL) for test in tests.values()
    )
    chances = ", ".join(f"{other} {test.p:.2f}" for other, test in tests.items())
    return Verdict(
        holds,
        f"gain in points over {_listed(gains, 2)} (m-branch over the m-estimate in the paper: {slight:+.1f}); p of the "
        f"paired t test over the sets: {chances}",
    )


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


def _pruning_and_smoothing(summary: Summary) -> Verdict:
    """Of every classical pruning, from no smoothing to Laplace's to m-branch."""
    changes = {
        pruning: [_change(summary, smoothing, pruning) for smoothing in PRUNED_SMOOTHINGS]
        for pruning in CLASSICAL_PRUNINGS
    }
    holds = all(after < before for found in changes.values() for before, after in pairwise(found))
    told = "; ".join(f"{name} {', '.join(f'{one:+.2f}' for one in found)}" for name, found in changes.items())
    return Verdict(holds, f"change in points with {', '.join(PRUNED_SMOOTHINGS)}: {told}")


def _mild_cards(summary: Summary) -> Verdict:
    """The AUC hardly falls, and few leaves are left, in the reading that fits Table 8."""
    curves = card_curves(summary)
    place = position_of(MILD_K)
    fall = max(_falls(curves["AUC, percent"])[: place + 1])
    share = curves["leaves"][place] / curves["leaves"][0]
    return Verdict(
        fall <= HARDLY and share <= MUCH_SMALLER,
        f"{READING}: {fall:.1f} points lost at most, {100 * share:.0f}% of the leaves left at K = {MILD_K}",
    )


def _accuracy_of_cards(summary: Summary) -> Verdict:
    """It hardly falls up to K = 4, and does for the largest K, below that of classical pruning; the same reading."""
    curve = card_curves(summary)["accuracy, percent"]
    mild = max(_falls(curve)[: position_of(MILD_K) + 1])
    strong = curve[position_of(STRONG_K)]
    means = percents(summary, ACCURACY).geometric_means()
    others = min(means[method_name("C4.5", "none", pruning)] for pruning in CLASSICAL_PRUNINGS)
    return Verdict(
        mild <= HARDLY < curve[0] - strong and strong < others,
        f"{READING}: {mild:.1f} points lost up to K = {MILD_K}, {curve[0] - strong:.1f} at K = {STRONG_K}, where it is "
        f"{strong:.1f}; classical pruning has at least {others:.1f}",
    )


def _falls(curve: Sequence[float]) -> list[float]:
    """By how much each value lies below the first."""
    return [curve[0] - value for value in curve]


def _steps(summary: Summary) -> Verdict:
    means = percents(summary).geometric_means()
    steps = [means[name] for name in TABLE_8.values()]
    told = " < ".join(f"{name} {means[name]:.1f}" for name in TABLE_8.values())
    holds = all(after > before for before, after in pairwise(steps))
    return Verdict(holds, told if holds else told.replace("<", "|"))


def _steps_win(summary: Summary) -> Verdict:
    first, last = (TABLE_8[key] for key in (("C4.5", "laplace"), ("MSEE", "m_branch")))
    records = _records(summary, AUC, last, first)
    return Verdict(_are_won(records), f"significant w/t/l: {_told(records)}")


# -- words ------------------------------------------------------------------------------------------------


def _listed(gains: dict[str, float], decimals: int = 1) -> str:
    return ", ".join(f"{name} {gain:+.{decimals}f}" for name, gain in gains.items())


def _means(means: dict[str, float]) -> str:
    return ", ".join(f"{name} {mean:.1f}" for name, mean in means.items())
