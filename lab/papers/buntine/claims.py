"""What else can be asked of our figures: how far ahead option trees are, how near the paper, and lookahead for CART."""

from __future__ import annotations

from lab.experiments.report.pages import join
from lab.experiments.report.tables import Table
from lab.experiments.summary import Summary
from lab.papers.buntine.apart import PARTS, gain_deviation, mean_gain, name
from lab.papers.buntine.measures import BRIER, ERROR, gains, is_better, mean
from lab.papers.buntine.protocol import OPTIONS, OTHERS, PROBLEMS
from lab.papers.buntine.tables import printed_cells
from lab.papers.verdicts import Verdict

# Option trees are asked to be ahead on so many of the four data sets.
MOST_SETS = 3
# Near: by no more than so many of the paper's standard deviations.
NEAR = 2.0
# Erratic: a gain whose deviation is so many times that of option trees.
ERRATIC = 2.0


def claims(summary: Summary, apart: Summary) -> dict[str, Verdict]:
    """By what is claimed.

    Parameters
    ----------
    summary : Summary
        The methods of Table 1.
    apart : Summary
        Smoothing, options and lookahead taken apart.
    """
    ahead = {}
    for option in OPTIONS:
        lower = f"{option} have a lower mean error than all others on {MOST_SETS} of 4 data sets."
        ahead[lower] = _ahead(summary, option, ERROR)
        better = f"{option} have a significantly lower Brier score than all others on {MOST_SETS} of 4 data sets."
        ahead[better] = _ahead(summary, option, BRIER)
    return {
        **ahead,
        f"The errors of option trees lie within {NEAR:g} deviations of those printed.": _near(summary),
        "Lookahead with cost-complexity pruning is erratic.": _erratic(apart),
    }


def claims_table(found: dict[str, Verdict]) -> Table:
    words = {True: "holds", False: "does not hold"}
    rows = [[claim, words[bool(verdict.holds)], verdict.figure] for claim, verdict in found.items()]
    note = "LED counts as one data set, and only where something holds with 100 cases and with 900."
    return Table("What else is asked", ("claim", "here", "the figure that decides"), rows, note)


def _ahead(summary: Summary, option: str, measure: str) -> Verdict:
    """On how many sets an option tree is better than all others; significantly so in the Brier score."""
    behind = {problem: _not_beaten(summary, option, measure, problem) for problem in summary.data_sets}
    of_sets = sets(summary)
    won = [data_set for data_set, problems in of_sets.items() if not any(behind[problem] for problem in problems)]
    left = [f"not than {join(others)} on {problem}" for problem, others in behind.items() if others]
    figure = f"on {len(won)} of {len(of_sets)}: {', '.join(won) or 'none'}"
    return Verdict(len(won) >= MOST_SETS, "; ".join([figure, *left]))


def _not_beaten(summary: Summary, option: str, measure: str, problem: str) -> list[str]:
    """The methods that an option tree is not better than."""
    if measure == ERROR:
        return [other for other in OTHERS if gains(summary, ERROR, problem, option, other).mean() <= 0]
    return [other for other in OTHERS if not is_better(summary, BRIER, problem, option, other)]


def sets(summary: Summary) -> dict[str, list[str]]:
    """The problems of each data set; LED has two."""
    found: dict[str, list[str]] = {}
    for problem in PROBLEMS:
        if problem.name in summary.data_sets:
            found.setdefault(problem.data_set, []).append(problem.name)
    return found


def _near(summary: Summary) -> Verdict:
    is_near = []
    told = []
    for (problem, method), row in printed_cells().items():
        if method in OPTIONS and problem in summary.data_sets:
            error = mean(summary, ERROR, problem, method)
            is_near.append(abs(error - row["error"]) <= NEAR * row["sd"])
            told.append(f"{problem}, {method.split()[0]} {error:.1f} ({row['error']} ± {row['sd']})")
    return Verdict(all(is_near), "; ".join(told))


def _erratic(apart: Summary) -> Verdict:
    """The gain of a second ply differs much more from trial to trial than that of option trees."""
    pairs = {part: (name(part, 2), name(part, 1)) for part in PARTS}
    found = {
        part: (mean_gain(apart, ERROR, *pair), gain_deviation(apart, ERROR, *pair)) for part, pair in pairs.items()
    }
    holds = found["cost-complexity"][1] >= ERRATIC * found["options"][1]
    told = [f"{part} {gain:+z.1f} ± {deviation:.1f}" for part, (gain, deviation) in found.items()]
    return Verdict(holds, f"points of error gained by a second ply in one trial: {', '.join(told)}")
