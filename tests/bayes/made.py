"""Random priors and option trees."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from petree.bayes import Prior
from petree.conditions import Conditions
from petree.tree import Tree

PRIORS = st.builds(
    Prior,
    structure=st.sampled_from(("I", "II", "III", "IV")),
    omega=st.sampled_from((0.1, 0.5, 1.0)),
    alpha=st.sampled_from((0.3, 1.0, 5.0)),
    mean=st.sampled_from(("base_rate", "uniform")),
    shrink=st.sampled_from((0.5, 1.0)),
    power=st.sampled_from((0.25, 1.0, 1.0)),
)


@st.composite
def option_trees(draw: Any, n_levels: int = 3) -> Tree:
    """Nodes with up to two splits, whose children may be shared by several."""
    owners, families, n_nodes, level = [], [], 1, [0]
    for _ in range(n_levels - 1):
        below: list[int] = []
        for node in level:
            for _ in range(draw(st.integers(0, 2))):
                kinds = draw(st.lists(st.booleans(), min_size=2, max_size=3))
                family = [draw(st.sampled_from(below)) if is_shared and below else -1 for is_shared in kinds]
                for place in [place for place, child in enumerate(family) if child < 0]:
                    family[place] = n_nodes
                    below.append(n_nodes)
                    n_nodes += 1
                owners.append(node)
                families.append(family)
        level = below
    counts = draw(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=n_nodes, max_size=n_nodes))
    counts[0] = (counts[0][0] + 1, counts[0][1] + 1)  # a class of base rate 0 has no cases below either
    return make(counts, owners, families, n_tests=draw(st.integers(1, 20)))


def make(counts: Any, owners: list[int], families: list[list[int]], n_tests: int = 1) -> Tree:
    """A tree of these nodes, whose splits belong to `owners` (ascending) and lead to `families`."""
    counts = np.array(counts, np.float64)
    lengths = [len(family) for family in families]
    return Tree(
        counts=counts,
        sizes=counts.sum(axis=1).astype(np.int64),
        n_tests=np.full(len(counts), n_tests),
        split_start=np.searchsorted(owners, np.arange(len(counts) + 1)).astype(np.int32),
        child_start=np.concatenate(([0], np.cumsum(lengths))).astype(np.int32),
        children=np.array([child for family in families for child in family], np.int32),
        conditions=Conditions.queries([(f"test {split}", length) for split, length in enumerate(lengths)]),
        classes=tuple(range(counts.shape[1])),
    )
