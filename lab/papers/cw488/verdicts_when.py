"""The conclusions of CW488's sections 4.7 and 5.2: pruning while growing or after."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import spearmanr

from lab.experiments.summary import Summary
from lab.papers.cw488.questions import FEW, SKEWED, Found, listed, of_names
from lab.papers.cw488.tables import compare_sizes, never_smaller
from lab.papers.cw488.when import CRITERIA, slowdown, while_growing
from lab.papers.verdicts import Verdict

QUALITY = ("auc", "log_likelihood")
# "About two to four times", and "about half", with a tenth and a sixth on either side.
TIMES = (1.8, 4.4)
HALF = (1 / 3, 2 / 3)


def when_verdicts(found: Found) -> dict[str, Verdict]:
    """By the key of the conclusion."""
    judged = {
        "figure_3": _figure_3(found.post, found.when),
        "post_size": _larger(found.when),
        "post_auc": _slightly_better(found.when),
        "post_quality": _differs(found.when),
        "post_data_size": _trend(found.curves),
        "post_time": _slower(found.when),
    }
    return judged | ({"post_hiv": _on_skewed(found.when)} if SKEWED in found.when.data_sets else {})


def _figure_3(post: Summary, when: Summary) -> Verdict:
    pairs = [(when, name, while_growing(name)) for name in CRITERIA]
    pairs += [(post, larger, smaller) for larger, smaller in never_smaller(post.methods)]
    against = {f"{larger} >= {smaller}": compare_sizes(of, larger, smaller)[1] for of, larger, smaller in pairs}
    broken = {relation: n_folds for relation, n_folds in against.items() if n_folds}
    return Verdict(not broken, f"folds against its {len(pairs)} relations: {listed(broken) or 'none'}")


def _larger(when: Summary) -> Verdict:
    n_sets = len(when.data_sets)
    larger = {name: when.significant("inner_nodes", name, while_growing(name)).losses for name in CRITERIA}
    rare = all(larger[name] <= FEW * n_sets for name in ("MDL", "BIC"))
    half = all(HALF[0] * n_sets <= larger[name] <= HALF[1] * n_sets for name in ("CHI", "RAND"))
    return Verdict(rare and half, f"significantly larger on {listed(larger)} of {n_sets} sets")


def _slightly_better(when: Summary) -> Verdict:
    records = {name: when.direct("auc", name, while_growing(name)) for name in CRITERIA}
    told = ", ".join(f"{name} {record}" for name, record in records.items())
    return Verdict(all(record.wins > record.losses for record in records.values()), f"wins/ties/losses: {told}")


def significant_differences(when: Summary) -> dict[str, list[float]]:
    """The data sets on which some criterion differs significantly in AUC or CLL, and the t of each difference."""
    differences: dict[str, list[float]] = {}
    for name in CRITERIA:
        for measure in QUALITY:
            for data_set in when.data_sets:
                test = when.test(measure, data_set, name, while_growing(name))
                if test.is_significant():
                    differences.setdefault(data_set, []).append(test.t)
    return differences


def _differs(when: Summary) -> Verdict:
    found = significant_differences(when)
    n_worse = sum(t < 0 for tests in found.values() for t in tests)
    others = [name for name in found if name != SKEWED]
    n_all = len(CRITERIA) * len(QUALITY) * len(when.data_sets)
    n_differ = sum(map(len, found.values()))
    told = f"{n_differ} of {n_all} comparisons differ, {n_worse} of them against it, on {of_names(list(found))}"
    return Verdict(not others and n_worse == 0, told)


def _on_skewed(when: Summary) -> Verdict:
    """Each criterion is significantly better after growing on hiv, by more than criteria differ among themselves."""
    tests = {
        (name, measure): when.test(measure, SKEWED, name, while_growing(name))
        for name in CRITERIA
        for measure in QUALITY
    }
    n_better = sum(test.is_significant() and test.t > 0 for test in tests.values())
    after = min(when.mean("auc", SKEWED, name) for name in CRITERIA)
    while_ = max(when.mean("auc", SKEWED, while_growing(name)) for name in CRITERIA)
    return Verdict(
        n_better == len(tests) and after > while_,
        f"better in {n_better} of {len(tests)} comparisons; worst AUC after growing {100 * after:.1f}, best while "
        f"growing {100 * while_:.1f}",
    )


def trends(curves: Sequence[Summary]) -> dict[str, tuple[float, float]]:
    """Of each criterion on each learning curve the rank correlation of rows and gain in CLL, and its p value."""
    found = {}
    for curve in curves:
        for name in CRITERIA:
            gains = [curve.gains("log_likelihood", size, name, while_growing(name)).mean() for size in curve.data_sets]
            if np.ptp(gains) > 0:
                test = spearmanr(np.arange(len(gains)), gains)
                found[f"{name} on {curve.data_sets[-1]}"] = (float(test.statistic), float(test.pvalue))
    return found


def _trend(curves: Sequence[Summary]) -> Verdict:
    """Whether the gain of pruning after growing rises or falls with the number of rows on any curve."""
    found = trends(curves)
    clear = [f"{name} ({value:+.2f})" for name, (value, p) in found.items() if p < 0.05]
    told = f"rank correlation of rows and gain in CLL significant in {len(clear)} of {len(found)} learning curves"
    return Verdict(not clear, f"{told}: {of_names(clear)}")


def _slower(when: Summary) -> Verdict:
    slower = {name: slowdown(when, name) for name in CRITERIA}
    holds = all(TIMES[0] <= times <= TIMES[1] for times in slower.values())
    return Verdict(holds, f"post / pre: {listed(slower, 2)}")
