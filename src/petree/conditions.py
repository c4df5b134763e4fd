"""The tests that stand at inner nodes.

People meet a condition as a small frozen record (`Threshold`, `Equals`, `In`, `Multiway`, `IsMissing`,
`Query`) that prints itself with the user's own names. A tree keeps all of its conditions in one
`Conditions`, plain arrays with one row per split, so that a large tree stays small.

Branch 0 is always the branch on which the test holds. `missing` is the branch that missing values took
while growing, or `UNSEEN` where the node saw none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from petree.columns import ORDERED, Column

UNSEEN = -1
# A set of more categories than the first number is shown by so many of them as the second says.
LONG_SET = 6
SHOWN_OF_LONG_SET = 3

# Codes of the kinds.
THRESHOLD, EQUALS, IN, MULTIWAY, IS_MISSING, QUERY = range(6)


def number_text(value: float) -> str:
    """Shortest text that reads back as exactly this number, without a trailing ``.0``."""
    text = repr(float(value))
    return text.removesuffix(".0")


@dataclass(frozen=True)
class Condition:
    """What every condition can do: say how many branches it has and print each of them."""

    kind: ClassVar[int]
    missing: int = field(default=UNSEEN, kw_only=True)

    @property
    def n_branches(self) -> int:
        return 2

    def _texts(self) -> tuple[str, ...]:
        raise NotImplementedError

    @property
    def branches(self) -> tuple[str, ...]:
        """One text per branch; the branch that also takes missing values says so."""
        return self._with_missing(self._texts())

    @property
    def short_branches(self) -> tuple[str, ...]:
        """The same for the eye: of a long set some categories, and how many more there are."""
        return self.branches

    def _with_missing(self, texts: tuple[str, ...]) -> tuple[str, ...]:
        if self.missing == UNSEEN:
            return texts
        return tuple(text + " or missing" * (branch == self.missing) for branch, text in enumerate(texts))

    def __str__(self) -> str:
        return self.branches[0]


@dataclass(frozen=True)
class Threshold(Condition):
    """``x < threshold``; for an ordered column the threshold is the code of its first category above."""

    kind: ClassVar[int] = THRESHOLD
    column: Column
    threshold: float

    @property
    def bound(self) -> str:
        """The threshold as text: a number, or the category itself."""
        if self.column.kind == ORDERED:
            return str(self.column.categories[int(np.ceil(self.threshold))])
        return number_text(self.threshold)

    def _texts(self) -> tuple[str, ...]:
        return f"{self.column.name} < {self.bound}", f"{self.column.name} >= {self.bound}"


@dataclass(frozen=True)
class Equals(Condition):
    """``x = category``."""

    kind: ClassVar[int] = EQUALS
    column: Column
    code: int

    def _texts(self) -> tuple[str, ...]:
        category = self.column.categories[self.code]
        return f"{self.column.name} = {category}", f"{self.column.name} != {category}"


@dataclass(frozen=True)
class In(Condition):
    """``x in {categories}``."""

    kind: ClassVar[int] = IN
    column: Column
    codes: tuple[int, ...]

    def _texts(self) -> tuple[str, ...]:
        return self._ask([str(self.column.categories[code]) for code in self.codes])

    @property
    def short_branches(self) -> tuple[str, ...]:
        if len(self.codes) <= LONG_SET:
            return self.branches
        shown = [str(self.column.categories[code]) for code in self.codes[:SHOWN_OF_LONG_SET]]
        return self._with_missing(self._ask([*shown, f"and {len(self.codes) - SHOWN_OF_LONG_SET} more"]))

    def _ask(self, categories: list[str]) -> tuple[str, str]:
        inside = ", ".join(categories)
        return f"{self.column.name} in {{{inside}}}", f"{self.column.name} not in {{{inside}}}"


@dataclass(frozen=True)
class Multiway(Condition):
    """One branch per declared category, and a last one for missing values where the node saw any."""

    kind: ClassVar[int] = MULTIWAY
    column: Column

    @property
    def n_branches(self) -> int:
        return len(self.column.categories) + (self.missing != UNSEEN)

    @property
    def branches(self) -> tuple[str, ...]:
        texts = [f"{self.column.name} = {category}" for category in self.column.categories]
        if self.missing != UNSEEN:
            texts.append(f"{self.column.name} is missing")
        return tuple(texts)

    def __str__(self) -> str:
        return f"{self.column.name} = ?"


@dataclass(frozen=True)
class IsMissing(Condition):
    """``x is missing``."""

    kind: ClassVar[int] = IS_MISSING
    column: Column

    @property
    def branches(self) -> tuple[str, ...]:
        return f"{self.column.name} is missing", f"{self.column.name} is not missing"


@dataclass(frozen=True)
class Query(Condition):
    """A test known by its text alone; only whoever wrote it can send rows through it."""

    kind: ClassVar[int] = QUERY
    text: str
    arity: int = 2

    @property
    def n_branches(self) -> int:
        return self.arity

    def _texts(self) -> tuple[str, ...]:
        if self.arity == 2:
            return self.text, f"not {self.text}"
        return tuple(f"{self.text}, branch {branch + 1}" for branch in range(self.arity))

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, eq=False)
class Conditions(Sequence[Condition]):
    """Conditions as arrays, one row per split.

    `value` is the threshold, the category code, or the row of `extras` (category codes of an `In`, text
    and arity of a `Query`).
    """

    columns: tuple[Column, ...]
    kind: NDArray[np.uint8]
    column: NDArray[np.int32]
    value: NDArray[np.float64]
    missing: NDArray[np.int32]
    extras: tuple[Any, ...] = ()

    @classmethod
    def from_arrays(
        cls,
        columns: Sequence[Column],
        kind: ArrayLike,
        column: ArrayLike,
        value: ArrayLike,
        missing: ArrayLike,
        extras: Iterable[Any] = (),
    ) -> Conditions:
        """Conditions from what numpy makes arrays of, one entry per split."""
        return cls(
            tuple(columns),
            np.asarray(kind, np.uint8),
            np.asarray(column, np.int32),
            np.asarray(value, np.float64),
            np.asarray(missing, np.int32),
            tuple(extras),
        )

    @classmethod
    def queries(cls, texts_and_arities: Sequence[tuple[str, int]]) -> Conditions:
        """Conditions that are known by their texts alone."""
        n = len(texts_and_arities)
        return cls.from_arrays((), [QUERY] * n, [0] * n, np.arange(n), [UNSEEN] * n, texts_and_arities)

    def __len__(self) -> int:
        return len(self.kind)

    def take(self, rows: NDArray[np.intp]) -> Conditions:
        """The conditions of some splits, in the order asked for."""
        return Conditions(
            self.columns, self.kind[rows], self.column[rows], self.value[rows], self.missing[rows], self.extras
        )

    def __getitem__(self, row: Any) -> Any:
        kind = int(self.kind[row])
        missing = int(self.missing[row])
        value = float(self.value[row])
        if kind == QUERY:
            text, arity = self.extras[int(value)]
            return Query(text, arity, missing=missing)
        column = self.columns[int(self.column[row])]
        if kind == THRESHOLD:
            return Threshold(column, value, missing=missing)
        if kind == EQUALS:
            return Equals(column, int(value), missing=missing)
        if kind == IN:
            return In(column, tuple(self.extras[int(value)]), missing=missing)
        return (Multiway if kind == MULTIWAY else IsMissing)(column, missing=missing)
