"""The rows that make a query hold, one example after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.relational.in_database import refuse
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.reading.phrases import label
from petree.relational.relations import ROW, Relation
from petree.relational.routing import NO_LIMIT, RelationalRouter


def witnesses(router: RelationalRouter, node: int, examples: NDArray[Any]) -> list[dict[str, Any]]:
    """For each example at a node its key and the rows of the first answer of the node's query."""
    refuse(router.scope.database, "Showing the rows behind an answer")
    answers = Answers.of_examples(router.scope, examples.astype(np.int32), NO_LIMIT)
    for above in router.held(node):
        if above in router.anew:
            answers = _first_of_each(answers)
        answers = answers.extend(router.literals[above])
        if above in router.closed:
            answers = _first_of_each(answers)
    _, first = np.unique(answers.owners, return_index=True)
    scope = answers.scope
    found = []
    for one in first.tolist():
        places = [int(rows[one]) for rows in answers.rows]
        names = enumerate(row_names(scope))
        rows = {name: row_values(scope.relation(place), places[place]) for place, name in names}
        key = [column.value(places[0]) for column in scope.relation(0).key_columns]
        found.append({"key": key[0] if len(key) == 1 else tuple(key), "rows": rows})
    return found


def _first_of_each(answers: Answers) -> Answers:
    """The first answer of each example."""
    return answers.take(np.diff(answers.owners, prepend=-1) > 0)


def row_names(scope: Scope) -> list[str]:
    """What the rows of a query are called: by their relation and, behind the example's own, their key's variable."""
    others = (f"{scope.relation(row).called}{label(scope, row) or f' {row}'}" for row in range(1, len(scope.relations)))
    return [scope.relations[0], *others]


def row_values(relation: Relation, row: int) -> dict[str, Any]:
    """A row by the names of its columns; what is missing is None."""
    return {column.name: column.value(row) for column in relation.columns if column.name != ROW}
