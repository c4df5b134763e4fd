"""A tree as a ProbLog program: annotated disjunctions, one a leaf, whose bodies exclude each other.

ProbLog knows no cuts, so that a rule says itself which tests fail on its way. Each test is a predicate of its own, with
all that holds on the way to it, since what it asks may be about rows that were found there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.relational.queries.terms import Aggregation, Atom, Term, Variable, quoted
from petree.relational.reading.rules import example_atom, key_variables, leaves_of, remarks, rule_body
from petree.relational.routing import RelationalRouter


def tree_problog(router: RelationalRouter, classes: Sequence[Any], probabilities: NDArray[np.float64]) -> str:
    """The tests of the tree as predicates, then a rule a leaf: ``0.75::class(A, yes); 0.25::class(A, no) :- ...``."""
    _refuse_functions(router)
    lines = list(remarks(router))
    prefix = _free_name("test_", router)
    example = example_atom(router.scope)
    key = key_variables(router.scope)
    for node, literals in router.literals.items():
        body = rule_body(router.scope, (*router.query(node), *literals))
        lines.append(f"{_predicate(f'{prefix}{node}', key)} :- {', '.join(map(str, body))}.")
    for leaf in leaves_of(router):
        tests = [str(one) for one in (example,) if one is not None]
        tests += _way(router, leaf, {node: _predicate(f"{prefix}{node}", key) for node in router.literals})
        shares = zip(classes, probabilities[leaf].tolist(), strict=True)
        heads = [f"{share!r}::{Atom('class', (*key, Variable(quoted(name))))}" for name, share in shares if share > 0]
        lines.append(f"{'; '.join(heads)}{' :- ' if tests else ''}{', '.join(tests)}.")
    return "\n".join(lines)


def _predicate(name: str, key: Sequence[Term]) -> str:
    return str(Atom(name, tuple(key)))


def _way(router: RelationalRouter, leaf: int, names: dict[int, str]) -> list[str]:
    """Which tests hold on the way to a leaf, and which fail."""
    found: list[str] = []
    node = leaf
    while node > 0:
        parent = int(router.tree.parents[node])
        holds = int(router.tree.children_of(np.array([parent]))[0]) == node
        found.insert(0, names[parent] if holds else f"\\+ {names[parent]}")
        node = parent
    return found


def _refuse_functions(router: RelationalRouter) -> None:
    for literals in router.literals.values():
        for one in literals:
            if isinstance(one, Aggregation):
                raise ValueError(
                    f"ProbLog has no functions over rows such as {one}; fit with aggregates=() to get such a program."
                )


def _free_name(name: str, router: RelationalRouter) -> str:
    """A beginning of names that no table has."""
    while any(table.startswith(name) for table in router.scope.database.relations):
        name += "_"
    return name
