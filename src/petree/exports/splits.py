"""The inner nodes of a tree as programs need them: what each branch takes, and what becomes of the rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.columns import NUMBER, Column
from petree.conditions import QUERY, UNSEEN, Condition, IsMissing, Multiway, Threshold
from petree.reading.view import View
from petree.tree import Tree


@dataclass(frozen=True)
class Split:
    """An inner node of a tree over one table.

    Parameters
    ----------
    node : int
    column : Column
        What is asked for.
    condition : Condition
    children : tuple of int
        The node behind each branch.
    shares : tuple of float
        Part of each branch in the training weight: how the children are blended for a row that no branch takes.
    """

    node: int
    column: Column
    condition: Condition
    children: tuple[int, ...]
    shares: tuple[float, ...]

    @property
    def asks_for_number(self) -> bool:
        """Whether it compares numbers."""
        return not self.asks_for_missing and self.column.kind == NUMBER

    @property
    def asks_for_categories(self) -> bool:
        """Whether each branch takes some categories; then those that are new have none."""
        return not self.asks_for_missing and self.column.kind != NUMBER

    @property
    def asks_for_missing(self) -> bool:
        return isinstance(self.condition, IsMissing)

    @property
    def is_multiway(self) -> bool:
        return isinstance(self.condition, Multiway)

    @property
    def threshold(self) -> float:
        """What numbers are compared with: branch 0 takes those below it."""
        assert isinstance(self.condition, Threshold)
        return self.condition.threshold

    @property
    def missing(self) -> int:
        """The branch that takes missing values, or `UNSEEN`."""
        return 0 if self.asks_for_missing else self.condition.missing

    @property
    def may_blend(self) -> bool:
        """Whether some value fits no branch: one that is missing where none was, or a category that is new."""
        return self.asks_for_categories or self.missing == UNSEEN

    def codes(self, branch: int) -> list[int]:
        """The categories that a branch takes."""
        return self.condition.codes_of(branch)

    def values(self, branch: int) -> list[Any]:
        """The same in the user's words."""
        return [self.column.categories[code] for code in self.codes(branch)]


def splits_of(shown: View, what: str, quantities: Sequence[str] = ()) -> dict[int, Split]:
    """The inner nodes by their numbers; refuses a tree that no program of one table can carry.

    Parameters
    ----------
    shown : View
    what : str
        What is to be made of it, for the sentence of a refusal.
    quantities : sequence of str
        The quantities, such as dates, that it knows beside plain numbers.
    """
    if shown.tree.is_dag or shown.is_summary:
        raise ValueError(
            f"A tree with options answers by many trees at once, which {what} cannot carry; take its summary(), which "
            "is a single tree with answers of its own."
        )
    if shown.is_by_row:
        raise ValueError(
            f"Under this smoothing all leaves answer every row, which {what} cannot carry; fit with another smoothing."
        )
    return {split.node: split for split in all_splits(shown.tree, what, quantities)}


def refuse_parts(shown: View, what: str) -> None:
    """Raise for a tree that divides rows with missing values, where each row needs one path."""
    if shown.divides_rows:
        raise ValueError(
            f"This tree answers rows with missing values by several leaves together, which {what} cannot; fit with "
            "missing='branch' or 'majority'."
        )


def all_splits(tree: Tree, what: str, quantities: Sequence[str] = ()) -> list[Split]:
    """The splits of a tree, with options or without."""
    if tree.surrogates is not None and len(tree.surrogates):
        raise ValueError(
            f"Surrogates decide where rows with missing values go in this tree, which {what} cannot carry; fit with "
            "missing='branch', 'fractions' or 'majority'."
        )
    if (tree.conditions.kind == QUERY).any():
        raise ValueError(f"The tests of this tree are not about columns of one table, as {what} needs them.")
    for column in sorted(
        {tree.conditions.columns[place] for place in tree.conditions.column}, key=lambda one: one.name
    ):
        if column.quantity and column.quantity not in quantities:
            raise ValueError(
                f"Column {column.name!r} holds a {column.quantity}, which {what} cannot carry; turn it into a number "
                "before fitting."
            )
    shares = child_shares(tree)
    return [_split(tree, node, split, shares) for split, node in enumerate(tree.split_nodes.tolist())]


def _split(tree: Tree, node: int, split: int, shares: NDArray[np.float64]) -> Split:
    span = slice(tree.child_start[split], tree.child_start[split + 1])
    column = tree.conditions.columns[tree.conditions.column[split]]
    return Split(
        node, column, tree.conditions[split], tuple(tree.children[span].tolist()), tuple(shares[span].tolist())
    )


def child_shares(tree: Tree) -> NDArray[np.float64]:
    """Part of each child in the training weight of it and its siblings; all alike where they have none."""
    weights = tree.counts.sum(axis=1)[tree.children]
    n_siblings = np.diff(tree.child_start)
    totals = np.repeat(np.add.reduceat(weights, tree.child_start[:-1]) if len(weights) else weights, n_siblings)
    equal = 1 / np.repeat(n_siblings, n_siblings)
    return np.divide(weights, totals, out=equal, where=totals > 0)


def columns_of(splits: Iterable[Split]) -> list[Column]:
    """The columns that are asked for, each once, in the order of the tree."""
    return list(dict.fromkeys(split.column for split in splits))
