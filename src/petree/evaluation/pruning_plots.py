"""The old place of `petree.papers.oates.pruning_plots`."""

from petree.renamed import forwards

NAMES = ("draw_after", "draw_before", "draw_errors")

__getattr__ = forwards(__name__, {name: f"petree.papers.oates.pruning_plots:{name}" for name in NAMES})
