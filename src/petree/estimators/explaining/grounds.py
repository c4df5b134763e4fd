"""What explanations rest on: what they ask of a fitted model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.caching import cached_property
from petree.columns import Column
from petree.estimators.explaining.demands import demands_of, is_possible
from petree.estimators.explaining.rows import Nearest, PathStep, is_stuck, value_text
from petree.estimators.intervals.bounds import Intervals
from petree.inputs import Table
from petree.reading.paths import steps_to
from petree.reading.view import View
from petree.routing import Ways
from petree.threads import Threads
from petree.tree.prediction import most_probable_codes
from petree.words import visible

Numbers = NDArray[np.float64]
# Why contributions are not told where base rates were moved: Bayes' rule is applied behind the sum that they make.
MOVED = (
    "Contributions of columns add up at the base rates of the training data, not at others; take those back by "
    "set_base_rates(None)."
)
Codes = NDArray[np.int64]


@dataclass(frozen=True)
class ModelAnswers:
    """What a model answers: functions of a table for the class probabilities of its rows, and for their intervals."""

    classes: NDArray[Any]
    class_weight: Numbers | None
    probabilities: Callable[[Table], Numbers]
    intervals: Callable[[Table], Intervals]

    def verdicts(self, probabilities: Numbers) -> NDArray[np.intp]:
        """The number of the predicted class of each row."""
        return most_probable_codes(probabilities, self.class_weight)


@dataclass(frozen=True)
class Paths:
    """The paths of rows down one tree: the tree to read, and a function of a table for the leaf of each row.

    `by_row` says that other leaves, too, answer a row.
    """

    view: View
    leaves: Callable[[Table], Codes]
    by_row: bool

    def of_row(self, leaf: int, verdict: int, values: Numbers) -> tuple[PathStep, ...]:
        """The path to a leaf, with the probability of a class after each test; `values` are those that tests see."""
        tree = self.view.tree
        probabilities = self.view.probabilities[:, verdict]
        steps = [PathStep("all rows", float(probabilities[0]), int(tree.sizes[0]))]
        for step in steps_to(tree, leaf):
            is_unknown = bool(len(values)) and is_stuck(
                step.condition, float(values[tree.conditions.column[step.split]])
            )
            text = visible(step.condition.short_branches[step.branch])
            steps.append(PathStep(text, float(probabilities[step.node]), int(tree.sizes[step.node]), is_unknown))
        return tuple(steps)


@dataclass(frozen=True)
class Shapley:
    """What each column contributes: the ways through a tree, and what its nodes answer.

    Threads are made for each computation, since those of one that was interrupted stay stopped.
    """

    ways: Ways
    says: Numbers
    threads: Callable[[], Threads]

    def contributions(self, table: Table) -> Numbers:
        return self.ways.contributions(table, self.says, self.threads())

    @cached_property
    def base_values(self) -> Numbers:
        return self.ways.answer_to_unknown(self.says)


@dataclass(frozen=True)
class OtherVerdicts:
    """The nearest leaf of another class: the ways through a tree, and the class of each node."""

    view: View
    ways: Ways
    threads: Callable[[], Threads]

    @cached_property
    def classes(self) -> Codes:
        """The class that each leaf predicts, -1 at inner nodes."""
        tree = self.view.tree
        codes = most_probable_codes(self.view.probabilities, tree.class_weight)
        return np.where(tree.is_leaf, codes, -1).astype(np.int64)

    @property
    def labels(self) -> list[Any]:
        """The class label that each leaf predicts."""
        return [self.view.tree.classes[code] for code in self.classes.tolist()]

    def find(self, table: Table, verdicts: Codes) -> tuple[Codes, Codes]:
        """For each row the leaf, or -1, and how many columns would have to change.

        Leaves that no row can come to are left out: these are looked for only where such a leaf was found.
        """
        tree = self.view.tree
        classes = self.classes.copy()
        leaves, n_changes = self.ways.nearest(table, classes, verdicts, self.threads())
        if all(is_possible(tree, leaf) for leaf in np.unique(leaves[leaves >= 0]).tolist()):
            return leaves, n_changes
        impossible = [leaf for leaf in np.flatnonzero(tree.is_leaf).tolist() if not is_possible(tree, leaf)]
        classes[impossible] = -1
        return self.ways.nearest(table, classes, verdicts, self.threads())

    def of_row(self, leaf: int, columns: tuple[Column, ...], values: Numbers) -> Nearest | None:
        """The verdict of a leaf, and what a row would have to change to come there."""
        if leaf < 0:
            return None
        tree = self.view.tree
        code = int(self.classes[leaf])
        changes = [
            f"{demand} instead of {value_text(columns[number], values[number])}"
            for number, demand in sorted(demands_of(tree, leaf).items())
            if not demand.is_met(values[number])
        ]
        probability = float(self.view.probabilities[leaf, code])
        return Nearest(tree.classes[code], probability, int(tree.sizes[leaf]), tuple(changes))


@dataclass(frozen=True)
class Grounds:
    """What is defined for a model, and the columns of its table, which related tables do not have.

    Where contributions are not defined, `shapley` is the reason. Of related tables `witnesses` has the rows, by their
    names, that make the tests on the way to a leaf hold for the example in a row of a table.
    """

    columns: tuple[Column, ...]
    answers: ModelAnswers
    shapley: Shapley | str
    paths: Paths | None = None
    others: OtherVerdicts | None = None
    witnesses: Callable[[Table, int, int], dict[str, dict[str, Any]]] | None = None
