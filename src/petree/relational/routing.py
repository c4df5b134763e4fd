"""Examples of a database to the leaves of a tree whose tests are queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from petree.caching import cached_property
from petree.inputs import Table
from petree.relational.links import TooManyRowsError
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import EXAMPLE, Scope, arguments_of
from petree.relational.queries.terms import Aggregation, Atom, Comparison, Constant, Literal, Variable, named_variables
from petree.threads import Threads
from petree.tree import Tree

# Examples that are sent down together, and the answers that they may have in all; with more, fewer go at a time.
EXAMPLES_AT_ONCE = 50_000
ANSWERS_AT_ONCE = 20_000_000
NO_LIMIT = 2**62

Number = TypeVar("Number", bound=np.generic)


def asked_in_pieces(
    ask: Callable[[NDArray[np.int32], int], NDArray[Number]], rows: NDArray[np.int32], threads: Threads
) -> list[NDArray[Number]]:
    """What is answered for all examples, some at a time; `ask` gets examples and the most answers they may have."""

    def answered(some: NDArray[np.int32]) -> NDArray[Number]:
        try:
            return ask(some, ANSWERS_AT_ONCE)
        except TooManyRowsError:
            if len(some) == 1:
                return ask(some, NO_LIMIT)
            half = len(some) // 2
            return np.concatenate((answered(some[:half]), answered(some[half:])))

    starts = range(0, len(rows), EXAMPLES_AT_ONCE)
    return threads.run(answered, [(rows[start : start + EXAMPLES_AT_ONCE],) for start in starts])


def asked_columns(scope: Scope, literals: Sequence[Literal]) -> dict[str, set[int]]:
    """The tables that literals behind the empty query ask about, and the places of the columns that matter to them.

    These are the example's own key, and wherever an atom has a constant or a variable that stands twice.
    """
    atoms = [atom for one in literals for atom in _atoms(one)]
    named = [variable for atom in atoms for _, variable in named_variables(atom.arguments)]
    times = Counter([*scope.variables, *named, *(variable for one in literals for variable in _compared(one))])
    target = scope.relation(0)
    found: dict[str, set[int]] = {target.name: set(target.keys[0])}
    for atom in atoms:
        terms = enumerate(arguments_of(scope.database.relation(atom.relation), atom))
        asked = {at for at, one in terms if isinstance(one, Constant) or one == EXAMPLE or times[one] > 1}
        found.setdefault(atom.relation, set()).update(asked)
    for place, variable in ((scope.place_of(one), one) for one in scope.variables):
        found[target.name] |= {place[1]} if times[variable] > 1 else set()
    return found


@dataclass(frozen=True, eq=False)
class RelationalRouter:
    """A tree, the scope of its empty query, and the literals of each of its inner nodes.

    It answers for a table of one column, which has the rows of the examples in the target table.
    """

    tree: Tree
    scope: Scope
    literals: dict[int, tuple[Literal, ...]]

    @classmethod
    def of(cls, tree: Tree, scope: Scope, asked: Mapping[str, tuple[Literal, ...]] | None = None) -> RelationalRouter:
        """The router of a tree; of some texts of its tests the literals may be known."""
        nodes = tree.split_nodes.tolist()
        texts = [str(condition) for condition in tree.conditions]
        known = asked or {}
        literals = (known.get(text) or parse_literals(text) for text in texts)
        return cls(tree, scope, dict(zip(nodes, literals, strict=True)))

    @cached_property
    def children(self) -> dict[int, tuple[int, int]]:
        """Where examples go from each inner node for which its test holds, and the others."""
        nodes = self.tree.split_nodes.astype(np.intp)
        pairs = self.tree.children_of(nodes).reshape(-1, 2).tolist()
        return {node: (yes, no) for node, (yes, no) in zip(nodes.tolist(), pairs, strict=True)}

    def asked_columns(self) -> dict[str, set[int]]:
        """The tables that the tree asks about, and the places of the columns on which its answers depend."""
        return asked_columns(self.scope, [one for node in self.literals.values() for one in node])

    def leaves(self, table: Table, threads: Threads) -> NDArray[np.int64]:
        """Leaf of each example."""
        rows = np.asarray(table.arrays[0]).astype(np.int32)
        server = self.scope.database.server
        if server is not None:
            from petree.relational.in_database.routing import leaves_in_database

            return leaves_in_database(self, server, rows)
        return np.concatenate([np.empty(0, np.int64), *asked_in_pieces(self._send, rows, threads)])

    def probabilities(
        self, table: Table, node_probabilities: NDArray[np.float64], threads: Threads
    ) -> NDArray[np.float64]:
        """Class probabilities of each example, from those of the nodes."""
        return node_probabilities[self.leaves(table, threads)]

    def _send(self, rows: NDArray[np.int32], most: int) -> NDArray[np.int64]:
        leaves = np.zeros(len(rows), np.int64)
        first = Answers.of_examples(self.scope, rows, most)
        waiting: list[tuple[int, NDArray[np.intp], Answers]] = [(0, np.arange(len(rows)), first)]
        while waiting:
            node, places, answers = waiting.pop()
            if node not in self.literals:
                leaves[places] = node
            elif len(places):
                waiting += self._branches(node, places, answers)
        return leaves

    def _branches(
        self, node: int, places: NDArray[np.intp], answers: Answers
    ) -> list[tuple[int, NDArray[np.intp], Answers]]:
        """The examples for which the test of a node holds, with what it has found, and the others.

        At a leaf nobody asks for answers, which are those from above there.
        """
        first = answers
        if node in self.closed or node in self.anew:
            first = Answers.of_examples(answers.scope.alone, answers.examples, answers.most)
        success = first.extend(self.literals[node])
        holds = success.covered
        kept = answers if node in self.closed else success
        yes, no = self.children[node]
        left = answers.of(~holds) if no in self.literals else answers
        found = kept.of(holds) if yes in self.literals else answers
        return [(no, places[~holds], left), (yes, places[holds], found)]

    @cached_property
    def closed(self) -> frozenset[int]:
        """The nodes whose test is about the example alone, and of whose rows no test below asks.

        What such a test has found need not be kept: kept with that of others it would be all their combinations.
        """
        alone = (node for node in self.literals if not self._named[node] & self._above[node])
        return frozenset(node for node in alone if not self._named[node] & self._below(node))

    @cached_property
    def anew(self) -> frozenset[int]:
        """The nodes whose test is about the example alone, where no test below asks of rows that were found above."""
        alone = (node for node in self.literals if not self._named[node] & self._above[node])
        return frozenset(node for node in alone if not self._above[node] & self._below(node)) - self.closed

    @cached_property
    def _above(self) -> list[frozenset[Variable]]:
        """For each node the variables of the tests that hold on the way to it."""
        above: list[frozenset[Variable]] = [frozenset()] * self.tree.n_nodes
        for node in self.literals:  # parents before children
            yes, no = self.children[node]
            above[no] = above[node]
            above[yes] = above[node] | self._named[node]
        return above

    def _below(self, node: int) -> frozenset[Variable]:
        """The variables of all tests below a node where its own holds."""
        return self._at_or_below[self.children[node][0]]

    @cached_property
    def _at_or_below(self) -> list[frozenset[Variable]]:
        """For each node the variables of its test and of all below it."""
        found: list[frozenset[Variable]] = [frozenset()] * self.tree.n_nodes
        for node in reversed(self.literals):
            yes, no = self.children[node]
            found[node] = found[yes] | found[no] | self._named[node]
        return found

    @cached_property
    def _named(self) -> dict[int, frozenset[Variable]]:
        """For each inner node the variables of its test that the empty query does not have."""
        known = self.scope.variables
        named = {
            node: (one for literal in literals for one in literal.named) for node, literals in self.literals.items()
        }
        return {node: frozenset(found).difference(known) for node, found in named.items()}

    def query(self, node: int) -> tuple[Literal, ...]:
        """The literals of all tests that hold on the way to a node."""
        return tuple(literal for above in self.held(node) for literal in self.literals[above])

    def held(self, node: int) -> list[int]:
        """The nodes on the way to a node whose test holds there, from the root on."""
        found = []
        while node > 0:
            parent = int(self.tree.parents[node])
            if self.children[parent][0] == node:
                found.append(parent)
            node = parent
        return found[::-1]


def _atoms(literal: Literal) -> list[Atom]:
    """The atoms of a literal."""
    if isinstance(literal, Aggregation):
        return literal.atoms
    return [literal] if isinstance(literal, Atom) else []


def _compared(literal: Literal) -> tuple[Variable, ...]:
    """The variables whose values a literal looks at, atoms aside."""
    if isinstance(literal, Aggregation):
        inside = tuple(variable for one in literal.conditions for variable in _compared(one))
        return inside if literal.variable is None else (literal.variable, *inside)
    return literal.variables if isinstance(literal, Comparison) else ()
