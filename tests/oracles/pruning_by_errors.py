"""Pruning criteria that count errors, on plain nodes, from their definitions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from tests.oracles.pruning import TIE, PlainNode, prune_before, prune_by_cost, prune_subtrees


def wrong(node: PlainNode) -> float:
    return sum(node.counts) - max(node.counts)


def exact_errors(n: float, e: float, confidence: float = 0.25) -> float:
    """N u, with u by bisection of P(Bin(N, u) <= E) = CF, for whole numbers."""
    if n == 0 or e == n:
        return n
    low, high = 0.0, 1.0
    for _ in range(200):
        u = (low + high) / 2
        chance = math.fsum(math.comb(round(n), i) * u**i * (1 - u) ** (n - i) for i in range(round(e) + 1))
        low, high = (u, high) if chance > confidence else (low, u)
    return n * low


def approximate_errors(n: float, e: float, confidence: float, z: float, left: float) -> float:
    """The expression of C4.5 and J48; linear between no error and one."""
    if n == 0:
        return 0.0
    if e < 0.9999:
        none, one = n * (1 - confidence ** (1 / n)), approximate_errors(n, 1.0, confidence, z, left) - 1
        return e + none + (e * (one - none) if e >= 1e-6 else 0.0)
    if e + 0.5 >= n:
        return e + left * max(n - e, 0.0)
    k, half = z * z, e + 0.5
    return n * (half + k / 2 + math.sqrt(k * (half * (1 - half / n) + k / 4))) / (n + k)


def c45_errors(n: float, e: float) -> float:
    return approximate_errors(n, e, 0.25, 0.6925, 0.67)


def j48_errors(n: float, e: float) -> float:
    return approximate_errors(n, e, 0.25, 0.674489750196082, 1.0)


def plain_error_based(root: PlainNode, limit: Callable[[float, float], float] = c45_errors) -> PlainNode:
    def cost(node: PlainNode) -> float:
        return math.fsum(limit(sum(leaf.counts), wrong(leaf)) for leaf in node.leaves)

    return prune_by_cost(root, cost, keep_equal=True)


def plain_collapsing(root: PlainNode) -> PlainNode:
    """C4.5 without raising: collapse where no training error is saved, then a margin of 0.1 for the leaf."""

    def cost(node: PlainNode) -> float:
        return math.fsum(c45_errors(sum(leaf.counts), wrong(leaf)) for leaf in node.leaves)

    def saves(subtree: PlainNode, leaf: PlainNode) -> bool:
        return math.fsum(map(wrong, subtree.leaves)) < wrong(leaf) - 0.001

    return prune_subtrees(prune_subtrees(root, saves), lambda subtree, leaf: cost(leaf) > cost(subtree) + 0.1)


def plain_pessimistic(root: PlainNode) -> PlainNode:
    def stays(node: PlainNode) -> bool:
        n, e = sum(node.counts), sum(map(wrong, node.leaves)) + len(node.leaves) / 2
        error = math.sqrt(max(e * (n - e) / n, 0.0)) if n else 0.0
        return wrong(node) + 0.5 > e + error + TIE

    return prune_before(root, stays)


def plain_minimum_error(root: PlainNode, m: float = 2.0, prior: str = "base_rate") -> PlainNode:
    n_classes, total = len(root.counts), sum(root.counts)
    is_uniform = prior == "uniform" or not total
    priors = [1 / n_classes] * n_classes if is_uniform else [n / total for n in root.counts]

    def rate(node: PlainNode) -> float:
        n = sum(node.counts)
        if node.children:
            return sum(sum(child.counts) / n * rate(child) for child in node.children) if n else 0.0
        best = node.counts.index(max(node.counts))
        return 1 - (node.counts[best] + m * priors[best]) / (n + m) if n + m else 0.0

    return prune_subtrees(root, lambda subtree, leaf: bool(sum(leaf.counts)) and rate(subtree) < rate(leaf) - TIE)


def plain_card_per_class(root: PlainNode, k: float = 1.0, reading: str = "ratio") -> PlainNode:
    def is_large(node: PlainNode) -> bool:
        cases, c = sum(node.counts), len(node.counts)
        return {"ratio": cases / c >= 2 * k, "printed": cases >= 2 * k / c, "Kc/2": cases >= k * c / 2}[reading]

    return prune_before(root, is_large)


def plain_safe(root: PlainNode) -> PlainNode:
    def predictions(node: PlainNode, above: int) -> set[int]:
        own = node.counts.index(max(node.counts)) if sum(node.counts) else above
        return set().union(*(predictions(child, own) for child in node.children)) if node.children else {own}

    def walk(node: PlainNode, above: int) -> PlainNode:
        if len(predictions(node, above)) < 2:
            return node.cut()
        own = node.counts.index(max(node.counts)) if sum(node.counts) else above
        return replace(node, children=tuple(walk(child, own) for child in node.children))

    return walk(root, 0)
