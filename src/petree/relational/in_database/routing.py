"""Examples of tables that stay in their database to the leaves of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from petree.columns import Column
from petree.inputs import Table
from petree.relational.in_database.questions import Question, behind, question_of
from petree.relational.in_database.server import Server
from petree.relational.in_database.small import in_memory
from petree.relational.in_database.values import Found, ask_jointly, fill, joinable
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Literal, text_of
from petree.relational.refinement.families import AT_LEAST, EXISTS, Family
from petree.relational.refinement.grouping import open_query
from petree.relational.refinement.tabulation import Layout
from petree.relational.routing import RelationalRouter
from petree.threads import Threads

# The places of the examples that have come to each node.
Waiting = dict[int, NDArray[np.intp]]


def leaves_in_database(router: RelationalRouter, server: Server, examples: NDArray[np.int32]) -> NDArray[np.int64]:
    """Leaf of each example; the tests of one level of the tree are asked together."""
    near = in_memory(router.scope, router.asked_columns())
    if near is not None:
        table = Table((Column("row"),), (examples,), len(examples))
        return replace(router, scope=near).leaves(table, Threads(1))
    leaves = np.zeros(len(examples), np.int64)
    waiting: Waiting = {0: np.arange(len(examples))}
    while waiting:
        for node, places in waiting.items():
            leaves[places] = node
        inner = {node: places for node, places in waiting.items() if node in router.literals and len(places)}
        waiting = {}
        for holds, node in _answered(router, server, inner, examples):
            yes, no = router.children[node]
            waiting |= {yes: inner[node][holds], no: inner[node][~holds]}
    return leaves


def check_routing(router: RelationalRouter, server: Server, examples: NDArray[np.int32]) -> None:
    """Raise if the database sends the training examples to other nodes of their tree than it did while growing."""
    tree = router.tree
    sizes = np.bincount(leaves_in_database(router, server, examples), minlength=tree.n_nodes)
    for node in range(tree.n_nodes - 1, 0, -1):
        sizes[tree.parents[node]] += sizes[node]
    for node, (yes, _) in router.children.items():
        if sizes[yes] != tree.sizes[yes]:
            question = question_of(server, router.scope, _family(router, node))
            raise RuntimeError(
                f"The test of node {node} ({text_of(router.literals[node])}) held for {tree.sizes[yes]} examples while "
                f"the tree grew, and holds for {sizes[yes]} in the query {question.text()!r}. Either the tables have "
                "changed during the fit, or the database computes this query wrongly. Fit again with another version "
                "of the database, or read the tables into memory (without in_database)."
            )


def _answered(
    router: RelationalRouter, server: Server, inner: Waiting, examples: NDArray[np.int32]
) -> list[tuple[NDArray[np.bool_], int]]:
    """For which of the examples at some nodes the test of the node holds."""
    families = {node: _family(router, node) for node in inner}
    groups: dict[str, dict[int, Question]] = {}
    for node, family in families.items():
        question = question_of(server, router.scope, family)
        groups.setdefault(question.tables, {})[node] = question
    answered = []
    for questions in (some for group in groups.values() for some in joinable(group)):
        here = {node: examples[inner[node]] for node in questions}
        found = ask_jointly(server, questions, here)
        answered += [(_holds(families[node], questions[node], found, here[node]), node) for node in questions]
    return answered


def _holds(family: Family, question: Question, found: Found, examples: NDArray[np.int32]) -> NDArray[np.bool_]:
    codes = Layout.of([family]).empty_codes(len(examples))
    fill(family, question, found, examples, codes)
    return codes[:, 0] > 0 if family.kind == AT_LEAST else codes[:, 0] == 0


def _family(router: RelationalRouter, node: int) -> Family:
    """The test of a node behind the empty query, as a family of this one test."""
    test = Family(router.literals[node], EXISTS, None, (), 0)
    return _opened(router.scope, behind(router.query(node), test, router.scope).literals)


def _opened(scope: Scope, query: Sequence[Literal]) -> Family:
    """A query as a family with its own value alone, whose numbers other queries may share."""
    found = open_query(scope, tuple(query))
    if found is None:
        return Family(tuple(query), EXISTS, None, (), 0)
    family, value = found
    return family if family.kind == EXISTS else Family(family.literals, family.kind, family.slot, (value,), 0)
