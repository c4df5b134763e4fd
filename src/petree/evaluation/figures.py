"""The old place of `petree.experiments.report.figures`."""

from petree.renamed import forwards

NAMES = ("ReliabilityCurve", "critical_difference", "learning_curve", "panels", "reliability", "reliability_curve")

__getattr__ = forwards(__name__, {name: f"petree.experiments.report.figures:{name}" for name in NAMES})
