"""One row explained, and its values in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree.columns import NUMBER, Column
from petree.conditions import UNSEEN, Condition, IsMissing, number_text
from petree.inputs import Table
from petree.inputs.columns import as_floats
from petree.reading.view import PLAIN
from petree.words import counted, named, valued, visible

# Contributions that a text shows at most, and the least that it shows.
SHOWN = 10
LEAST_SHOWN = 0.0005
Numbers = NDArray[np.float64]


class PathStep(NamedTuple):
    """A node on the path of a row: the branch that leads there, and the probability of the predicted class there.

    `is_unknown` says that the row cannot answer the test, so that it went every way, and this is the heaviest.
    """

    text: str
    probability: float
    n: int
    is_unknown: bool = False

    def __str__(self) -> str:
        return f"{self.text} (the heaviest branch, since the value is unknown)" if self.is_unknown else self.text


class Nearest(NamedTuple):
    """The nearest other verdict: class, its probability in that leaf, the rows of the leaf, and what must change."""

    predicted: Any
    probability: float
    n: int
    changes: tuple[str, ...]

    def __str__(self) -> str:
        said = f"P({visible(str(self.predicted))})={PLAIN.probability(self.probability)} (n={self.n})"
        return f"{' and '.join(self.changes)} -> {said}"


@dataclass(frozen=True)
class Explanation:
    """Why a row gets its answer.

    Parameters
    ----------
    row : int
        Its number in X, counted from 0.
    predicted : class label
    probability, lower, upper : float
        Of the predicted class, with its credible interval.
    n : int
        Training rows behind the answer.
    path : tuple of PathStep
        From the root to the leaf; empty where there is no single path.
    is_blend : bool
        Whether the answer is that of several leaves, and not of the last one of the path alone.
    nearest : Nearest or None
        What would have to change for another verdict.
    base_value : float or None
        Probability of the predicted class where no column is known.
    contributions : dict of column name to float
        What each column adds to that; empty where this is not defined.
    values : dict of column name to str
        The row in words, such as ``home = own``: the columns that some test of the tree asks.
    witnesses : dict of row name to dict of column name to value
        Of related tables: the first rows that make the tests on the path hold, such as ``"atom (B)"``.
    """

    row: int
    predicted: Any
    probability: float
    lower: float
    upper: float
    n: int
    path: tuple[PathStep, ...]
    is_blend: bool
    nearest: Nearest | None
    base_value: float | None
    contributions: dict[str, float]
    values: dict[str, str]
    witnesses: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """The predicted class with its interval, such as ``P(no)=0.88 [0.60, 0.98] (n=6)``."""
        bounds = f"[{PLAIN.probability(self.lower)}, {PLAIN.probability(self.upper)}]"
        return f"{self._of_class}={PLAIN.probability(self.probability)} {bounds} (n={self.n})"

    @property
    def steps(self) -> list[tuple[str, str]]:
        """The path, each step with the probability after it."""
        told = [(str(step), f"{self._of_class}={PLAIN.probability(step.probability)}") for step in self.path]
        if self.is_blend and told:
            told.append(("the answer, a blend of leaves", f"{self._of_class}={PLAIN.probability(self.probability)}"))
        return told

    @property
    def _of_class(self) -> str:
        return f"P({visible(str(self.predicted))})"

    def largest(self, names: list[str] | None = None) -> list[tuple[str, str]]:
        """Columns with their values, and what they contribute, the largest first; of few columns all.

        Parameters
        ----------
        names : list of str, optional
            The columns to tell of, instead of those that contribute most.
        """
        order = sorted(self.contributions, key=lambda name: -abs(self.contributions[name]))
        shown = [name for name in order if abs(self.contributions[name]) >= LEAST_SHOWN][:SHOWN]
        shown = shown if names is None else [name for name in order if name in names]
        told = [
            (self.values.get(name, f"{visible(name)}, which no test asks"), f"{self.contributions[name]:+.3f}")
            for name in shown
        ]
        others = [name for name in order if name not in shown and self.contributions[name] != 0]
        if others:
            rest = sum(self.contributions[name] for name in others)
            told.append((counted(len(others), "other column"), f"{rest:+.3f}"))
        return told

    def told(self, heading: str, names: list[str] | None = None) -> str:
        """All of it in words, under a heading; `names` are the columns whose contributions are told."""
        lines = [f"{heading}: {self.verdict}", *_aligned(self.steps)]
        if self.witnesses:
            lines += ["rows behind it:", *(f"  {line}" for line in self.rows_behind)]
        if self.nearest is not None:
            lines += ["nearest other verdict:", f"  {self.nearest}"]
        if self.base_value is not None:
            lines += [f"{self.subject}:", *_aligned(self.largest(names))]
        return "\n".join(lines)

    @property
    def rows_behind(self) -> list[str]:
        """The rows of related tables that make the tests on the path hold, a line each."""
        told = {name: ", ".join(map(_value, row.items())) for name, row in self.witnesses.items()}
        return [visible(f"{name}: {text}") for name, text in told.items()]

    @property
    def subject(self) -> str:
        """What contributions add to."""
        known = "" if self.base_value is None else f", {PLAIN.probability(self.base_value)} with nothing known"
        return f"contributions to {self._of_class}{known}"

    def __str__(self) -> str:
        return self.told(f"row {self.row}")


def _aligned(pairs: list[tuple[str, str]]) -> list[str]:
    width = max((len(left) for left, _ in pairs), default=0)
    return [f"  {left.ljust(width)}  {right}" for left, right in pairs]


def _value(pair: tuple[str, Any]) -> str:
    name, value = pair
    return f"{name} is missing" if value is None else f"{name} = {value}"


def values_of(table: Table, row: int) -> Numbers:
    """One row: numbers and codes of categories, NaN where missing, infinity for a category never seen."""
    pairs = zip(table.columns, table.arrays, strict=True)
    return np.array([as_floats(column, array[row : row + 1])[0] for column, array in pairs])


def value_text(column: Column, value: float) -> str:
    """A value in the user's words."""
    if np.isnan(value):
        return "missing"
    if column.kind == NUMBER:
        return number_text(column, value)
    return valued(column.categories[int(value)]) if np.isfinite(value) else "a category never seen"


def told(column: Column, value: float) -> str:
    """A column and its value in words, such as ``home = own``."""
    name = named(column.name)
    return f"{name} = {value_text(column, value)}" if np.isfinite(value) else f"{name} is {value_text(column, value)}"


def is_stuck(condition: Condition, value: float) -> bool:
    """Whether a value leaves a test open, so that the row goes every way."""
    if isinstance(condition, IsMissing):
        return False
    return np.isinf(value) or (np.isnan(value) and condition.missing == UNSEEN)
