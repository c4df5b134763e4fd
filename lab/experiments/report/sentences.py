"""What results say, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from lab.experiments.report.measure_tables import TITLES, number
from lab.experiments.report.pages import join
from lab.experiments.summary import Summary
from lab.statistics.ranks import friedman_test, nemenyi_difference, similar_groups

# More names than this are counted, not listed.
MOST_NAMES = 6
# Equal ranks whose sums were made in another order differ by less than this.
ROUNDING = 1e-9


def findings(summary: Summary, measures: Sequence[str]) -> list[str]:
    """Sentences about each measure: who is best, who differs from whom, and where."""
    if not summary.data_sets or len(summary.methods) < 2:
        return []
    return [sentence for measure in measures if measure in summary.ranks for sentence in _about(summary, measure)]


def _about(summary: Summary, measure: str) -> Iterator[str]:
    title = TITLES[measure][0]
    ranks = summary.ranks[measure]
    best = [name for name in ranks if ranks[name] - min(ranks.values()) < ROUNDING]
    if len(summary.data_sets) == 1:
        yield f"{title}: {_on_one_set(summary, measure, best)}"
        return
    has = "has" if len(best) == 1 else "have"
    rank = f"{ranks[best[0]]:.2f} of {len(ranks)} methods"
    yield f"{title}: {join(best)} {has} the best average rank, {rank}."
    yield f"{title}: {_differences(ranks, len(summary.data_sets))}"
    yield from (f"{title}: {sentence}" for sentence in _against_others(summary, measure, best[0]))


def _on_one_set(summary: Summary, measure: str, best: Sequence[str]) -> str:
    """All that is to be said of a measure in one sentence."""
    name = summary.data_sets[0]
    value = number(summary.mean(measure, name, best[0]), TITLES[measure][1])
    tests = {other: summary.test(measure, name, best[0], other) for other in summary.methods if other not in best}
    behind = [other for other, test in tests.items() if test.is_significant()]
    alike = [other for other in tests if other not in behind]
    groups = {"significantly better than": behind, "not significantly better than": alike}
    parts = [f"{join(best)} {'is' if len(best) == 1 else 'are'} best, {value}"]
    return "; ".join(parts + [f"{how} {join(others)}" for how, others in groups.items() if others]) + "."


def _differences(ranks: dict[str, float], n_sets: int) -> str:
    test = friedman_test(list(ranks.values()), n_sets)
    if test.f_p >= 0.05:
        return f"the average ranks do not differ significantly (Friedman, Iman-Davenport p = {test.f_p:.2g})."
    critical = nemenyi_difference(len(ranks), n_sets)
    alike = "; ".join(join(group) for group in similar_groups(ranks, critical)) or "none"
    return (
        f"the average ranks differ (p = {max(test.f_p, 1e-9):.1g}); ranks that lie {critical:.2f} apart differ "
        f"significantly (Nemenyi). Groups without a significant difference: {alike}."
    )


def _against_others(summary: Summary, measure: str, best: str) -> Iterator[str]:
    """A sentence for each method that differs significantly from the best somewhere, and one for all the others."""
    alike = []
    for method in summary.methods:
        if sentence := _against(summary, measure, best, method):
            yield sentence
        elif method != best:
            alike.append(method)
    if alike:
        yield f"{best} does not differ significantly from {join(alike)} on any data set."


def _against(summary: Summary, measure: str, one: str, other: str) -> str:
    """On which data sets the first is significantly better or worse than the second; nothing where on none."""
    tests = {name: summary.test(measure, name, one, other) for name in summary.data_sets}
    better = [name for name, test in tests.items() if test.is_significant() and test.t > 0]
    worse = [name for name, test in tests.items() if test.is_significant() and test.t < 0]
    if not better and not worse:
        return ""
    if not worse:
        return f"{one} is significantly better than {other} {_where(better, len(tests))}."
    if not better:
        return f"{one} is significantly worse than {other} {_where(worse, len(tests))}."
    return (
        f"{one} is significantly better than {other} {_where(better, len(tests))}, and worse "
        f"{_where(worse, len(tests))}."
    )


def _where(names: Sequence[str], total: int) -> str:
    if total == 1:
        return f"on {names[0]}"
    listed = f" ({join(names)})" if len(names) <= MOST_NAMES else ""
    return f"on {len(names)} of {total} sets{listed}"


def caveats(summary: Summary) -> list[str]:
    """What a reader must know before believing the tables."""
    found = left_out(summary)
    runs = [summary.values[name, summary.methods[0]].shape for name in summary.data_sets]
    if runs and math.prod(runs[0][:2]) < 10:
        found.append("Fewer than ten folds in all: significance means little; take more runs.")
    undefined = [TITLES[name][0] for name in ("auc", "log_likelihood") if runs and name not in summary.ranks]
    return found + [f"{title} is not defined on some set, so that there are no ranks of it." for title in undefined]


def left_out(summary: Summary) -> list[str]:
    """The data sets of which tables know nothing, in a sentence."""
    if not summary.incomplete:
        return []
    return [f"Left out, since some method has no result there: {join(summary.incomplete)}."]
