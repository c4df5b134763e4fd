"""The conclusions of Oates and Jensen, each decided by our figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from lab.experiments.summary import Summary
from lab.papers.oates.causes import explained
from lab.papers.oates.growth import growth, is_linear
from lab.papers.oates.labels import Labels
from lab.papers.oates.measures import inner_nodes, less_accurate, mean_nodes, smaller
from lab.papers.oates.pruning_model import paper_averages
from lab.papers.printed import stated
from lab.papers.verdicts import Verdict
from lab.statistics.significance import independent_test

# What "almost all" nodes and "almost surely" mean, and "unlikely".
ALMOST_ALL = 90.0
ALMOST_SURELY = 0.9
UNLIKELY = 0.5
# Nodes in the mean of which one says that almost nothing is left: one split.
ALMOST_NOTHING = 3.0


def verdicts(
    grown: Summary,
    numbers: Sequence[int],
    renewed: Mapping[str, Summary],
    sampled: Summary,
    repeated: Summary,
    labels: Mapping[str, Labels],
    coded: Summary,
) -> dict[str, Verdict]:
    """By the key of the conclusion.

    Parameters
    ----------
    grown : Summary
        The prunings of Figure 1 on random data.
    numbers : sequence of int
        Numbers of cases of the generated data.
    renewed : dict of Summary
        Those of Figure 5 by the name of the generator.
    sampled : Summary
        REP and sampled REP on real data.
    repeated : Summary
        The same on tic-tac-toe by repeated cross-validation.
    labels : dict of Labels
        Of footnote 2, by data set.
    coded : Summary
        MDL on random data, with exceptions counted more and more often.
    """
    found = {
        "linear_growth": _growth(grown, numbers),
        "labels_alike": _labels(labels),
        "likely_before": _before(),
        "unlikely_after": _after(),
        "new_sets_smaller": _new_sets(renewed),
        "new_sets_random": _random(renewed["rand"]),
        "sampled_smaller": _sampled(sampled),
        "sampled_tic_tac_toe": _tic_tac_toe(repeated),
    }
    return explained(found, coded, numbers, renewed, labels)


def _growth(grown: Summary, numbers: Sequence[int]) -> Verdict:
    sizes = {method: inner_nodes(grown, method, numbers) for method in grown.methods}
    powers = {method: growth(found) for method, found in sizes.items()}
    told = [f"{name} stays small" if power is None else f"{name} ~ N^{power:.2f}" for name, power in powers.items()]
    return Verdict(all(map(is_linear, sizes.values())), ", ".join(told))


def _labels(labels: Mapping[str, Labels]) -> Verdict:
    total = Labels.total(labels.values())
    printed = stated("oates")["same_label"]
    return Verdict(total.percent >= ALMOST_ALL, f"{total.percent:.1f}% of {total.nodes} nodes (paper {printed:g}%)")


def _before() -> Verdict:
    averages = list(paper_averages()["before"].values())
    holds = averages[0] >= ALMOST_SURELY and all(after > before for before, after in pairwise(averages))
    return Verdict(holds, _row(averages, " < ") + " on average, with 100, 1000 and 10000 cases")


def _after() -> Verdict:
    averages = list(paper_averages()["after"].values())
    holds = averages[0] < UNLIKELY and all(after < before for before, after in pairwise(averages))
    return Verdict(holds, _row(averages, " > ") + " on average, with 10, 20 and 50 descendants")


def _row(averages: Sequence[float], sign: str) -> str:
    return sign.join(f"{average:.3f}" for average in averages)


def _new_sets(renewed: Mapping[str, Summary]) -> Verdict:
    """Smaller everywhere, and significantly less accurate nowhere."""
    n_all = sum(len(summary.data_sets) for summary in renewed.values())
    n_smaller = 0
    n_poorer = 0
    for summary in renewed.values():
        pairs = zip(mean_nodes(summary, "new sets"), mean_nodes(summary, "REP"), strict=True)
        n_smaller += sum(new < old for new, old in pairs)
        n_poorer += len(less_accurate(summary, "new sets"))
    return Verdict(
        n_smaller == n_all and not n_poorer,
        f"smaller in {n_smaller} of {n_all} comparisons, significantly less accurate in {n_poorer}",
    )


def _random(summary: Summary) -> Verdict:
    sizes = mean_nodes(summary, "new sets")
    return Verdict(max(sizes) <= ALMOST_NOTHING, f"{' / '.join(f'{size:.1f}' for size in sizes)} nodes in the mean")


def _sampled(sampled: Summary) -> Verdict:
    n_sets = len(sampled.data_sets)
    small = smaller(sampled, "sampled REP")
    poor = [name for name in less_accurate(sampled, "sampled REP") if name in small]
    printed = stated("oates")
    share = printed["sampled_smaller"] / printed["sampled_sets"]
    return Verdict(
        len(small) >= share * n_sets and len(poor) <= printed["sampled_less_accurate"],
        f"significantly smaller on {len(small)} of {n_sets} sets, less accurate on {len(poor)}"
        + (f" ({', '.join(poor)})" if poor else ""),
    )


def _tic_tac_toe(repeated: Summary) -> Verdict:
    """By the test for repeated cross-validation, since ten folds of one division find the difference by luck."""
    [name] = repeated.data_sets
    folds = [repeated.folds("accuracy", name, method) for method in ("REP", "sampled REP")]
    test = repeated.test("accuracy", name, "REP", "sampled REP")
    alone = [independent_test(*pair) for pair in zip(*folds, strict=True)]
    n_lower = sum(one.is_significant() and one.t > 0 for one in alone)
    means = ", ".join(
        f"{method} {100 * found.mean():.1f}" for method, found in zip(("REP", "sampled REP"), folds, strict=True)
    )
    return Verdict(
        test.is_significant() and test.t > 0,
        f"{means}, p {test.p:.3f} over {len(alone)} cross-validations; {n_lower} of them alone, by the paper's test",
    )
