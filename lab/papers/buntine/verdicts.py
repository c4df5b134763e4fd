"""The conclusions of Buntine, each decided by our figures."""

from __future__ import annotations

from itertools import product

import numpy as np

from lab.experiments.summary import Summary
from lab.papers.buntine.causes import explained
from lab.papers.buntine.measures import BRIER, ERROR, is_better, mean
from lab.papers.buntine.priors import GROUPS, LEARNERS, spread
from lab.papers.buntine.protocol import OPTIONS, OTHERS
from lab.papers.buntine.tables import printed_cells
from lab.papers.buntine.timing import Times
from lab.papers.verdicts import Verdict

BAYES = "Bayes trees"
NOT_BAYESIAN = tuple(method for method in OTHERS if method != BAYES)
# An order of magnitude; the paper's own cells say 33 and more.
FAR = 10.0
# How many are "several" cases.
SEVERAL = 3
# The priors that the paper tried for option trees, as `priors.GROUPS` calls them.
TRIED = "I and II"


def verdicts(summary: Summary, priors: Summary, times: Times) -> dict[str, Verdict]:
    """By the key of the conclusion.

    Parameters
    ----------
    summary : Summary
        The methods of Table 1.
    priors : Summary
        Smoothed trees and option trees under many priors.
    times : dict of Seconds
        By problem and method.
    """
    found = {
        "option_error": _error(summary),
        "option_significant": _significant(summary),
        "option_brier": _brier(summary),
        "option_prior": _prior(priors),
        "option_time": _time(summary, times),
    }
    return explained(found, summary)


def _error(summary: Summary) -> Verdict:
    """The least mean error on most problems, and no other method significantly more accurate on any."""
    n_first = 0
    behind = []
    for problem in summary.data_sets:
        errors = {method: mean(summary, ERROR, problem, method) for method in summary.methods}
        n_first += min(errors, key=errors.__getitem__) in OPTIONS
        behind += [
            f"{option} than {other} on {problem}, by {errors[option] - errors[other]:.1f} points"
            for option, other in product(OPTIONS, OTHERS)
            if is_better(summary, ERROR, problem, other, option)
        ]
    told = f"the least mean error is theirs on {n_first} of {len(summary.data_sets)} problems"
    is_usual = n_first > len(summary.data_sets) / 2
    return Verdict(is_usual and not behind, f"{told}; significantly less accurate: {'; '.join(behind) or 'nowhere'}")


def _significant(summary: Summary) -> Verdict:
    """Where an option tree is significantly more accurate than each method that is not Bayesian."""
    cases = [
        f"{option} on {problem}"
        for problem, option in product(summary.data_sets, OPTIONS)
        if all(is_better(summary, ERROR, problem, option, other) for other in NOT_BAYESIAN)
    ]
    return Verdict(len(cases) >= SEVERAL, f"in {len(cases)} cases: {', '.join(cases) or 'none'}")


def _brier(summary: Summary) -> Verdict:
    """Better in every comparison with a method that is not Bayesian, and significantly in most."""
    n_lower = 0
    n_significant = 0
    n_despite = 0
    comparisons = list(product(summary.data_sets, (BAYES, *OPTIONS), NOT_BAYESIAN))
    for problem, one, other in comparisons:
        if mean(summary, BRIER, problem, one) < mean(summary, BRIER, problem, other):
            n_lower += 1
            n_significant += is_better(summary, BRIER, problem, one, other)
            n_despite += mean(summary, ERROR, problem, one) > mean(summary, ERROR, problem, other)
    return Verdict(
        n_lower == len(comparisons) and n_significant > len(comparisons) / 2,
        f"better in {n_lower} of {len(comparisons)} comparisons, significantly in {n_significant}, and in {n_despite} "
        "although the error was larger",
    )


def _prior(priors: Summary) -> Verdict:
    """Of types I and II the choice decides less than of smoothed trees on most problems, in error and Brier score."""
    spreads = {
        (measure, group): np.array(
            [[spread(priors, measure, problem, one, of(problem)) for one in LEARNERS] for problem in priors.data_sets]
        )
        for measure, (group, of) in product((ERROR, BRIER), GROUPS.items())
    }
    smaller = {key: int((found[:, 1] < found[:, 0]).sum()) for key, found in spreads.items()}
    told = []
    for group in GROUPS:
        smoothed, options = spreads[BRIER, group].mean(axis=0)
        told.append(
            f"{group}: error on {smaller[ERROR, group]}, Brier score on {smaller[BRIER, group]} ({options:.3f} against "
            f"{smoothed:.3f} in the mean)"
        )
    n_problems = len(priors.data_sets)
    return Verdict(
        min(smaller[measure, TRIED] for measure in (ERROR, BRIER)) > n_problems / 2,
        f"of {n_problems} problems the prior decides less than of smoothed trees, {'; '.join(told)}",
    )


def _time(summary: Summary, times: Times) -> Verdict:
    """Ten times as long to grow as one Bayes tree, or longer, on some problem."""
    slowest = OPTIONS[-1]
    ratios = [times[problem, slowest].learn / times[problem, BAYES].learn for problem in summary.data_sets]
    cells = {place: row["train_seconds"] for place, row in printed_cells().items()}
    printed = [
        seconds / cells[problem, BAYES]
        for (problem, method), seconds in cells.items()
        if method == slowest and (problem, BAYES) in cells
    ]
    return Verdict(
        max(ratios) >= FAR,
        f"{slowest} take {min(ratios):.1f} to {max(ratios):.1f} times as long to grow as Bayes trees (paper: "
        f"{min(printed):.0f} to {max(printed):.0f})",
    )
