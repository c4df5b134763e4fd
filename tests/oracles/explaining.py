"""What explanations must say of one row, from the definitions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests.oracles.prediction import Cell, branch_at, branch_of, ways_to_leaves

Numbers = NDArray[np.float64]
Coalition = frozenset[int]


class Answering:
    """A tree, with options or without, what its nodes say, and which share stays at a node or goes by a split."""

    def __init__(self, tree: Any, says: Numbers, stay: Any = None, go: Any = None) -> None:
        self.tree, self.says = tree, says
        self.stay = tree.is_leaf.astype(float) if stay is None else stay
        self.go = np.ones(len(tree.conditions)) if go is None else go

    def answer(self, row: list[Cell], known: Coalition, node: int = 0) -> Numbers:
        """The answer to a row of which some columns are known; of the others all branches are blended."""
        tree, total = self.tree, self.stay[node] * self.says[node]
        for split in range(tree.split_start[node], tree.split_start[node + 1]):
            children = tree.children[tree.child_start[split] : tree.child_start[split + 1]].tolist()
            is_known = int(tree.conditions.column[split]) in known
            branch = branch_at(tree, split, row) if is_known else None
            for k, child in enumerate(children):
                share = self.share(children, k) if branch is None else float(k == branch)
                if share:
                    total = total + self.go[split] * share * self.answer(row, known, child)
        return total

    def share(self, children: list[int], branch: int) -> float:
        weights = [float(self.tree.counts[child].sum()) for child in children]
        return weights[branch] / sum(weights) if sum(weights) else 1 / len(weights)


def shapley(n_columns: int, answer: Callable[[Coalition], Numbers]) -> Numbers:
    """The mean, over all orders of the columns, of what each adds to those before it."""
    answers = {known: answer(known) for known in _coalitions(range(n_columns))}
    found = []
    for column in range(n_columns):
        others = [other for other in range(n_columns) if other != column]
        parts = [
            math.factorial(len(known)) * math.factorial(n_columns - len(known) - 1) / math.factorial(n_columns)
            * (answers[known | {column}] - answers[known])
            for known in _coalitions(others)
        ]  # fmt: skip
        found.append(np.sum(parts, axis=0))
    return np.array(found)


def _coalitions(columns: Iterable[int]) -> list[Coalition]:
    every = list(columns)
    return [frozenset(some) for size in range(len(every) + 1) for some in combinations(every, size)]


def failed_columns(tree: Any, way: Any, row: list[Cell]) -> set[int]:
    """The columns of a row that fail a test of a way, or cannot answer it."""
    columns = tree.conditions.column[tree.split_start[[node for node, _ in way]]].tolist() if way else []
    return {column for (node, branch), column in zip(way, columns, strict=True) if branch_of(tree, node, row) != branch}


def nearest(tree: Any, row: list[Cell], classes: Any, verdict: int) -> tuple[int, int]:
    """The nearest leaf of another class, or -1, and the number of columns to change: by trying all leaves."""
    found = [
        (len(failed_columns(tree, way, row)), -float(tree.counts[leaf].sum()), leaf)
        for leaf, way in ways_to_leaves(tree)
        if classes[leaf] not in (verdict, -1)
    ]
    n_changes, _, leaf = min(found, default=(0, 0.0, -1))
    return leaf, n_changes


def can_be_reached(tree: Any, leaf: int, choices: list[list[Cell]]) -> bool:
    """Whether every column has a value among these that passes all tests on the way to a leaf."""
    way = dict(ways_to_leaves(tree))[leaf]
    return all(
        any(column not in failed_columns(tree, way, _only(column, value, len(choices))) for value in values)
        for column, values in enumerate(choices)
    )


def _only(column: int, value: Cell, n_columns: int) -> list[Cell]:
    return [value if other == column else None for other in range(n_columns)]
