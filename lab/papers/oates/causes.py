"""Why conclusions of Oates and Jensen may fail here, and the figures that show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lab.experiments.summary import Summary
from lab.papers.oates.growth import growth
from lab.papers.oates.labels import Labels
from lab.papers.oates.measures import inner_nodes, mean_accuracy
from lab.papers.verdicts import Verdict

# Sets of three classes and more that are all about equally frequent.
EVEN = ("iris", "segment", "vehicle", "waveform21")


def explained(
    found: Mapping[str, Verdict],
    coded: Summary,
    numbers: Sequence[int],
    renewed: Mapping[str, Summary],
    labels: Mapping[str, Labels],
) -> dict[str, Verdict]:
    """The verdicts, those that fail with their cause where one is known."""
    causes: dict[str, Callable[[], str]] = {
        "linear_growth": lambda: _codes(coded, numbers),
        "labels_alike": lambda: _classes(labels),
        "new_sets_smaller": lambda: _few_cases(renewed),
    }
    return {
        key: verdict._replace(cause=causes[key]()) if verdict.holds is False and key in causes else verdict
        for key, verdict in found.items()
    }


def _codes(coded: Summary, numbers: Sequence[int]) -> str:
    """What the factor of exceptions makes of MDL."""
    powers = {name: growth(inner_nodes(coded, name, numbers)) for name in coded.methods}
    told = ", ".join(f"{name} stays small" if one is None else f"{name} ~ N^{one:.2f}" for name, one in powers.items())
    return (
        "What exceptions cost is a parameter of the code of Quinlan and Rivest, and the paper does not tell its value: "
        f"{told}. So the paper's MDL may have counted exceptions more than once."
    )


def _classes(labels: Mapping[str, Labels]) -> str:
    """How far classes of about equal size explain other labels."""
    even, others = (
        Labels.total([Labels(0, 0), *(found for name, found in labels.items() if (name in EVEN) is is_even)])
        for is_even in (True, False)
    )
    return (
        "Our sets are others than the paper's, which it does not name. Where classes are about equally frequent, "
        f"chance decides which is the most frequent of a node: {', '.join(EVEN)} have {even.percent:.1f}% of "
        f"{even.nodes} nodes, all others {others.percent:.1f}% of {others.nodes}."
    )


def _few_cases(renewed: Mapping[str, Summary]) -> str:
    """How much accuracy is lost at each number of cases."""
    told = []
    for name, summary in renewed.items():
        pairs = zip(mean_accuracy(summary, "new sets"), mean_accuracy(summary, "REP"), strict=True)
        told.append(f"{name} {', '.join(f'{100 * (new - old):+.1f}' for new, old in pairs)}")
    return (
        "The loss is one of few cases: a new pruning set is a third of them, so that few reach a node, and a tie "
        "prunes. "
        f"Points of accuracy gained by new sets, from the fewest cases to the most: {'; '.join(told)}."
    )
