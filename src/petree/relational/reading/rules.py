"""A tree as ordered Prolog rules: the first whose body holds has the class (Blockeel and De Raedt 1998)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import ANONYMOUS, Atom, Comparison, Literal, Term, Variable, quoted
from petree.relational.reading.sentences import asks_for_value
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
    lines = list(remarks(router))
    for leaf in leaves_of(router):
        body = [*map(str, rule_body(router.scope, router.query(leaf))), "!"]
        counts = ", ".join(
            f"{quoted(name)} {count:g}" for name, count in zip(classes, router.tree.counts[leaf].tolist(), strict=True)
        )
        shares = ", ".join(
            f"P({quoted(name)})={share:.4g}" for name, share in zip(classes, probabilities[leaf].tolist(), strict=True)
        )
        lines += [f"% {counts}; {shares}", f"{_head(router, predicted[leaf])} :- {', '.join(body)}."]
    return "\n".join(lines)


def rule_body(scope: Scope, literals: Sequence[Literal]) -> list[Literal]:
    """A query from the example on, as a rule has to say it: with times, and with what the example points to."""
    written = with_times(scope, literals)
    known = key_variables(scope)
    used = {one for literal in written for one in literal.variables}
    pointers = [one for one in scope.variables if one in used and one not in known]
    own = example_atom(scope, pointers) if pointers else None
    return written if own is None else [own, *written]


def example_atom(scope: Scope, named: Sequence[Variable] = ()) -> Atom | None:
    """The atom of the example, with its key and some more of its variables; None where examples are models."""
    target = scope.relation(0)
    terms: list[Term] = [ANONYMOUS] * len(target.columns)
    for variable in scope.variables:
        column = scope.places[variable][0][1]
        if column in target.keys[0] or variable in named:
            terms[column] = variable
    return None if all(one == ANONYMOUS for one in terms) else Atom(target.name, tuple(terms))


def leaves_of(router: RelationalRouter) -> Iterator[int]:
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
    return str(Atom("class", (*key_variables(router.scope), Variable(quoted(name)))))


def key_variables(scope: Scope) -> list[Variable]:
    """The variables of the example's key; none where examples are models."""
    key = [(0, column) for column in scope.relation(0).keys[0]]
    return [one for place in key for one in scope.variables if place in scope.places[one]]


def remarks(router: RelationalRouter) -> Iterator[str]:
    """What a reader must know of the relations and the tests in the rules."""
    literals = (one for test in router.literals.values() for one in test if isinstance(one, Comparison))
    if any(map(asks_for_value, literals)):
        yield "% A variable compared with itself, as in B = B, asks for a value; Prolog proves it of missing ones, too."
    for name in sorted(router.asked_columns()):
        if router.scope.database.relation(name).columns[-1].name == ROW:
            yield f"% The last argument of {quoted(name)} numbers its rows."
        if (both := router.scope.database.relation(name).both_ways) is not None:
            table, one, other = map(quoted, both)
            yield f"% {quoted(name)} has each row of {table} twice, once with {one} and {other} changed about."
        for column in router.scope.database.relation(name).columns:
            if column.domain.is_ordered:
                order = " < ".join(map(quoted, column.domain.values))
                yield f"% Values of {quoted(column.name)} in {quoted(name)} compare as {order}."
