"""Keys from parents to children, through a whole tree."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True, inline="always")
def mix(key, value):
    """The same as `petree.keys.mix`, of two numbers."""
    z = (key ^ value) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit(nogil=True, cache=True)
def chain_keys(split_nodes, condition_keys, child_start, children, keys):
    """Fill in the keys of all nodes below the root; splits come in the order of their nodes, parents first."""
    for split in range(split_nodes.size):
        key = mix(keys[split_nodes[split]], condition_keys[split])
        for k in range(child_start[split], child_start[split + 1]):
            keys[children[k]] = mix(key, np.uint64(k - child_start[split]))
