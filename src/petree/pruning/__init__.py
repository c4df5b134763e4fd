"""Pruning: which subtrees go?

A member is a class with ``prune(tree, context)``, which gives a tree. Most read only the counts in the nodes;
`context` carries what the others need.
"""

from __future__ import annotations

from typing import Any

from petree.parts import resolve
from petree.pruning.none import NoPruning
from petree.tree import Tree

MEMBERS: dict[str, type] = {"none": NoPruning}


def resolve_pruning(pruning: Any) -> Any:
    """A member from its alias or itself."""
    return resolve(pruning, MEMBERS, "pruning", "prune")


def prune(pruning: Any, tree: Tree, context: Any = None) -> Tree:
    """The tree as a criterion leaves it.

    Examples
    --------
    >>> prune("none", Tree.from_counts([[3, 0], [1, 2]])).n_leaves
    2
    """
    pruned: Tree = resolve_pruning(pruning).prune(tree, context)
    return pruned


__all__ = ["MEMBERS", "NoPruning", "prune", "resolve_pruning"]
