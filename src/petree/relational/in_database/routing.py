"""Examples of tables that stay in their database to the leaves of a tree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from petree.relational.in_database.questions import behind, question_of
from petree.relational.in_database.server import Server
from petree.relational.in_database.source import fill
from petree.relational.in_database.values import ask
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Literal
from petree.relational.refinement.families import AT_LEAST, EXISTS, Family
from petree.relational.refinement.grouping import open_query
from petree.relational.refinement.tabulation import Layout
from petree.relational.routing import RelationalRouter


def leaves_in_database(router: RelationalRouter, server: Server, examples: NDArray[np.int32]) -> NDArray[np.int64]:
    """Leaf of each example: node by node the test is asked of those that have come there."""
    leaves = np.zeros(len(examples), np.int64)
    waiting: list[tuple[int, NDArray[np.intp]]] = [(0, np.arange(len(examples)))]
    while waiting:
        node, places = waiting.pop()
        if node not in router.literals:
            leaves[places] = node
            continue
        if len(places):
            holds = _holds(router, server, node, examples[places])
            yes, no = router.children_of(node)
            waiting += [(no, places[~holds]), (yes, places[holds])]
    return leaves


def _holds(router: RelationalRouter, server: Server, node: int, examples: NDArray[np.int32]) -> NDArray[np.bool_]:
    """For which examples that have come to a node its test holds."""
    scope = router.scope
    whole = behind(router.query(node), Family(router.literals[node], EXISTS, None, (), 0), scope)
    family = _family_of(scope, whole.literals)
    question = question_of(server, scope, family)
    found = ask(server, question)
    codes = Layout.of([family]).empty_codes(len(examples))
    fill(family, question, found, examples, codes)
    return codes[:, 0] > 0 if family.kind == AT_LEAST else codes[:, 0] == 0


def _family_of(scope: Scope, query: Sequence[Literal]) -> Family:
    """The family of a query with its own value alone, whose numbers other queries may share."""
    found = open_query(scope, tuple(query))
    if found is None:
        return Family(tuple(query), EXISTS, None, (), 0)
    family, value = found
    return family if family.kind == EXISTS else Family(family.literals, family.kind, family.slot, (value,), 0)
