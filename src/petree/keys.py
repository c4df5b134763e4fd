"""A number for every node that depends on nothing but a seed and the conditions on the way to it.

Random numbers keyed by it are the same whenever, wherever and in whatever order nodes are looked at.
"""

from __future__ import annotations

from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from petree.conditions import IN, QUERY, Conditions
from petree.tree import Tree

Keys = NDArray[np.uint64]


def mix(keys: Keys, values: NDArray[np.uint64]) -> Keys:
    """Keys that depend on other keys and on values, every bit on every bit (the finaliser of SplitMix64)."""
    z = (keys ^ values) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def root_key(seed: int) -> Keys:
    """Key of the root, as an array of one."""
    return mix(np.array([seed % 2**64], np.uint64), np.zeros(1, np.uint64))


def child_keys(keys: Keys, conditions: Conditions, n_children: NDArray[np.intp]) -> Keys:
    """Keys of the children of some nodes, given the nodes' own keys and conditions."""
    values = np.where(conditions.value == 0, 0.0, conditions.value).astype(np.float64)  # minus zero is zero
    for split in np.flatnonzero(np.isin(conditions.kind, (IN, QUERY))):
        values[split] = crc32(repr(conditions[int(split)]).encode())
    for part in (conditions.kind, conditions.column, conditions.missing):
        keys = mix(keys, np.asarray(part, np.int64).view(np.uint64))
    keys = mix(keys, values.view(np.uint64))
    starts = np.cumsum(n_children) - n_children
    branches = np.arange(n_children.sum()) - np.repeat(starts, n_children)
    return mix(np.repeat(keys, n_children), branches.astype(np.uint64))


def path_keys(tree: Tree, seed: int) -> Keys:
    """Keys of all nodes of an ordinary tree, level by level."""
    keys = np.zeros(tree.n_nodes, np.uint64)
    keys[:1] = root_key(seed)
    for level in tree.by_level():
        nodes = level[~tree.is_leaf[level]]
        splits = tree.split_start[nodes]
        n_children = np.diff(tree.child_start)[splits].astype(np.intp)
        keys[tree.children_of(nodes)] = child_keys(keys[nodes], tree.conditions.take(splits.astype(np.intp)), n_children)
    return keys
