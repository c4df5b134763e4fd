"""A first test that a person asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.columns import DATE, NOMINAL, NUMBER, ORDERED, ZONED_DATE, Column
from petree.conditions import UNSEEN, Condition, Equals, In, IsMissing, Threshold
from petree.sources.base import Splits
from petree.sources.coding import NARROW_BINS
from petree.sources.found import TEST, as_bits
from petree.sources.searching.by_value import ByRatio
from petree.sources.table import TableSource
from petree.tree import Tree

FORMS = "'age', 'age < 40', 'home = rent', 'home in {rent, own}' or 'age is missing'"


@dataclass(frozen=True)
class FirstTest:
    """The test of the root: the best one of a column, or a certain one.

    Parameters
    ----------
    text : str
        As it was asked for.
    column : int
        Place of the column.
    condition : Condition or None
        None for the best test of the column.
    """

    text: str
    column: int
    condition: Condition | None = None

    @property
    def threshold(self) -> float | None:
        """Where a column of numbers must be cut for the test, if anywhere."""
        return self.condition.threshold if isinstance(self.condition, Threshold) else None

    def is_of(self, tree: Tree) -> bool:
        """Whether the root of a tree asks this, wherever missing values go."""
        if tree.is_leaf[0] or tree.conditions.column[0] != self.column:
            return False
        return self.condition is None or replace(tree.conditions[0], missing=UNSEEN) == self.condition

    def split(self, source: TableSource) -> Splits | None:
        """The split of the root, with missing values on the better branch; None where it does not divide the rows."""
        if self.condition is None:
            return self._best(source)
        found = [self._scored(source, test) for test in self._ways(source, self.condition)]
        divided = [split for split in found if split is not None]
        return max(divided, key=lambda split: float(split.gain[0]), default=None)  # the first of equals

    def _best(self, source: TableSource) -> Splits | None:
        """The best test of the column."""
        root = source.root()
        best = source.best_by_column(root)[self.column]
        if best.test["column"][0] < 0:
            return None
        if isinstance(source.searcher, ByRatio):  # the values of which are not the scores
            return self._scored(source, best.test)
        return Splits(np.zeros(1, np.intp), source.score_of(best.value, root.counts), best.test)

    def _ways(self, source: TableSource, condition: Condition) -> list[NDArray[Any]]:
        """The test as the source knows it, for each branch that missing values may take."""
        column = source.vocabulary.columns[self.column]
        test = np.zeros(1, TEST)
        test["column"] = self.column
        test["missing"] = UNSEEN
        test["kind"] = condition.kind
        match condition:
            case Threshold(threshold=threshold) if threshold not in column.thresholds:
                return []  # below the first category of an ordered column is nothing
            case Threshold(threshold=threshold):
                test["cut"] = np.searchsorted(column.thresholds, threshold)
            case Equals(code=code):
                test["cut"] = code
            case In(codes=codes):
                test["inside"] = as_bits(np.isin(np.arange(256), codes)[None])
            case IsMissing():
                return [_with_missing(test, 0)] if column.has_missing else []
        ways = [_with_missing(test, branch) for branch in (1, 0)] if column.has_missing else [test]
        return [source.settled(source.root(), way) for way in ways]

    def _scored(self, source: TableSource, test: NDArray[Any]) -> Splits | None:
        """The split of a test; dividing only sorts the rows of the root."""
        root = source.root()
        split = Splits(np.zeros(1, np.intp), np.zeros(1), test)
        children, _ = source.divide(root, split)
        if np.count_nonzero(children.sizes >= source.min_samples_leaf) < 2:
            return None
        scoring = source.searcher.scoring
        factors = scoring.class_weight if len(scoring.class_weight) else 1.0
        return replace(split, gain=scoring.ask((children.counts * factors)[None]))


def _with_missing(test: NDArray[Any], branch: int) -> NDArray[Any]:
    copy = test.copy()
    copy["missing"] = branch
    return copy


def read_test(text: str, columns: Sequence[Column]) -> FirstTest:
    """The first test that a text asks for: a column alone, or a condition as trees show it.

    Examples
    --------
    >>> columns = [Column("age"), Column("home", NOMINAL, ("own", "rent"))]
    >>> read_test("age < 40", columns).condition.threshold, read_test("home = rent", columns).condition.code
    (40.0, 1)
    """
    names = [column.name for column in columns]
    if text in names:
        return FirstTest(text, names.index(text))
    # The longest name that fits: a name may begin with another, and have spaces.
    fitting = [name for name in names if text.startswith(f"{name} ")]
    if not fitting:
        raise ValueError(f"The first test {text!r} begins with no column of X; it may be such as {FORMS}.")
    name = max(fitting, key=len)
    place = names.index(name)
    return FirstTest(text, place, _condition(text, columns[place], text[len(name) :].strip()))


def _condition(text: str, column: Column, rest: str) -> Condition:
    """What is asked of a column."""
    if rest == "is missing":
        return IsMissing(column)
    sign, _, value = rest.partition(" ")
    value = value.strip()
    if sign == "<" and column.kind == NUMBER:
        return Threshold(
            column, _moment(text, value) if column.quantity in (DATE, ZONED_DATE) else _number(text, value)
        )
    if sign == "<" and column.kind == ORDERED:
        return Threshold(column, float(_code(text, column, value)))
    if sign == "=" and column.kind == NOMINAL:
        return Equals(column, _code(text, column, value))
    is_set = value.startswith("{") and value.endswith("}")
    if sign == "in" and column.kind == NOMINAL and is_set and len(column.categories) <= NARROW_BINS:
        codes = sorted({_code(text, column, one.strip()) for one in value[1:-1].split(",")})
        return In(column, tuple(codes)) if len(codes) > 1 else Equals(column, codes[0])
    raise ValueError(
        f"The first test {text!r} asks of column {column.name!r}, of kind {column.kind}, what it cannot be asked; it "
        f"may be such as {FORMS}."
    )


def _moment(text: str, value: str) -> float:
    """Microseconds since 1970 of a date as trees show it."""
    try:
        return float(np.datetime64(value.removesuffix(" UTC"), "us").astype(np.int64))
    except ValueError:
        raise ValueError(
            f"The first test {text!r} compares with {value!r}, which is no date like 2024-03-01."
        ) from None


def _number(text: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        raise ValueError(f"The first test {text!r} compares with {value!r}, which is no number.") from None
    if number - number != 0:
        raise ValueError(f"The first test {text!r} compares with {value!r}, which is not finite.")
    return number


def _code(text: str, column: Column, value: str) -> int:
    """The code of the one category that is written so."""
    codes = [code for code, category in enumerate(column.categories) if str(category) == value]
    if len(codes) != 1:
        raise ValueError(f"The first test {text!r} names {value!r}, which is no category of column {column.name!r}.")
    return codes[0]
