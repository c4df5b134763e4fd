"""Why conclusions of Ferri, Flach and Hernandez-Orallo may fail here, and the figures that show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lab.experiments.summary import Summary
from lab.papers.ferri.protocol import (
    ACCURACY,
    AUC,
    CLASSICAL_PRUNINGS,
    FREQUENCIES,
    SPLITS,
    leaves,
    method_name,
    percents,
)
from lab.papers.ferri.pruning import card_curves, position_of
from lab.papers.ferri.significance import wins
from lab.papers.verdicts import Verdict

OTHER_READING = "Card / c < 2K"
PAPERS_K = 4


def explained(summary: Summary, found: Mapping[str, Verdict]) -> dict[str, Verdict]:
    """The verdicts, those that fail with their cause where one is known."""
    return {
        key: verdict._replace(cause=CAUSES[key](summary)) if verdict.holds is False and key in CAUSES else verdict
        for key, verdict in found.items()
    }


def splits(summary: Summary) -> str:
    """How little criteria differ, and how much hangs on what the paper does not tell."""
    auc, accuracy = (percents(summary, measure).geometric_means() for measure in (AUC, ACCURACY))
    ties = {split: wins(summary, AUC, method_name(split), method_name("C4.5")).ties for split in SPLITS}
    ties.pop("C4.5")
    by_frequencies = ", ".join(
        f"{split} {auc[method_name(split)]:.1f} and {accuracy[method_name(split)]:.1f}" for split in FREQUENCIES
    )
    return (
        "The order of the criteria hangs on what the paper leaves out: how many children are penalised, and which "
        f"estimate scores a test. AUC and accuracy with frequencies in its place: {by_frequencies} (Table 7). The "
        f"criteria differ from C4.5's significantly on few of {len(summary.data_sets)} sets; ties in AUC: "
        + ", ".join(f"{split} {number}" for split, number in ties.items())
        + "."
    )


def pruning(summary: Summary) -> str:
    """Which prunings the paper tried, and how slight they are here."""
    size = leaves(summary)
    whole = size[method_name("C4.5", "laplace")]
    shares = ", ".join(
        f"{one} {100 * size[method_name('C4.5', 'laplace', one)] / whole:.0f}%" for one in CLASSICAL_PRUNINGS
    )
    return (
        "The paper tried expected-error and pessimistic pruning and prints no numbers. Slight "
        "pruning joins leaves of few cases, which Laplace's estimate does not see to be neighbours, so that it may "
        "gain as frequencies do; m-branch, which looks up the path, loses. Leaves that are "
        f"left: {shares}."
    )


def cards(summary: Summary) -> str:
    """What the other reading of the misprinted definition gives."""
    curves = card_curves(summary)
    place = position_of(PAPERS_K, OTHER_READING)
    losses = {name: curves[name][0] - curves[name][place] for name in ("AUC, percent", "accuracy, percent")}
    share = curves["leaves"][place] / curves["leaves"][0]
    return (
        "The definition is misprinted, and no reading of it gives both halves of the sentence: with "
        f"{OTHER_READING} and K = {PAPERS_K}, {losses['AUC, percent']:.1f} points of AUC and "
        f"{losses['accuracy, percent']:.1f} of accuracy are lost, but {100 * share:.0f}% of the leaves are left. What "
        "Figure 1 counts as rules may be others than leaves."
    )


CAUSES: Mapping[str, Callable[[Summary], str]] = {
    "splits_alike": splits,
    "msee_best": splits,
    "msee_over_c45": splits,
    "dkm_best_classical": splits,
    "mauc_over_c45": splits,
    "steps_add_up": splits,
    "pruning_hurts_smoothed": pruning,
    "pruning_and_smoothing": pruning,
    "card_per_class_mild": cards,
    "card_per_class_accuracy": cards,
}
