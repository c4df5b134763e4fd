"""Functions over the rows of the last so many days: a condition that compares a row's time with that of the example."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from petree.relational.bias.modes import AggregateMode, Condition
from petree.relational.database import Database
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import ANONYMOUS, Atom, Comparison, Constant, Variable
from petree.relational.reading.timed import own_atom


def check_windows(windows: object, database: Database, target: str) -> None:
    """Raise for windows that are none, or that nothing can be seen through."""
    if isinstance(windows, str) or not isinstance(windows, Sequence):
        raise TypeError(f"windows must be a sequence of numbers such as [30, 90]. Got {windows!r} instead.")
    for window in windows:
        if isinstance(window, bool) or not isinstance(window, (int, float)) or not 0 < window < float("inf"):
            raise ValueError(f"A window is a number above 0, of days where times are dates. Got {window!r} instead.")
    if not windows:
        return
    if database.relation(target).time is None:
        raise ValueError(f"Windows end at the time of an example, but {target!r} has none; name its column in time=.")
    if all(one.time is None for name, one in database.relations.items() if name != target):
        raise ValueError("Windows need rows that have a time, but no table beside that of the examples has one.")


def with_windows(
    aggregates: Sequence[AggregateMode], windows: Sequence[float], database: Database
) -> Iterator[AggregateMode]:
    """Functions of rows that have a time, over each of the windows."""
    for aggregate in aggregates:
        if database.relation(aggregate.mode.relation).time is not None:
            yield from (replace(aggregate, window=window) for window in windows)


def seen_through(
    window: float, scope: Scope, atom: Atom, inside: Condition, fresh: Iterator[Variable]
) -> tuple[Atom, Condition]:
    """The atom of a function over a window, its time named, and the conditions with that of the window behind them."""
    relation = scope.database.relation(atom.relation)
    if relation.time is None or scope.relation(0).time is None:
        raise ValueError(
            f"A window needs the times of {relation.name!r} and of {scope.relations[0]!r}; name their columns in time=."
        )
    since = atom.arguments[relation.time]
    until = next(fresh)
    own = own_atom(scope, until)
    if isinstance(since, Constant):  # until < since + window, the other way round
        return atom, (*inside, own, Comparison(until, "<", Constant(float(since.value) + window)))
    if since == ANONYMOUS:
        since = next(fresh)
        atom = atom.with_argument(relation.time, since)
    return atom, (*inside, own, Comparison(since, ">", until, window))
