"""The order in which people read a tree: a node, then its subtrees one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree.conditions import Condition
from petree.tree import Tree
from petree.words import visible

HEADING = -1


class Step(NamedTuple):
    """One line of a tree: a node, or the heading of an option (then `node` is `HEADING`).

    `text` says what holds of the rows of a node beyond what holds above it, and can be shown as it is: the branch
    numbered `branch` of `condition`, or of the root "all rows".
    """

    level: int
    text: str
    node: int
    condition: Condition | None = None
    branch: int = -1
    is_repeat: bool = False


def walk(tree: Tree, is_open: NDArray[np.bool_] | None = None, is_short: bool = False) -> Iterator[Step]:
    """Every node below the line it belongs to; where `is_open` is given, only what lies below open nodes.

    A node that several splits share is numbered, and its subtree comes once, at its first place. Where texts are for
    the eye alone (`is_short`) long sets of categories are shortened.
    """
    is_open = ~tree.is_leaf if is_open is None else is_open
    shared = set(np.flatnonzero(np.bincount(tree.children, minlength=tree.n_nodes) > 1).tolist())
    seen: set[int] = set()
    stack = [Step(0, "all rows", 0)]
    while stack:
        step = stack.pop()
        if step.node in shared:
            step = _numbered(step, step.node in seen)
            seen.add(step.node)
        yield step
        if step.node != HEADING and is_open[step.node] and not step.is_repeat:
            stack.extend(reversed(_below(tree, step, is_short)))


def _numbered(step: Step, is_repeat: bool) -> Step:
    note = ", shown above" if is_repeat else ""
    return step._replace(text=f"{step.text} [node {step.node}{note}]", is_repeat=is_repeat)


def _below(tree: Tree, step: Step, is_short: bool) -> list[Step]:
    first = int(tree.split_start[step.node])
    last = int(tree.split_start[step.node + 1])
    if last - first == 1:
        return _children(tree, first, step.level + 1, is_short)
    steps = []
    for split in range(first, last):
        steps.append(Step(step.level + 1, f"option {split - first + 1} of {last - first}", HEADING))
        steps.extend(_children(tree, split, step.level + 2, is_short))
    return steps


def _children(tree: Tree, split: int, level: int, is_short: bool) -> list[Step]:
    condition: Condition = tree.conditions[split]
    texts = condition.short_branches if is_short else condition.branches
    children = tree.children[tree.child_start[split] : tree.child_start[split + 1]].tolist()
    return [
        Step(level, visible(text), child, condition, branch)
        for branch, (text, child) in enumerate(zip(texts, children, strict=True))
    ]
