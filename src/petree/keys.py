"""A number for every node that depends on nothing but a seed and the branches and values on the way to it.

Random numbers keyed by it are the same whenever, wherever and in whatever order nodes are looked at.
"""

from __future__ import annotations

from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.conditions import IN, QUERY, Conditions
from petree.tree import Tree, ranges, wiring_of

Keys = NDArray[np.uint64]


def combine_keys(keys: Keys, values: NDArray[np.uint64]) -> Keys:
    """Keys that depend on other keys and on values, every bit on every bit (the finaliser of SplitMix64)."""
    z = (keys ^ values) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def root_key(seed: int) -> Keys:
    """Key of the root, as an array of one."""
    return combine_keys(np.array([seed % 2**64], np.uint64), np.zeros(1, np.uint64))


def condition_keys(conditions: Conditions) -> Keys:
    """Keys of conditions by themselves, wherever the column stands that they ask; all queries have one.

    A node has one condition, so that its children differ by their branches all the same.
    """
    values = np.where(conditions.value == 0, 0.0, conditions.value).astype(np.float64)  # minus zero is zero
    values[conditions.kind == QUERY] = 0  # places of texts, which depend on the order of tables and columns
    for split in np.flatnonzero(conditions.kind == IN):
        values[split] = crc32(repr(conditions.extras[int(conditions.value[split])]).encode())
    keys = values.view(np.uint64)
    for part in (conditions.kind, conditions.missing):
        keys = combine_keys(keys, np.asarray(part, np.int64).view(np.uint64))
    return keys


def child_keys(keys: Keys, conditions: Conditions, n_children: NDArray[np.intp]) -> Keys:
    """Keys of the children of some nodes, given the nodes' own keys and conditions."""
    keys = combine_keys(keys, condition_keys(conditions))
    branches = ranges(np.zeros_like(n_children), n_children)
    return combine_keys(np.repeat(keys, n_children), branches.astype(np.uint64))


def path_keys(tree: Tree, seed: int) -> Keys:
    """Keys of all nodes of an ordinary tree."""
    keys = np.zeros(tree.n_nodes, np.uint64)
    keys[:1] = root_key(seed)
    core.trees.chain_keys(wiring_of(tree), condition_keys(tree.conditions), keys)
    return keys
