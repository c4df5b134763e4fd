"""Nodes of a tree over several tables, their tests in records, and what was not asked of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import FUNCTIONS, Literal
from petree.relational.refinement.bounds import is_beyond
from petree.relational.refinement.plans import Uses
from petree.sources.base import Nodes, Splits
from petree.sources.rows import Rows
from petree.words import visible


@dataclass(frozen=True, eq=False)
class State:
    """A node: its examples by their places in the training data, and its query, which begins in the first scope."""

    cases: NDArray[np.intp]
    first: Scope
    scope: Scope
    query: tuple[Literal, ...] = ()
    uses: Uses = ()

    def using(self, mode: int) -> Uses:
        """What a query has used that takes one more test of a mode."""
        uses = dict(self.uses)
        uses[mode] = uses.get(mode, 0) + 1
        return tuple(uses.items())

    def is_mixed(self, classes: NDArray[np.uint16]) -> bool:
        """Whether the examples differ in their classes: of others nobody asks for answers."""
        own = classes[self.cases]
        return bool((own != own[:1]).any())

    def succeeded(
        self, holds: NDArray[np.bool_], literals: tuple[Literal, ...], uses: Uses, max_links: int | None
    ) -> State:
        """The examples for which a test holds: their query goes on, or begins anew if it had too many rows."""
        scope = self.scope.extend(literals)
        if is_beyond(scope, max_links):
            return self.begun_anew(holds, literals, uses)
        return State(self.cases[holds], self.first, scope, (*self.query, *literals), uses)

    def begun_anew(self, holds: NDArray[np.bool_], literals: tuple[Literal, ...], uses: Uses) -> State:
        """The examples for which a test about the example alone holds; what was found before is forgotten."""
        first = self.scope.alone
        return State(self.cases[holds], first, first.extend(literals), literals, uses)


class Child(NamedTuple):
    """A node that was made by dividing another.

    It has the answers of its query if it may be divided, and if it may be asked the same as the one above: the handle
    of that one, and which of its examples are left.
    """

    state: State
    answers: Answers | None
    left: tuple[int, NDArray[np.bool_]] | None = None


# A test: the node it was made for, and which cut of which column of that node's table of tests it is.
TEST = np.dtype([("handle", np.int64), ("column", np.int64), ("cut", np.int64)])


def whole(rows: Rows, nodes: Nodes, node: int) -> Nodes:
    """A node as that of all rows, its own."""
    return replace(nodes.take(np.array([node])), handles=np.array([[0, len(rows)]]))


def slices_of(sizes: Sequence[int]) -> NDArray[np.int64]:
    """The first row of each of some nodes that stand one after the other, and the one behind its last."""
    bounds = np.cumsum([0, *sizes])
    return np.column_stack((bounds[:-1], bounds[1:]))


def counted(rows: Rows, states: Sequence[State]) -> Nodes:
    """Nodes by the classes of their examples, as slices of these."""
    own = rows.take(np.concatenate([np.empty(0, np.intp), *(state.cases for state in states)]))
    slices = slices_of([len(state.cases) for state in states])
    return Nodes(slices, own.counts_of(slices), own.sizes_of(slices))


def tests_of(handle: int | NDArray[np.int64], splits: Splits) -> NDArray[Any]:
    """The tests of a node's own table as tests of the source."""
    tests = np.empty(len(splits), TEST)
    tests["handle"] = handle
    tests["column"] = splits.tests["column"]
    tests["cut"] = splits.tests["cut"]
    return tests


# What a text of something left out says of its table: its rows are behind others, or its name stands before a bracket.
BEHIND = re.compile(r"values of (.+) behind .+", re.DOTALL)
NAME = re.compile(r"('(?:[^'\\]|\\.)*'|\w+)(\(?)")
ESCAPES = {"n": "\n"}
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
NO_TABLES = ("aggregate", *FUNCTIONS)
MOST_NAMED = 3


def remarks_on(left_out: Collection[str]) -> list[str]:
    """Says which rows some tests were not asked about because there were too many answers."""
    if not left_out:
        return []
    tables = sorted({table for text in left_out if (table := _table_of(text)) is not None})
    named = ", ".join(map(visible, tables[:MOST_NAMED])) + (" and others" if len(tables) > MOST_NAMED else "")
    remark = (
        f"Some tests about other rows{f' of {named}' if named else ''} were left out, since these were too many to "
        "look at (more than max_answers); no other test is affected. To have them too, raise max_answers, which "
        "takes more time and memory."
    )
    return [remark]


def _table_of(text: str) -> str | None:
    """The table whose rows something that is left out asks for."""
    if behind := BEHIND.fullmatch(text):
        return behind[1]
    names = (found[1] for found in NAME.finditer(text) if found[2] and found[1] not in NO_TABLES)
    name = next(names, None)
    if name is None or name[0] != "'":
        return name
    return ESCAPED.sub(lambda found: ESCAPES.get(found[1], found[1]), name[1:-1])
