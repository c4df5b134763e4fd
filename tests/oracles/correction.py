"""Tests that keep the splits above them, from the definition: every pair of a node and a node below it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import log

from scipy.stats import chi2
from tests.families.splits import plain_chi_square, plain_gain
from tests.oracles.pruning import PlainNode

Passes = Callable[[PlainNode, float], bool]


def cases(node: PlainNode) -> float:
    return sum(node.counts) or 1.0


def prune_unsupported(node: PlainNode, passes: Passes) -> PlainNode:
    """A split stays if its parent's does and a test at or below it passes at its share, given as n_v / n_w."""
    if not any(passes(below, cases(node) / cases(below)) for below in node.inner):
        return node.cut()
    return replace(node, children=tuple(prune_unsupported(child, passes) for child in node.children))


def plain_corrected_chi(root: PlainNode, alpha: float = 0.05) -> PlainNode:
    """At its own node, and for as many cases, a test is judged by X^2; further up by the smaller of X^2 and G."""

    def passes(node: PlainNode, times: float) -> bool:
        n_filled = sum(sum(child) > 0 for child in node.table)
        if n_filled < 2:
            return False
        statistic = plain_chi_square(node.table)
        if times > 1:
            statistic = min(statistic, 2 * log(2) * sum(node.counts) * plain_gain(node.table))
        chance = chi2.sf(statistic, (n_filled - 1) * (len(node.counts) - 1))
        return bool(chance <= alpha / node.n_tests / times)

    return prune_unsupported(root, passes)
