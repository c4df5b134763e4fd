"""The old place of `petree.experiments.report.tables`."""

from petree.renamed import forwards

NAMES = ("Table",)

__getattr__ = forwards(__name__, {name: f"petree.experiments.report.tables:{name}" for name in NAMES})
