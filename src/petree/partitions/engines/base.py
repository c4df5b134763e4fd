"""What an engine does: a task for every part of a data set, and one result of all.

A task is a pure function of a part and of what it carries, small and picklable; it may be done twice, anywhere, in any
order. Nothing that an engine, or a process of it, keeps matters to the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar, Generic, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from petree.core import NO_STOP
from petree.partitions.kept import KeptNodes
from petree.partitions.partition import Partition, PartitionReader
from petree.progress import Advance, ignore

Result = TypeVar("Result")
Awaited = TypeVar("Awaited", covariant=True)
# What those who watch are told of every task.
COUNTING = "counting"


class PartitionError(RuntimeError):
    """A part of a data set could not be read or counted; the sentence names it."""


@dataclass(frozen=True)
class Part:
    """One part: where it is read from, its place among all, and the number of its first row, counted through them.

    It may be `n_rows` of the rows that are read there, from the one at `start` on.
    """

    reader: PartitionReader
    number: int
    first_row: int
    start: int
    n_rows: int

    def read(self) -> Partition:
        """The rows."""
        rows = self.reader.read()
        return rows if self.n_rows == len(rows) else rows.between(self.start, self.start + self.n_rows)


@dataclass(frozen=True, eq=False)
class Working:
    """What a task has where it is done: the flag that says to give up, and what earlier tasks left there.

    `kept` is there to save time; a task must do without it as well. `advance` is called for every part that is done.
    """

    stop: NDArray[np.uint8] = field(default_factory=lambda: NO_STOP)
    kept: KeptNodes | None = None
    advance: Advance = ignore


class Task(Protocol[Result]):
    """What is to be done with each part, and how two results become one: in any order, and without changing them.

    `is_joined_here` where results are no smaller when they are joined, so that they are best brought here as they are.
    """

    is_joined_here: ClassVar[bool]

    def __call__(self, part: Part, working: Working) -> Result:
        """The result of one part."""

    def join(self, one: Result, other: Result) -> Result:
        """That of both, parts of the first before those of the other."""


class Begun(Protocol[Awaited]):
    """Work on all parts that has begun, or begins when its result is asked for."""

    def result(self) -> Awaited:
        """Wait for the result; after an error or an interrupt nobody begins another task of it."""

    def give_up(self) -> None:
        """Let nobody begin another task of it, and nobody keep results: they are not asked for any more."""


@dataclass(frozen=True)
class Later(Generic[Awaited]):
    """Work that begins when its result is asked for, since results would take memory in this process."""

    reduce: Callable[[], Awaited]

    def result(self) -> Awaited:
        return self.reduce()

    def give_up(self) -> None:
        """Nothing has begun."""


@runtime_checkable
class Engine(Protocol):
    """Who does tasks.

    `n_here` is how many are done in this process at a time, `n_results` how many results may be in it.
    """

    n_here: int
    n_results: int

    def reduce(self, task: Task[Result], parts: Sequence[Part]) -> Result:
        """The result of all parts, at least one."""

    def start(self, task: Task[Result], parts: Sequence[Part]) -> Begun[Result]:
        """The same for later; workers that have memory of their own begin at once."""


def parts_of(readers: Sequence[PartitionReader], most_rows: int | None = None) -> list[Part]:
    """Parts with their first rows, of no more rows than this; no rows are no part, as long as others have any."""
    parts: list[Part] = []
    first_row = 0
    for reader in readers:
        step = most_rows or max(reader.n_rows, 1)
        for start in range(0, reader.n_rows, step):
            n_rows = min(step, reader.n_rows - start)
            parts.append(Part(reader, len(parts), first_row + start, start, n_rows))
        first_row += reader.n_rows
    return parts or [Part(readers[0], 0, 0, 0, 0)]


def work_off(task: Task[Result], parts: Sequence[Part], working: Working) -> Result:
    """The result of some parts, one after the other."""
    result = attempt(task, parts[0], working)
    for part in parts[1:]:
        result = task.join(result, attempt(task, part, working))
    return result


def attempt(task: Task[Result], part: Part, working: Working) -> Result:
    """The result of one part, or an error that names it."""
    try:
        result = task(part, working)
    except PartitionError:
        raise
    except Exception as error:
        raise PartitionError(f"{part.reader.name}: {type(error).__name__}: {error}") from error
    working.advance(1)
    return result


def in_pairs(results: Sequence[Any], join: Callable[[Any, Any], Any]) -> Any:
    """One result of many: neighbours are joined, then these pairs, and so on."""
    while len(results) > 1:
        pairs = [join(*results[first : first + 2]) for first in range(0, len(results) - 1, 2)]
        results = [*pairs, *results[2 * len(pairs) :]]
    return results[0]


def in_runs(parts: Sequence[Part], n_runs: int) -> list[Sequence[Part]]:
    """So many runs of neighbouring parts, or fewer, with about equal numbers of rows."""
    n_rows = np.cumsum([part.n_rows for part in parts])
    ends = np.searchsorted(n_rows, n_rows[-1] * np.arange(1, n_runs) / n_runs) + 1
    bounds = [0, *sorted(set(np.minimum(ends, len(parts)).tolist()) - {0, len(parts)}), len(parts)]
    return [parts[start:stop] for start, stop in pairwise(bounds)]
