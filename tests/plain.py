"""Trees as they grow: what most tests want to look at."""

from __future__ import annotations

from typing import Any

from petree import ProbabilityTreeClassifier


def plain_classifier(
    split: Any = "gain", pruning: Any = "none", smoothing: Any = "laplace", **parameters: Any
) -> ProbabilityTreeClassifier:
    """A classifier that neither prunes nor tunes anything, unless it is told to."""
    return ProbabilityTreeClassifier(split, pruning, smoothing, **parameters)
