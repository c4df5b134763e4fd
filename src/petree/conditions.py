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
from petree.columns.moments import quantity_text
from petree.words import named, valued

UNSEEN = -1
# A set of more categories than the first number is shown by so many of them as the second says.
LONG_SET = 6
SHOWN_OF_LONG_SET = 3

# Codes of the kinds.
THRESHOLD, EQUALS, IN, MULTIWAY, IS_MISSING, QUERY = range(6)


def number_text(column: Column, value: float) -> str:
    """A number of a column as people write it: a moment, or the shortest text that reads back as this number."""
    if column.quantity:
        return quantity_text(column.quantity, value)
    return repr(float(value)).removesuffix(".0")


def _is_one(column: Column, code: int) -> str:
    """Such as ``colour = red``; of a column of truths ``active`` or ``not active``."""
    category = column.categories[code]
    if isinstance(category, bool):
        return named(column.name) if category else f"not {named(column.name)}"
    return f"{named(column.name)} = {valued(category)}"


def _is_among(column: Column, codes: Sequence[int], n_more: int = 0) -> str:
    """Such as ``colour in {red, blue}``, with how many more there are."""
    if len(codes) == 1 and not n_more:
        return _is_one(column, codes[0])
    shown = [valued(column.categories[code]) for code in codes] + [f"and {n_more} more"] * (n_more > 0)
    return f"{named(column.name)} in {{{', '.join(shown)}}}"


def _is_left(column: Column, codes: Sequence[int]) -> bool:
    """Whether a single category is not among these."""
    return len(column.categories) == len(codes) + 1


def _is_another(column: Column, codes: Sequence[int]) -> str:
    """Such as ``colour != red``, or ``home = rent`` where that is the only other one."""
    if _is_left(column, codes):
        return _is_one(column, next(code for code in range(len(column.categories)) if code not in codes))
    if len(codes) == 1:
        return f"{named(column.name)} != {valued(column.categories[codes[0]])}"
    return _negated(column, _is_among(column, codes))


def _negated(column: Column, among: str) -> str:
    """A set that a value is not in."""
    name = named(column.name)
    return f"{name} not{among.removeprefix(name)}"


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

    def codes_of(self, branch: int) -> list[int]:
        """The categories that take a branch, ascending, where the test is about categories."""
        raise NotImplementedError

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
        """The threshold as text: a number, a moment, or the category itself."""
        if self.column.kind == ORDERED:
            return valued(self.column.categories[int(np.ceil(self.threshold))])
        return number_text(self.column, self.threshold)

    def _texts(self) -> tuple[str, ...]:
        name = named(self.column.name)
        return f"{name} < {self.bound}", f"{name} >= {self.bound}"

    def codes_of(self, branch: int) -> list[int]:
        codes = range(len(self.column.categories))
        return [code for code in codes if (code < self.threshold) == (branch == 0)]


@dataclass(frozen=True)
class Equals(Condition):
    """``x = category``."""

    kind: ClassVar[int] = EQUALS
    column: Column
    code: int

    def _texts(self) -> tuple[str, ...]:
        return _is_one(self.column, self.code), _is_another(self.column, (self.code,))

    def codes_of(self, branch: int) -> list[int]:
        return In(self.column, (self.code,)).codes_of(branch)


@dataclass(frozen=True)
class In(Condition):
    """``x in {categories}``."""

    kind: ClassVar[int] = IN
    column: Column
    codes: tuple[int, ...]

    def _texts(self) -> tuple[str, ...]:
        return _is_among(self.column, self.codes), _is_another(self.column, self.codes)

    def codes_of(self, branch: int) -> list[int]:
        inside = set(self.codes)
        return sorted(inside if branch == 0 else set(range(len(self.column.categories))) - inside)

    @property
    def short_branches(self) -> tuple[str, ...]:
        if len(self.codes) <= LONG_SET:
            return self.branches
        inside = _is_among(self.column, self.codes[:SHOWN_OF_LONG_SET], len(self.codes) - SHOWN_OF_LONG_SET)
        outside = self._texts()[1] if _is_left(self.column, self.codes) else _negated(self.column, inside)
        return self._with_missing((inside, outside))


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
        texts = [_is_one(self.column, code) for code in range(len(self.column.categories))]
        if self.missing != UNSEEN:
            texts.append(f"{named(self.column.name)} is missing")
        return tuple(texts)

    def codes_of(self, branch: int) -> list[int]:
        return [branch] if branch < len(self.column.categories) else []

    def __str__(self) -> str:
        return f"{named(self.column.name)} = ?"


@dataclass(frozen=True)
class IsMissing(Condition):
    """``x is missing``."""

    kind: ClassVar[int] = IS_MISSING
    column: Column

    @property
    def branches(self) -> tuple[str, ...]:
        name = named(self.column.name)
        return f"{name} is missing", f"{name} is not missing"


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
