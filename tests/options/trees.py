"""Option trees from their definition: grown one way after the other without sharing anything, and all trees in them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from tests.bayes.oracles import own_answer
from tests.options.qualities import FittingContext, Option, Rows, log_sum
from tests.oracles.growing import Candidate
from tests.oracles.prediction import UNKNOWN, Cell

from petree.conditions import EQUALS, IS_MISSING, MULTIWAY, THRESHOLD, UNSEEN


@dataclass(frozen=True)
class Node:
    """Rows at a level, with all their options and what is below each of them."""

    world: FittingContext
    rows: Rows
    level: int
    options: tuple[tuple[Option, tuple[Node, ...]], ...]

    @property
    def leaf(self) -> float:
        return self.world.leaf(self.rows, self.level)

    @property
    def weight(self) -> float:
        return sum(self.world.counts(self.rows))

    @property
    def own(self) -> list[float]:
        root = self.world.counts(self.world.all_rows)
        return own_answer(self.world.prior, self.world.counts(self.rows), root, self.level).tolist()

    def through(self, option: Option, children: tuple[Node, ...]) -> float:
        """Logarithm of the sum over all trees that begin with an option."""
        node = self.world.node(option.test.column) + option.penalty
        return node + sum(child.total for child in children)

    @property
    def total(self) -> float:
        """ln SP: the sum over all trees below the node."""
        return log_sum([self.leaf, *(self.through(*option) for option in self.options)])

    def answer(self, row: list[Cell]) -> list[float]:
        """The mean of what all trees answer to a row."""
        total, own = self.total, self.own
        answer = [math.exp(self.leaf - total) * p for p in own]
        for option, children in self.options:
            share = math.exp(self.through(option, children) - total)
            for child, part in ways(option.test, children, row):
                answer = [
                    sum_so_far + share * part * p for sum_so_far, p in zip(answer, child.answer(row), strict=True)
                ]
        return answer

    def nodes(self) -> Iterator[Node]:
        yield self
        for _, children in self.options:
            for child in children:
                yield from child.nodes()


def grow(world: FittingContext, rows: Rows | None = None, level: int = 0) -> Node:
    rows = world.all_rows if rows is None else rows
    options = tuple(
        (option, tuple(grow(world, branch, level + 1) for branch in option.branches))
        for option in world.chosen(rows, level)
    )
    return Node(world, rows, level, options)


def branch_of(test: Candidate, row: list[Cell]) -> int | None:
    """The branch that a row takes, or None where nobody can know."""
    cell = row[test.column]
    if test.kind == IS_MISSING:
        return 0 if cell is None else 1
    if cell is None:
        return None if test.missing == UNSEEN else test.missing
    if cell == UNKNOWN:
        return None
    if test.kind == MULTIWAY:
        return int(cell)
    holds = float(cell) < test.value if test.kind == THRESHOLD else float(cell) == test.value
    assert test.kind in (THRESHOLD, EQUALS)
    return 0 if holds else 1


def ways(test: Candidate, children: tuple[Node, ...], row: list[Cell]) -> list[tuple[Node, float]]:
    """Where a row goes: to one child, or where nobody can know to all of them by their training weight."""
    branch = branch_of(test, row)
    if branch is not None:
        return [(children[branch], 1.0)]
    total = sum(child.weight for child in children)
    return [(child, child.weight / total) for child in children]


# -- all trees, one by one ----------------------------------------------------------------------------------------

# A tree: its root, the option that it has there or None for a leaf, and the trees below.
Single = tuple[Node, Option | None, tuple[Any, ...]]


def contained(node: Node) -> list[Single]:
    """Every ordinary tree that an option tree contains."""
    found: list[Single] = [(node, None, ())]
    for option, children in node.options:
        found += [(node, option, below) for below in product(*(contained(child) for child in children))]
    return found


def posterior(tree: Single) -> float:
    """Logarithm of the posterior probability of a tree, up to a constant."""
    node, option, below = tree
    if option is None:
        return node.leaf
    return node.world.node(option.test.column) + option.penalty + sum(posterior(one) for one in below)


def n_leaves(tree: Single) -> int:
    return sum(n_leaves(one) for one in tree[2]) if tree[2] else 1


def leaf_weights(tree: Single, row: list[Cell], share: float = 1.0) -> Iterator[tuple[Node, float]]:
    """The leaves of one tree that answer for a row, and how much each of them says."""
    node, option, below = tree
    if option is None:
        yield node, share
        return
    roots = tuple(one[0] for one in below)
    for child, part in ways(option.test, roots, row):
        yield from leaf_weights(below[[one is child for one in roots].index(True)], row, share * part)


def mixture(root: Node, row: list[Cell]) -> list[tuple[float, Node]]:
    """All leaves of all trees that answer for a row, by the posterior probability of their trees."""
    trees = contained(root)
    total = log_sum([posterior(one) for one in trees])
    return [(math.exp(posterior(one) - total) * part, leaf) for one in trees for leaf, part in leaf_weights(one, row)]


def mean_answer(root: Node, row: list[Cell]) -> list[float]:
    """What all trees answer on average, each asked by itself."""
    answer = [0.0] * len(root.own)
    for weight, leaf in mixture(root, row):
        answer = [sum_so_far + weight * p for sum_so_far, p in zip(answer, leaf.own, strict=True)]
    return answer
