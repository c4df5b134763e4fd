"""Functions with one condition more than those that a query has: they are refined as queries are."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock

from petree.relational.bias.conditions import grouped, may_follow
from petree.relational.bias.modes import INPUT, NAMED, AggregateMode, Bias, Mode
from petree.relational.queries.terms import Predicate

# A function gets one condition more if the rows of its table, times `FACTOR` for each condition that it has, are at
# most so many: every condition multiplies the functions, and each of these looks at all rows.
FACTOR = 10
MOST_ROWS = 500_000


@dataclass(frozen=True, eq=False)
class FurtherConditions:
    """Adds conditions to functions, whose thresholds are chosen when they are first needed.

    Parameters
    ----------
    bias : Bias
        With all constants and thresholds listed.
    with_thresholds : function
        Gives a function of other conditions the thresholds that it has over the training examples.
    n_rows : mapping of str to int
        Number of rows of each table.
    """

    bias: Bias
    with_thresholds: Callable[[AggregateMode], AggregateMode]
    n_rows: Mapping[str, int] = field(default_factory=dict)
    _numbers: dict[Hashable, int] = field(default_factory=dict, repr=False)
    _found: dict[int, AggregateMode] = field(default_factory=dict, repr=False)
    _known: dict[int, list[tuple[int, AggregateMode]]] = field(default_factory=dict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def behind(self, uses: Iterable[int]) -> Iterator[tuple[int, AggregateMode]]:
        """Numbers and functions that refine those among the numbers of modes that a query has used."""
        seen: set[int] = set()
        for number in uses:
            for further, aggregate in self._behind(number):
                if further not in seen:
                    seen.add(further)
                    yield further, aggregate

    def refined_by(self, uses: Iterable[int]) -> tuple[int, ...]:
        """Those among the numbers of modes that stand for functions which may have more conditions."""
        return tuple(number for number in uses if self._at(number) is not None)

    def _behind(self, number: int) -> list[tuple[int, AggregateMode]]:
        with self._lock:  # several nodes may ask at the same time, and a number stands for one function
            if number not in self._known:
                aggregate = self._at(number)
                self._known[number] = [] if aggregate is None else list(self._refined(aggregate))
            return self._known[number]

    def _at(self, number: int) -> AggregateMode | None:
        """The function of a number; None where a mode has it, or one without conditions."""
        place = number - len(self.bias.modes)
        listed = self.bias.aggregates
        aggregate = listed[place] if 0 <= place < len(listed) else self._found.get(number)
        return aggregate if aggregate is not None and aggregate.conditions else None

    def _refined(self, aggregate: AggregateMode) -> Iterator[tuple[int, AggregateMode]]:
        if self.n_rows.get(aggregate.mode.relation, 0) * FACTOR ** len(grouped(aggregate.conditions)) > MOST_ROWS:
            return
        for other in self.bias.aggregates:
            is_alike = _whose(other) == _whose(aggregate)
            if other.conditions and is_alike and may_follow(aggregate.conditions, other.conditions):
                yield from self._numbered(aggregate, other)

    def _numbered(self, aggregate: AggregateMode, other: AggregateMode) -> Iterator[tuple[int, AggregateMode]]:
        """Both together under one number, in whichever order they came."""
        conditions = (*aggregate.conditions, *other.conditions)
        unordered = (replace(aggregate, conditions=(), thresholds=(), where=None), frozenset(grouped(conditions)))
        if unordered not in self._numbers:
            number = len(self.bias.modes) + len(self.bias.aggregates) + len(self._found)
            self._numbers[unordered] = number
            self._found[number] = self.with_thresholds(replace(aggregate, conditions=conditions))
        number = self._numbers[unordered]
        if self._found[number].thresholds:
            yield number, self._found[number]


def _whose(aggregate: AggregateMode) -> tuple[str, int | None, Predicate, list[int], Mode | None]:
    """The function, of what, and of which rows but for the conditions."""
    inputs = [place for place, argument in enumerate(aggregate.mode.arguments) if argument.kind in (INPUT, NAMED)]
    return aggregate.function, aggregate.place, aggregate.mode.predicate, inputs, aggregate.through
