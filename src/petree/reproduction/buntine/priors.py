"""How much option trees and smoothed trees depend on the prior."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from petree.bayes import Prior
from petree.evaluation.pages import Block, Heading
from petree.evaluation.tables import Table
from petree.experiments.methods import Method
from petree.experiments.summary import Summary
from petree.reproduction.buntine.measures import BRIER, DECIMALS, ERROR, mean
from petree.reproduction.buntine.protocol import Problem, option_tree, smoothed_tree

STRUCTURES = ("I", "II", "III", "IV")
# Strengths of the leaves' prior; C is the number of classes.
ALPHAS = ("0.5", "1", "2", "C")
SMOOTHED, OPTIONS = LEARNERS = ("smoothed", "options")


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


def section(summary: Summary) -> Iterator[Block]:
    yield Heading("Priors")
    yield spread_table(summary)
    yield priors_table(summary)


def spread_table(summary: Summary) -> Table:
    """The worst prior less the best, on each problem, of types I to IV and of the paper's two."""
    groups = {"I to IV": STRUCTURES, "I and II": STRUCTURES[:2]}
    columns = list(product(groups.items(), (ERROR, BRIER), LEARNERS))
    cells = np.array(
        [
            [spread(summary, measure, problem, learner, structures) for (_, structures), measure, learner in columns]
            for problem in summary.data_sets
        ]
    )
    rows = [
        [label, *(f"{value:.{DECIMALS[column[1]]}f}" for value, column in zip(line, columns, strict=True))]
        for label, line in zip([*summary.data_sets, "mean"], [*cells, cells.mean(axis=0)], strict=True)
    ]
    words = {ERROR: "error", BRIER: "Brier"}
    heads = ("problem", *(f"{group}: {words[measure]}, {learner}" for (group, _), measure, learner in columns))
    note = (
        f"The largest mean less the smallest over the types and the strengths {', '.join(ALPHAS)}, where C is the "
        "number of classes. The paper has no numbers; it tried I and II."
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
    words = {ERROR: "error, percent", BRIER: "Brier score"}
    heads = ("prior", *(f"{words[measure]}, {learner}" for measure, learner in columns))
    n_better, n_all = options_ahead(summary)
    note = (
        "Means over the problems. Under one and the same prior option trees have the better Brier score in "
        f"{n_better} of {n_all} comparisons."
    )
    return Table("Priors", heads, rows, note)


def spread(summary: Summary, measure: str, problem: str, learner: str, structures: Sequence[str] = STRUCTURES) -> float:
    """The largest mean of a learner less its smallest over priors."""
    chosen = [name(learner, structure, alpha) for structure, alpha in product(structures, ALPHAS)]
    return float(np.ptp([mean(summary, measure, problem, method) for method in chosen]))


def options_ahead(summary: Summary) -> tuple[int, int]:
    """On how many problems and priors option trees have a better Brier score than smoothed trees, and of how many."""
    places = list(product(summary.data_sets, STRUCTURES, ALPHAS))
    scores = np.array(
        [[mean(summary, BRIER, problem, name(one, *prior)) for one in LEARNERS] for problem, *prior in places]
    )
    return int((scores[:, 1] < scores[:, 0]).sum()), len(places)
