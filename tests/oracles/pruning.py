"""Pruning criteria on plain nodes, from their definitions: recursive, one node at a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from scipy.stats import chi2
from tests.families.splits import entropy, plain_chi_square, plain_gain

from petree.tree import Tree

# Costs that differ by less are equal.
TIE = 1e-10


@dataclass(frozen=True)
class PlainNode:
    """A node with its subtree."""

    index: int
    counts: list[float]
    n_tests: int
    children: tuple[PlainNode, ...] = ()

    @property
    def leaves(self) -> list[PlainNode]:
        return [leaf for child in self.children for leaf in child.leaves] if self.children else [self]

    @property
    def inner(self) -> list[PlainNode]:
        return [self, *(node for child in self.children for node in child.inner)] if self.children else []

    @property
    def is_stump(self) -> bool:
        return bool(self.children) and not any(child.children for child in self.children)

    @property
    def table(self) -> list[list[float]]:
        """Class counts of the children."""
        return [child.counts for child in self.children]

    def cut(self) -> PlainNode:
        return replace(self, children=())


Plain = Callable[[PlainNode], PlainNode]


def plain_tree(tree: Tree, index: int = 0) -> PlainNode:
    """A tree as plain nodes, with weighted counts."""
    children = tree.node(index).children
    below = tuple(plain_tree(tree, child) for child in children[0]) if children else ()
    return PlainNode(index, tree.weighted_counts[index].tolist(), int(tree.n_tests[index]), below)


def shape(node: PlainNode) -> Any:
    """The counts of a node and the shapes of its children."""
    return node.counts, [shape(child) for child in node.children]


# -- the algorithms ----------------------------------------------------------------------------------------------------


def prune_before(node: PlainNode, accepts: Callable[[PlainNode], bool]) -> PlainNode:
    """Prepruning: a node is a leaf unless its test is acceptable."""
    if not node.children or not accepts(node):
        return node.cut()
    return replace(node, children=tuple(prune_before(child, accepts) for child in node.children))


def prune_stumps(node: PlainNode, accepts: Callable[[PlainNode], bool]) -> PlainNode:
    """Substump postpruning."""
    new = replace(node, children=tuple(prune_stumps(child, accepts) for child in node.children))
    return new.cut() if new.is_stump and not accepts(node) else new


def prune_subtrees(node: PlainNode, is_better: Callable[[PlainNode, PlainNode], bool]) -> PlainNode:
    """Subtree postpruning: the pruned subtree if it is better than the leaf."""
    if not node.children:
        return node
    new = replace(node, children=tuple(prune_subtrees(child, is_better) for child in node.children))
    return new if is_better(new, node.cut()) else node.cut()


def prune_by_cost(node: PlainNode, cost: Callable[[PlainNode], float], keep_equal: bool = False) -> PlainNode:
    slack = TIE if keep_equal else -TIE
    return prune_subtrees(node, lambda subtree, leaf: cost(subtree) < cost(leaf) + slack)


# -- tests and description lengths -------------------------------------------------------------------------------------


def plain_chi(root: PlainNode, alpha: float = 0.05, bonferroni: bool = True, when: str = "post") -> PlainNode:
    def accepts(node: PlainNode) -> bool:
        n_filled = sum(sum(child) > 0 for child in node.table)
        if n_filled < 2:
            return False
        chance = chi2.sf(plain_chi_square(node.table), (n_filled - 1) * (len(node.counts) - 1))
        return bool(chance <= alpha / (node.n_tests if bonferroni else 1))

    return (prune_stumps if when == "post" else prune_before)(root, accepts)


def tree_length(node: PlainNode, n_cases: float, mdl: bool, exponent: float = 1.0) -> float:
    """DL(T), by the printed recursion."""
    if not node.children:
        return mdl + 0.5 * (len(node.counts) - 1) ** exponent * math.log2(max(n_cases, 1))
    below = sum(tree_length(child, n_cases, mdl, exponent) for child in node.children)
    return mdl * (1 + math.log2(node.n_tests)) + below


def data_length(node: PlainNode) -> float:
    """DL(D | T)."""
    return sum(sum(leaf.counts) * entropy(leaf.counts) for leaf in node.leaves)


def plain_description(
    root: PlainNode, mdl: bool, when: str = "post", by: str = "subtree", exponent: float = 1.0, keep_equal: bool = False
) -> PlainNode:
    n_cases = sum(root.counts)

    def score(node: PlainNode) -> float:
        return tree_length(node, n_cases, mdl, exponent) + data_length(node)

    def accepts(node: PlainNode) -> bool:
        stump = replace(node, children=tuple(child.cut() for child in node.children))
        gain = sum(node.counts) * plain_gain(node.table)
        added = tree_length(stump, n_cases, mdl, exponent) - tree_length(node.cut(), n_cases, mdl, exponent)
        return gain > added + (-TIE if keep_equal else TIE)

    if when == "pre":
        return prune_before(root, accepts)
    return prune_stumps(root, accepts) if by == "stump" else prune_by_cost(root, score, keep_equal)


def log2_ways(n: float, k: float) -> float:
    return math.log2(math.comb(round(n), round(k)))


def exception_bits(counts: list[float], c: float) -> float:
    """Quinlan and Rivest's exceptions: name the next class, say how many are not of it, and which."""
    bits, remaining = 0.0, sorted(counts, reverse=True)
    while len(remaining) > 1 and sum(remaining):
        n, k, n_classes = sum(remaining), sum(remaining[1:]), len(remaining)
        most = (n * (n_classes - 1) + 1) // n_classes
        bits += c * (math.log2(most + 1) + log2_ways(n, k) + (math.log2(n_classes) if len(counts) > n_classes else 0))
        remaining = remaining[1:]
    return bits


def plain_quinlan_rivest(root: PlainNode, c: float = 1.0) -> PlainNode:
    def cost(node: PlainNode) -> float:
        if not node.children:
            return 1 + math.log2(len(node.counts)) + exception_bits(node.counts, c)
        return 1 + math.log2(node.n_tests) + sum(cost(child) for child in node.children)

    return prune_by_cost(root, cost)


def class_string_bits(counts: list[float], alpha: float) -> float:
    """Classes one after another, each by the share of those before it, with so many of each class to begin with."""
    bits = math.lgamma(sum(counts) + alpha * len(counts)) - math.lgamma(alpha * len(counts))
    bits -= sum(math.lgamma(n + alpha) - math.lgamma(alpha) for n in counts)
    return bits / math.log(2)


def plain_wallace_patrick(root: PlainNode, alpha: float = 1.0) -> PlainNode:
    """The chance that a node is inner is that of the root, or one in the number of its siblings and itself."""

    def cost(node: PlainNode, inner: float) -> float:
        if not node.children:
            return class_string_bits(node.counts, alpha) - math.log2(1 - inner)
        below = sum(cost(child, 1 / len(node.children)) for child in node.children)
        return math.log2(node.n_tests) - math.log2(inner) + below

    def walk(node: PlainNode, inner: float) -> PlainNode:
        if not node.children:
            return node
        new = replace(node, children=tuple(walk(child, 1 / len(node.children)) for child in node.children))
        return new if cost(new, inner) < cost(node.cut(), inner) - TIE else node.cut()

    return walk(root, 1 - 1 / max(root.n_tests, 2))


# -- probabilities -----------------------------------------------------------------------------------------------------


def without_one(counts: list[float], class_index: int) -> list[float]:
    return [max(n - (i == class_index), 0) for i, n in enumerate(counts)]


def plain_smoothed(
    root: PlainNode, estimate: Callable[[list[list[float]], int], list[float]], pay_tests: bool = True
) -> PlainNode:
    """Each case of a leaf is predicted by the estimate of the leaf's path without that case."""

    def loss(path: list[list[float]]) -> float:
        bits = 0.0
        for i, n in enumerate(path[-1]):
            if n:
                p = estimate([without_one(counts, i) for counts in path], len(path[-1]))[i]
                bits -= n * math.log2(max(p, 1e-6))
        return bits

    def walk(node: PlainNode, above: list[list[float]]) -> tuple[PlainNode, float]:
        path = [*above, node.counts]
        leaf = loss(path)
        if not node.children:
            return node, leaf
        below = [walk(child, path) for child in node.children]
        subtree = sum(bits for _, bits in below) + pay_tests * math.log2(node.n_tests)
        if subtree < leaf - TIE:
            return replace(node, children=tuple(child for child, _ in below)), subtree
        return node.cut(), leaf

    return walk(root, [])[0]
