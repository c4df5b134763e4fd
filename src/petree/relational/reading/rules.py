"""A tree as ordered Prolog rules: the first whose body holds has the class (Blockeel and De Raedt 1998)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.relational.queries.terms import Atom, Variable, quoted
from petree.relational.reading.timed import with_times
from petree.relational.relations import ROW
from petree.relational.routing import RelationalRouter


def tree_rules(
    router: RelationalRouter, classes: Sequence[Any], probabilities: NDArray[np.float64], predicted: Sequence[Any]
) -> str:
    """One rule a leaf, with its counts and probabilities in a comment.

    The leaves below a test that holds come before those where it fails, and each rule ends in a cut, so that no rule
    has to repeat what failed above it.
    """
    lines = list(_remarks(router))
    for leaf in _leaves(router):
        body = [*map(str, with_times(router.scope, router.query(leaf))), "!"]
        counts = ", ".join(
            f"{quoted(name)} {count:g}" for name, count in zip(classes, router.tree.counts[leaf].tolist(), strict=True)
        )
        shares = ", ".join(
            f"P({quoted(name)})={share:.4g}" for name, share in zip(classes, probabilities[leaf].tolist(), strict=True)
        )
        lines += [f"% {counts}; {shares}", f"{_head(router, predicted[leaf])} :- {', '.join(body)}."]
    return "\n".join(lines)


def _leaves(router: RelationalRouter) -> Iterator[int]:
    """All leaves, those where a test holds before those where it fails."""
    waiting = [0]
    while waiting:
        node = waiting.pop()
        if node in router.literals:
            waiting += router.tree.children_of(np.array([node])).tolist()[::-1]
        else:
            yield node


def _head(router: RelationalRouter, name: Any) -> str:
    """``class(Key, name)``; of examples that are models, ``class(name)``."""
    scope = router.scope
    key = [(0, column) for column in scope.relation(0).keys[0]]
    variables = [one for place in key for one in scope.variables if place in scope.places[one]]
    return str(Atom("class", (*variables, Variable(quoted(name)))))


def _remarks(router: RelationalRouter) -> Iterator[str]:
    """What a reader must know of the relations in the rules."""
    for name in sorted(router.asked_columns()):
        if router.scope.database.relation(name).columns[-1].name == ROW:
            yield f"% The last argument of {quoted(name)} numbers its rows."
        for column in router.scope.database.relation(name).columns:
            if column.domain.is_ordered:
                order = " < ".join(map(quoted, column.domain.values))
                yield f"% Values of {quoted(column.name)} in {quoted(name)} compare as {order}."
