"""The old place of `petree.papers.oates.pruning_model`."""

from petree.renamed import forwards

NAMES = (
    "grid_after",
    "grid_before",
    "leaf_errors",
    "midpoints",
    "paper_averages",
    "pruning_probability",
    "pruning_probability_after",
    "subtree_errors",
)

__getattr__ = forwards(__name__, {name: f"petree.papers.oates.pruning_model:{name}" for name in NAMES})
