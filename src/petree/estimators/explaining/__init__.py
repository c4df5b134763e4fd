"""Why rows get their answers: the path, the interval, what each column contributes, and the nearest other verdict."""

from petree.estimators.explaining.explanations import Explanations
from petree.estimators.explaining.grounds import MOVED, Grounds, ModelAnswers, OtherVerdicts, Paths, Shapley
from petree.estimators.explaining.rows import Explanation, Nearest, PathStep

__all__ = [
    "MOVED",
    "Explanation",
    "Explanations",
    "Grounds",
    "ModelAnswers",
    "Nearest",
    "OtherVerdicts",
    "PathStep",
    "Paths",
    "Shapley",
]
