"""Wirings of trees that are drawn, and ways through them in plain Python."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from petree import core

often = settings(max_examples=30, deadline=None)


@st.composite
def parent_lists(draw):
    """Parents of the nodes of a random tree, each before its children."""
    n_nodes = draw(st.integers(1, 25))
    return np.array([-1, *(draw(st.integers(0, node - 1)) for node in range(1, n_nodes))], np.int32)


def wiring_of(parents):
    children = [np.flatnonzero(parents == node) for node in range(len(parents))]
    inner = [node for node in range(len(parents)) if len(children[node])]
    split_start = np.searchsorted(inner, np.arange(len(parents) + 1))
    child_start = np.cumsum([0, *(len(children[node]) for node in inner)])
    flat = np.concatenate([np.empty(0, np.intp), *children])
    return core.trees.Wiring(*(np.asarray(one, np.int32) for one in (split_start, child_start, flat)))


def path_to(node, parents):
    path = [node]
    while parents[path[0]] >= 0:
        path.insert(0, int(parents[path[0]]))
    return path


def wired(splits):
    flat = [split for own in splits for split in own]
    split_start = np.cumsum([0, *map(len, splits)])
    child_start = np.cumsum([0, *map(len, flat)])
    children = [child for split in flat for child in split]
    return core.trees.Wiring(*(np.array(one, np.int32) for one in (split_start, child_start, children)))
