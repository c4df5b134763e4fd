"""The steps from the root of a tree to one of its nodes."""

from __future__ import annotations

from typing import NamedTuple

from petree.conditions import Condition
from petree.tree import Tree


class StepDown(NamedTuple):
    """One step: the split that is asked, its condition, the branch that is taken, and the node that it leads to."""

    split: int
    condition: Condition
    branch: int
    node: int


def steps_to(tree: Tree, node: int) -> list[StepDown]:
    """The steps to a node, first that from the root; none to the root itself."""
    steps = []
    while node > 0:
        parent = int(tree.parents[node])
        split = int(tree.split_start[parent])
        branch = tree.children[tree.child_start[split] : tree.child_start[split + 1]].tolist().index(node)
        steps.append(StepDown(split, tree.conditions[split], branch, node))
        node = parent
    return steps[::-1]
