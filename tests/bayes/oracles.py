"""Bayesian trees from their definitions: every tree that a tree contains is listed and weighed by itself."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
from tests.oracles.pruning import TIE, PlainNode, prune_before

from petree.bayes import Prior
from petree.tree import Tree

# Weights of a leaf and of an inner node by the number of its tests.
WEIGHTS = {
    "I": (lambda _: 1.0, lambda _, __: 1.0),
    "II": (lambda omega: omega, lambda omega, _: omega),
    "III": (lambda _: 1.0, lambda _, n_tests: 1 / n_tests),
    "IV": (lambda _: 1 / 2, lambda _, n_tests: 1 / (2 * n_tests)),
}


def log_beta(numbers: list[float]) -> float:
    """ln B(x), without the classes that cannot occur."""
    possible = [x for x in numbers if x > 0]
    return sum(map(math.lgamma, possible)) - math.lgamma(sum(possible))


def pseudo_counts(prior: Prior, root: list[float], level: int) -> list[float]:
    alpha, total = prior.alpha * prior.shrink**level, sum(root)
    if prior.mean == "uniform" or not total:
        return [alpha / len(root)] * len(root)
    return [alpha * n / total for n in root]


def leaf_value(prior: Prior, counts: list[float], root: list[float], level: int) -> float:
    """ln CPleaf."""
    a = pseudo_counts(prior, root, level)
    weight = WEIGHTS[prior.structure][0](prior.omega)
    evidence = log_beta([n + x for n, x in zip(counts, a, strict=True)]) - log_beta(a)
    return math.log(weight) + prior.power * evidence


def node_value(prior: Prior, n_tests: int) -> float:
    """ln CPnode."""
    return math.log(WEIGHTS[prior.structure][1](prior.omega, n_tests))


def own_answer(prior: Prior, counts: list[float], root: list[float], level: int) -> np.ndarray:
    smoothed = np.array(counts) + pseudo_counts(prior, root, level)
    return smoothed / smoothed.sum()


# -- all prunings of a tree -----------------------------------------------------------------------------------


def prunings(node: PlainNode) -> Iterator[PlainNode]:
    """Every tree that is left when some nodes become leaves."""
    yield node.cut()
    if node.children:
        for children in product(*(list(prunings(child)) for child in node.children)):
            yield replace(node, children=children)


def posterior(prior: Prior, node: PlainNode, root: list[float], level: int = 0) -> float:
    """``ln P(T) prod_leaves B(n + a) / B(a)``."""
    if not node.children:
        return leaf_value(prior, node.counts, root, level)
    below = sum(posterior(prior, child, root, level + 1) for child in node.children)
    return node_value(prior, node.n_tests) + below


def weighed_prunings(prior: Prior, root: PlainNode) -> list[tuple[float, PlainNode]]:
    """All prunings, with posterior probabilities that sum to 1."""
    found = list(prunings(root))
    logs = [posterior(prior, one, root.counts) for one in found]
    weights = [math.exp(value - max(logs)) for value in logs]
    return [(weight / sum(weights), one) for weight, one in zip(weights, found, strict=True)]


def path_to(root: PlainNode, index: int) -> list[PlainNode]:
    if root.index == index:
        return [root]
    below = [path for child in root.children if (path := path_to(child, index))]
    return [root, *below[0]] if below else []


def last_of(pruned: PlainNode, path: list[PlainNode]) -> int:
    """How far down a path from its root a pruning goes."""
    for place, node in enumerate(path):
        if not pruned.children or place + 1 == len(path):
            return place
        pruned = next(child for child in pruned.children if child.index == path[place + 1].index)
        assert node.children
    raise AssertionError


def mixture(prior: Prior, root: PlainNode, index: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weights, answers and strengths of all prunings for a row that gets as far as a node and no further."""
    path = path_to(root, index)
    parts = []
    for weight, pruned in weighed_prunings(prior, root):
        level = last_of(pruned, path)
        counts, strength = path[level].counts, prior.alpha * prior.shrink**level
        parts.append((weight, own_answer(prior, counts, root.counts, level), sum(counts) + strength))
    weights, answers, strengths = zip(*parts, strict=True)
    return np.array(weights), np.array(answers), np.array(strengths)


def plain_bayes(prior: Prior, root: PlainNode, index: int) -> np.ndarray:
    """Bayesian smoothing: the mean of what all prunings answer."""
    weights, answers, _ = mixture(prior, root, index)
    return weights @ answers


def bayes_strength(prior: Prior, root: PlainNode, index: int) -> float:
    """The strength of a Dirichlet distribution with the mean and the variance of the mixture, or the mean strength."""
    weights, answers, strengths = mixture(prior, root, index)
    mean = weights @ answers
    second = answers * (1 - answers) / (strengths[:, None] + 1) + answers**2
    variance = (weights @ second - mean**2).sum()
    return float((mean * (1 - mean)).sum() / variance - 1) if (mean < 1 - 1e-12).all() else float(weights @ strengths)


def split_weights(prior: Prior, root: PlainNode) -> dict[int, float]:
    """The posterior probability that each inner node is split."""
    found = dict.fromkeys((node.index for node in root.inner), 0.0)
    for weight, pruned in weighed_prunings(prior, root):
        for node in pruned.inner:
            found[node.index] += weight
    return found


def plain_map(root: PlainNode, prior: Prior | None = None, when: str = "post") -> PlainNode:
    """The most probable of all prunings, the smallest of equals."""
    prior = prior or Prior("III")

    def accepts(node: PlainNode) -> bool:
        level = len(path_to(root, node.index)) - 1
        stump = replace(node, children=tuple(child.cut() for child in node.children))
        return posterior(prior, stump, root.counts, level) > posterior(prior, node.cut(), root.counts, level) + TIE

    if when == "pre":
        return prune_before(root, accepts)
    found = [(posterior(prior, one, root.counts), one) for one in prunings(root)]
    best = max(value for value, _ in found)
    return min((one for value, one in found if value > best - TIE), key=lambda one: len(one.leaves))


def plain_negligible(root: PlainNode, bound: float = 0.01, prior: Prior | None = None) -> PlainNode:
    """Nodes go that are split with a probability up to a limit, halved while an answer changes by more than `bound`."""
    prior = prior or Prior()
    weights, limit = split_weights(prior, root), bound
    before = {leaf.index: plain_bayes(prior, root, leaf.index) for leaf in root.leaves}
    while True:
        cut = prune_before(root, lambda node, limit=limit: weights[node.index] > limit)
        after = {leaf.index: plain_bayes(prior, cut, leaf.index) for leaf in cut.leaves}
        changes = [abs(before[i] - after[_standing(root, cut, i)]).max() for i in before]
        if max(changes) <= bound or sum(weight for weight in weights.values() if weight <= limit) <= bound:
            return cut
        limit /= 2


def _standing(root: PlainNode, cut: PlainNode, leaf: int) -> int:
    """The leaf of the cut tree that holds what was in a leaf of the whole one."""
    path = path_to(root, leaf)
    return path[last_of(cut, path)].index


# -- all trees of an option tree ------------------------------------------------------------------------------


def contained(tree: Tree, node: int = 0) -> list[tuple[float, Any]]:
    """Every tree that a node contains: the number of the node, and which split it has with what below it."""
    found: list[Any] = [(node, None, ())]
    for split in range(tree.split_start[node], tree.split_start[node + 1]):
        children = tree.children[tree.child_start[split] : tree.child_start[split + 1]].tolist()
        found += [(node, split, below) for below in product(*(contained(tree, child) for child in children))]
    return found


def option_posterior(prior: Prior, tree: Tree, one: Any, level: int = 0) -> float:
    node, split, below = one
    if split is None:
        return leaf_value(prior, tree.counts[node].tolist(), tree.counts[0].tolist(), level)
    return node_value(prior, tree.n_tests[node]) + sum(option_posterior(prior, tree, x, level + 1) for x in below)


def option_answer(prior: Prior, tree: Tree, one: Any, branches: list[int], level: int = 0) -> np.ndarray:
    """What one tree answers a row that takes the given branch of each split."""
    node, split, below = one
    if split is None:
        return own_answer(prior, tree.counts[node].tolist(), tree.counts[0].tolist(), level)
    return option_answer(prior, tree, below[branches[split] % len(below)], branches, level + 1)


def plain_options(prior: Prior, tree: Tree, branches: list[int]) -> tuple[float, np.ndarray]:
    """Logarithm of the sum over all trees, and their mean answer to a row."""
    found = contained(tree)
    logs = np.array([option_posterior(prior, tree, one) for one in found])
    weights = np.exp(logs - logs.max())
    answers = np.array([option_answer(prior, tree, one, branches) for one in found])
    return float(logs.max() + np.log(weights.sum())), weights @ answers / weights.sum()
