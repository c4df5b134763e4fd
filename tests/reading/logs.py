"""Trees pruned at random, with logs that say so."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from tests.random_trees import TESTS, trees

from petree.pruning import Chi
from petree.pruning.engine.log import Notes
from petree.pruning.engine.stumps import Verdicts
from petree.tree import Tree


@st.composite
def pruned_trees(draw: Any, kinds: tuple[int, ...] = tuple(TESTS)) -> Tree:
    """Every inner node is examined; a refused one becomes a leaf, whatever is found below it."""
    tree = draw(trees(kinds=kinds, most_splits=10))
    nodes = np.flatnonzero(~tree.is_leaf)
    accepted = np.array(draw(st.lists(st.booleans(), min_size=len(nodes), max_size=len(nodes))), bool)
    notes = Notes()
    notes.add(nodes, Verdicts(nodes + 100.0, np.full(len(nodes), 50.5), accepted))
    return notes.log(Chi(alpha=0.5), ("heads", "needed"), tree, nodes[~accepted]).pruned()
