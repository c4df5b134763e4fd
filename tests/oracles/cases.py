"""Criteria that look at more than the counts of a tree, from their definitions: recursive, one node at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from tests.oracles.pruning import PlainNode
from tests.oracles.pruning_by_errors import wrong

TIE = 1e-12
MASK = 2**64 - 1
Loss = Callable[[PlainNode], float]
# The leaf of the grown tree that a case reaches, and its class.
Case = tuple[int, int]


# -- weakest links -------------------------------------------------------------------------------------------------


def error_length(node: PlainNode) -> float:
    """Training errors of a subtree."""
    return sum(wrong(leaf) for leaf in node.leaves)


def squared_length(node: PlainNode) -> float:
    """Squared differences of the classes in a subtree's leaves and their frequencies."""
    total = 0.0
    for leaf in node.leaves:
        n = sum(leaf.counts)
        total += sum(
            k * sum(((i == j) - other / n) ** 2 for j, other in enumerate(leaf.counts))
            for i, k in enumerate(leaf.counts)
            if k
        )
    return total


def cut_where(node: PlainNode, is_cut: Callable[[PlainNode], bool]) -> PlainNode:
    """Every node for which it holds becomes a leaf."""
    if not node.children or is_cut(node):
        return node.cut()
    return replace(node, children=tuple(cut_where(child, is_cut) for child in node.children))


def weakest_link_path(root: PlainNode, loss: Loss = error_length) -> list[tuple[float, PlainNode]]:
    """Alphas and trees, by the text: cut all weakest links, work everything out anew, go on."""
    n = max(sum(root.counts), 1e-300)

    def link(node: PlainNode) -> float:
        return (loss(node.cut()) - loss(node)) / n / (len(node.leaves) - 1)

    tree = cut_where(root, lambda node: abs(loss(node.cut()) - loss(node)) / n <= TIE)
    path = [(0.0, tree)]
    while tree.children:
        alpha = min(map(link, tree.inner))
        tree = cut_where(tree, lambda node, alpha=alpha: link(node) <= alpha + TIE)
        if alpha <= path[-1][0] + TIE:
            path.pop()
            alpha = path[-1][0] if path else 0.0
        path.append((alpha, tree))
    return path


def plain_cost_complexity(root: PlainNode, alpha: float, loss: Loss = error_length) -> PlainNode:
    """The last tree of the path whose alpha is not above the given one."""
    return [tree for at, tree in weakest_link_path(root, loss) if at <= alpha + TIE][-1]


def loss_of_case(counts: list[float], class_index: int, loss: str) -> float:
    """Loss of one case at a leaf of given training counts."""
    if loss == "error":
        return float(counts.index(max(counts)) != class_index)
    shares = [(n + 1) / (sum(counts) + len(counts)) for n in counts]
    if loss == "log":
        return -math.log2(shares[class_index])
    return sum((share - (i == class_index)) ** 2 for i, share in enumerate(shares))


# -- cases drawn for each decision ---------------------------------------------------------------------------------


def grown_leaves(node: PlainNode) -> set[int]:
    return {leaf.index for leaf in node.leaves}


def spread(subtree: PlainNode, grown: PlainNode, cases: list[Case]) -> list[list[int]]:
    """Classes of the cases in each leaf of a pruned subtree."""
    whole = {node.index: grown_leaves(node) for node in [*grown.inner, *grown.leaves]}
    return [[c for reached, c in cases if reached in whole[leaf.index]] for leaf in subtree.leaves]


def plain_sampled(
    root: PlainNode,
    draw: Callable[[PlainNode], list[Case]],
    decide: Callable[[PlainNode, PlainNode, list[Case]], bool],
) -> PlainNode:
    """Bottom-up, level by level; `decide` says if the pruned subtree of a node stays, given the cases drawn for it."""
    pruned = {node.index: node for node in [*root.inner, *root.leaves]}
    for level in list(levels_of(root))[::-1]:
        for node in level:
            if node.children:
                subtree = replace(node, children=tuple(pruned[child.index] for child in node.children))
                pruned[node.index] = subtree if decide(subtree, node, draw(node)) else node.cut()
    return pruned[root.index]


def levels_of(root: PlainNode) -> Iterator[list[PlainNode]]:
    level = [root]
    while level:
        yield level
        level = [child for node in level for child in node.children]


class PlainReducedError:
    """Whether a subtree errs less than a leaf; remembers what cut nodes predict."""

    def __init__(self, root: PlainNode, label: str) -> None:
        self.label, self.labels = label, {}
        self._predict(root, 0)

    def _predict(self, node: PlainNode, above: int) -> None:
        own = node.counts.index(max(node.counts)) if sum(node.counts) else above
        self.labels[node.index] = own
        for child in node.children:
            self._predict(child, own)

    def __call__(self, subtree: PlainNode, grown: PlainNode, cases: list[Case]) -> bool:
        below = zip(subtree.leaves, spread(subtree, grown, cases), strict=True)
        errors = sum(c != self.labels[leaf.index] for leaf, classes in below for c in classes)
        label = self.labels[grown.index]
        counts = [sum(c == i for _, c in cases) for i in range(len(grown.counts))]
        if self.label == "pruning" and counts[label] < max(counts):
            label = counts.index(max(counts))
        stays = errors < sum(c != label for _, c in cases)
        if not stays:
            self.labels[grown.index] = label
        return stays


def sampled_cost(
    subtree: PlainNode, grown: PlainNode, cases: list[Case], leaf_cost: Any, split_cost: Callable[[PlainNode], float]
) -> tuple[float, float]:
    """Costs of a pruned subtree and of a leaf, from the drawn cases alone."""

    def cost(classes: list[int]) -> float:
        return leaf_cost([float(classes.count(i)) for i in range(len(grown.counts))])

    below = sum(cost(classes) for classes in spread(subtree, grown, cases)) + sum(map(split_cost, subtree.inner))
    return below, cost([c for _, c in cases])


def plain_random(state: int) -> tuple[int, float]:
    """SplitMix64 on plain integers: the next state, and a number in [0, 1)."""
    state = (state + 0x9E3779B97F4A7C15) & MASK
    z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return state, ((z ^ (z >> 31)) >> 11) * 2.0**-53


def plain_select(key: int, n_here: int, n_cases: int, n_drawn: int) -> list[bool]:
    """Which of the first n_here of n_cases are drawn: each in turn, with the share of draws that are left."""
    state, drawn = key, []
    for case in range(n_here):
        state, share = plain_random(state)
        drawn.append(share < (n_drawn - sum(drawn)) / (n_cases - case))
    return drawn


# -- exact tests ---------------------------------------------------------------------------------------------------


def tables(sizes: list[int], totals: list[int]) -> Iterator[list[list[int]]]:
    """All tables of given margins."""
    if not sizes:
        yield []
        return
    for row in rows_of(sizes[0], totals):
        left = [total - n for total, n in zip(totals, row, strict=True)]
        yield from ([row, *rest] for rest in tables(sizes[1:], left))


def rows_of(size: int, totals: list[int]) -> Iterator[list[int]]:
    if len(totals) == 1:
        if size <= totals[0]:
            yield [size]
        return
    for n in range(min(size, totals[0]) + 1):
        yield from ([n, *rest] for rest in rows_of(size - n, totals[1:]))


def freeman_halton(table: list[list[int]]) -> float:
    """Chance of all tables of the same margins that are no more probable."""
    sizes, totals = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]

    def ways(one: list[list[int]]) -> int:
        """Number of labellings that give a table."""
        product = 1
        for size, row in zip(sizes, one, strict=True):
            product *= math.factorial(size) // math.prod(map(math.factorial, row))
        return product

    everything = list(map(ways, tables(sizes, totals)))
    return sum(one for one in everything if one <= ways(table)) / sum(everything)
