"""How much option trees and smoothed trees depend on the prior."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from lab.experiments.methods import Method
from lab.experiments.report.pages import Block, Heading
from lab.experiments.report.tables import Table
from lab.experiments.summary import Summary
from lab.papers.buntine.measures import BRIER, DECIMALS, ERROR, SHORT_TITLES, mean
from lab.papers.buntine.protocol import PROBLEMS, Problem, option_tree, smoothed_tree
from petree.bayes import Prior

STRUCTURES = ("I", "II", "III", "IV")
# Strengths of the leaves' prior; C is the number of classes.
ALPHAS = ("0.5", "1", "2", "C")
LEARNERS = ("smoothed", "options")


def name(learner: str, structure: str, alpha: str) -> str:
    return f"{learner}, {structure}, alpha {alpha}"


def methods(problem: Problem) -> list[Method]:
    """Smoothed trees and option trees of one ply under all priors."""
    found = []
    for structure, alpha in product(STRUCTURES, ALPHAS):
        prior = Prior(structure, alpha=float(problem.n_classes) if alpha == "C" else float(alpha))
        estimators = (smoothed_tree(prior), option_tree(prior, 1))
        found += [
            Method(name(learner, structure, alpha), estimator)
            for learner, estimator in zip(LEARNERS, estimators, strict=True)
        ]
    return found


# -- which priors -----------------------------------------------------------------------------------------


def all_priors(problem: str) -> list[tuple[str, str]]:
    """Types and strengths that are tried."""
    return list(product(STRUCTURES, ALPHAS))


def papers_types(problem: str) -> list[tuple[str, str]]:
    """The types that the paper tried, with its strength for the problem."""
    [alpha] = [f"{one.prior.alpha:g}" for one in PROBLEMS if one.name == problem]
    return [("I", alpha), ("II", alpha)]


GROUPS = {"all": all_priors, "I and II": papers_types}


def spread(summary: Summary, measure: str, problem: str, learner: str, priors: Sequence[tuple[str, str]]) -> float:
    """The largest mean of a learner less its smallest over priors."""
    return float(np.ptp([mean(summary, measure, problem, name(learner, *prior)) for prior in priors]))


def options_ahead(summary: Summary) -> tuple[int, int]:
    """On how many problems and priors option trees have a better Brier score than smoothed trees, and of how many."""
    places = list(product(summary.data_sets, STRUCTURES, ALPHAS))
    scores = np.array(
        [[mean(summary, BRIER, problem, name(one, *prior)) for one in LEARNERS] for problem, *prior in places]
    )
    return int((scores[:, 1] < scores[:, 0]).sum()), len(places)


# -- tables -----------------------------------------------------------------------------------------------


def section(summary: Summary) -> Iterator[Block]:
    yield Heading("Priors")
    yield spread_table(summary)
    yield priors_table(summary)


def spread_table(summary: Summary) -> Table:
    """The worst prior less the best, on each problem, of all priors and of the paper's two types."""
    columns = list(product(GROUPS.items(), (ERROR, BRIER), LEARNERS))
    cells = np.array(
        [
            [spread(summary, measure, problem, learner, priors(problem)) for (_, priors), measure, learner in columns]
            for problem in summary.data_sets
        ]
    )
    rows = [
        [label, *(f"{value:.{DECIMALS[column[1]]}f}" for value, column in zip(line, columns, strict=True))]
        for label, line in zip([*summary.data_sets, "mean"], [*cells, cells.mean(axis=0)], strict=True)
    ]
    heads = ("problem", *(f"{group}: {SHORT_TITLES[measure]}, {learner}" for (group, _), measure, learner in columns))
    note = (
        f"The largest mean less the smallest: over the types {', '.join(STRUCTURES)} with the strengths "
        f"{', '.join(ALPHAS)}, where C is the number of classes; and over I and II, which the paper tried, with the "
        "strength it took. Errors in percent. The paper has no numbers."
    )
    return Table("How much the prior decides", heads, rows, note, [len(rows) - 1])


def priors_table(summary: Summary) -> Table:
    """Error and Brier score under each prior, in the mean of the problems."""
    columns = list(product((ERROR, BRIER), LEARNERS))
    rows = []
    for structure, alpha in product(STRUCTURES, ALPHAS):
        found = [
            np.mean([mean(summary, measure, problem, name(learner, structure, alpha)) for problem in summary.data_sets])
            for measure, learner in columns
        ]
        cells = [f"{value:.{DECIMALS[measure]}f}" for value, (measure, _) in zip(found, columns, strict=True)]
        rows.append([f"{structure}, alpha {alpha}", *cells])
    heads = ("prior", *(f"{SHORT_TITLES[measure]}, {learner}" for measure, learner in columns))
    n_better, n_all = options_ahead(summary)
    note = (
        "Means over the problems, of errors in percent. Under one and the same prior option trees have the better "
        f"Brier score in {n_better} of {n_all} comparisons."
    )
    return Table("Error and Brier score under each prior", heads, rows, note)
